// What a study of lessons/results must hold before a sentence may rest on it: two sizes, three seeds, every ceiling and
// baseline, and of each scheme a learning rate that is the best of those tried and not at their edge. Studies that lack
// some of it are listed in lessons/results/incomplete.txt, with what they lack and what they may be used for.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <set>

#include "../support/temporary_folder.h"
#include "ablation/tuning.h"
#include "base/error.h"
#include "io/file.h"
#include "io/format.h"
#include "report/page/findings.h"
#include "report/text_study.h"

using namespace locus;

namespace {

using Faults = std::set<std::string>;

struct Level {
  int length;
  bool has_ceiling, has_baseline;
};

// One model of a study.
struct Recorded {
  std::string task, scheme, model = "encoder", lengths;
  int width;
  double rate;
  long long seed;
  bool generates = false, reads_text = false;  // such models have no order-blind ceiling
  std::vector<Level> tested{};

  auto pair() const { return std::tuple(task, scheme, model, lengths); }
  auto row() const { return std::tuple(task, scheme, model, lengths, width); }
};

std::vector<std::vector<std::string>> rows_of(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(read_file(path), '\n'))
    if (!line.empty()) rows.push_back(split(line, '\t'));
  rows.erase(rows.begin());  // the header
  return rows;
}

double number(const std::string& words) {
  const auto value = parse_double(words);
  if (!value) fail("recorded", str("'", words, "' is no number"));
  return *value;
}

std::string lengths_text(const LengthRange& lengths) { return str(lengths.low, ',', lengths.high); }

std::vector<Recorded> models_of(const std::string& folder) {
  std::vector<Recorded> models;
  if (std::filesystem::exists(folder + "/results.jsonl")) {
    for (const auto& [settings, outcome, where] : read_records({folder}).results) {
      models.push_back({.task = settings.task,
                        .scheme = settings.model.scheme,
                        .model = to_string(settings.model.kind),
                        .lengths = lengths_text(settings.train.lengths),
                        .width = settings.model.d_model,
                        .rate = settings.train.optimizer.learning_rate,
                        .seed = static_cast<long long>(settings.train.seed),
                        .generates = outcome.generates,
                        .reads_text = outcome.by_length.front().text.has_value()});
      for (const LengthScore& at : outcome.by_length)
        models.back().tested.push_back({at.length, at.order_blind_ceiling.has_value(), true});
    }
    return models;
  }
  // models.tsv: a row for each length; every reading of a model is the scheme that was trained
  for (const auto& row : rows_of(folder + "/models.tsv")) {
    if (row[6] != "zero-shot") continue;  // trained on for a few steps, at a rate of their own
    const std::string lengths = row[2] == "16" ? "16,16" : join(split(row[2], '-'), ",");
    models.push_back({.task = row[0],
                      .scheme = "rope:base=100",
                      .lengths = lengths,
                      .width = static_cast<int>(number(row[1])),
                      .rate = number(row[3]),
                      .seed = static_cast<long long>(number(row[4])),
                      .tested = {{static_cast<int>(number(row[7])), parse_double(row[10]).has_value(),
                                  parse_double(row[11]).has_value()}}});
  }
  return models;
}

// The search of rates.tsv as results, of which the choice is made anew: of a text by loss.
std::vector<ChosenRate> chosen_of(const std::string& folder, bool reads_text) {
  Records records;
  if (!std::filesystem::exists(folder + "/rates.tsv")) return {};
  for (const auto& row : rows_of(folder + "/rates.tsv")) {
    Result result;
    RunSettings& settings = result.settings;
    settings.task = row[0];
    if (reads_text) settings.dataset = row[0] + ".txt";
    settings.model.scheme = row[1];
    settings.model.kind = parse_model_kind(row[2]);
    settings.model.d_model = static_cast<int>(number(row[3]));
    const auto lengths = split(row[4], ',');
    settings.train.lengths = {static_cast<int>(number(lengths[0])), static_cast<int>(number(lengths[1]))};
    settings.train.optimizer.learning_rate = number(row[5]);
    const auto seeds = split(row[6], ' '), steps = split(row[7], ' '), accuracy = split(row[8], ' '),
               loss = split(row[9], ' ');
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      settings.train.seed = static_cast<std::uint64_t>(number(seeds[i]));
      result.outcome.steps_to_solve.reset();
      if (steps.at(i) != "null") result.outcome.steps_to_solve = static_cast<int>(number(steps[i]));
      result.outcome.curve = {{1}, {number(loss.at(i))}, {number(accuracy.at(i))}};
      records.results.push_back(result);
    }
  }
  return chosen_rates(records);
}

// In words that incomplete.txt uses: "seeds", "sizes", "ceiling", "baseline", "rates" (none was searched, or another is
// used than the best), "edge".
Faults faults_of(const std::string& folder) {
  const std::vector<Recorded> models = models_of(folder);
  Faults faults;
  std::map<decltype(models[0].row()), std::set<long long>> seeds;
  std::map<decltype(models[0].pair()), std::set<int>> sizes;
  std::map<decltype(models[0].row()), double> best;
  for (const ChosenRate& one : chosen_of(folder, models.front().reads_text)) {
    const RunSettings& settings = one.settings;
    const std::tuple row{settings.task, to_string(settings.model.scheme), to_string(settings.model.kind),
                         lengths_text(settings.train.lengths), settings.model.d_model};
    best[row] = one.is_at_edge() ? -1 : settings.train.optimizer.learning_rate;
  }
  for (const Recorded& model : models) {
    seeds[model.row()].insert(model.seed);
    sizes[model.pair()].insert(model.width);
    const auto rate = best.find(model.row());
    if (rate != best.end() && rate->second < 0) faults.insert("edge");
    if (rate == best.end() || (rate->second > 0 && rate->second != model.rate)) faults.insert("rates");
    for (const Level& at : model.tested) {
      if (!at.has_ceiling && !model.generates && !model.reads_text) faults.insert("ceiling");
      if (!at.has_baseline) faults.insert("baseline");
    }
  }
  for (const auto& [row, of_row] : seeds)
    if (of_row.size() < 3) faults.insert("seeds");
  for (const auto& [pair, of_pair] : sizes)
    if (of_pair.size() < 2) faults.insert("sizes");
  return faults;
}

std::string words(const Faults& faults) { return join({faults.begin(), faults.end()}, " "); }

}  // namespace

TEST_CASE("recorded: every study is complete, or is listed with what it lacks") {
  std::map<std::string, std::string> listed;
  for (const auto& row : rows_of("lessons/results/incomplete.txt")) {
    REQUIRE(row.size() == 3);  // study, what it lacks, what it may be used for
    listed[row[0]] = row[1];
  }
  std::size_t studies = 0;
  for (const auto& entry : std::filesystem::directory_iterator("lessons/results")) {
    if (!entry.is_directory()) continue;
    const std::string study = entry.path().filename();
    CAPTURE(study);
    ++studies;
    const std::string lacks = words(faults_of(entry.path()));
    CHECK(lacks == (listed.contains(study) ? listed[study] : ""));
    listed.erase(study);
  }
  CHECK(studies > 3);
  CHECK(listed.empty());  // a listed study that is not there
}

namespace {

// A study in the form of models.tsv that lacks nothing; the test takes something away.
struct Sample {
  std::vector<int> widths = {32, 64}, seeds = {1, 2, 3};
  std::string ceiling = "0.259", baseline = "0.382", used = "0.01";
  std::vector<std::string> losses = {"0.9", "0.5", "0.7"};  // at 0.003, 0.01 and 0.03
};

Faults faults_in(const Sample& sample) {
  const TemporaryFolder folder;
  std::string models = "header\n", rates = "header\n";
  for (const int width : sample.widths) {
    for (const int seed : sample.seeds)
      models += str("sort\t", width, "\t16\t", sample.used, '\t', seed, "\tplain\tzero-shot\t32\t0.9\t0.1\t",
                    sample.ceiling, '\t', sample.baseline, '\n');
    for (std::size_t i = 0; i < sample.losses.size(); ++i)
      rates += str("sort\trope:base=100\tencoder\t", width, "\t16,16\t",
                   std::vector{"0.003", "0.01", "0.03"}[i], "\t1\tnull\t0.5\t", sample.losses[i], '\n');
  }
  write_file_atomically(folder / "models.tsv", models);
  write_file_atomically(folder / "rates.tsv", rates);
  return faults_of(folder.path);
}

}  // namespace

TEST_CASE("recorded: a table is refused for each thing that it lacks") {
  CHECK(words(faults_in({})) == "");
  CHECK(words(faults_in({.widths = {32}})) == "sizes");
  CHECK(words(faults_in({.seeds = {1, 2}})) == "seeds");
  CHECK(words(faults_in({.ceiling = "-"})) == "ceiling");
  CHECK(words(faults_in({.baseline = "-"})) == "baseline");
  CHECK(words(faults_in({.used = "0.003"})) == "rates");          // another than the best
  CHECK(words(faults_in({.losses = {"0.9"}})) == "rates");        // no search
  CHECK(words(faults_in({.losses = {"0.9", "0.5"}})) == "edge");  // the best is the largest
  CHECK(words(faults_in({.losses = {"0.1", "0.5", "0.7"}})) == "edge");
}

TEST_CASE("recorded: the figures of studies are those that report draws") {
  for (const auto& [study, figure, control] : {std::tuple{"lengths-encoder", "lengths-encoder.svg", "rope"},
                                               {"lengths-decoder", "lengths-decoder.svg", "rope"},
                                               {"text-32", "text-32.svg", ""},
                                               {"spectra-text", "spectra/text.svg", ""}}) {
    CAPTURE(study);
    const std::string here = "lessons/results/";
    const Study read(read_records({here + study}), control);
    CHECK(read_file(here + figure) == svg_document(study_figure(plain_headline(read), read)));
  }
}
