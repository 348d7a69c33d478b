// Are the studies here still what their commands give? Trains one model of each again, the one with the least work,
// and compares all bits of its results: `make results-check`, or of some studies: make results-check ONLY="needle far".
//
//   build/lessons/again write STUDY               trains all its models again, and writes its results.jsonl anew
//   build/lessons/again record DIR FROM...        writes the results in the folders FROM to DIR, without their curves
//   build/lessons/again record-best DIR FROM...   the same of those at the learning rate that suits each scheme best
//   build/lessons/again rates FROM...             a row of rates.tsv for each rate of these results, with all its seeds
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <set>

#include "ablation/ablation.h"
#include "ablation/tuning.h"
#include "base/error.h"
#include "base/pool.h"
#include "io/file.h"
#include "io/format.h"

namespace locus {

namespace {

const std::string here = "lessons/results/";

std::string file_of(const std::string& folder) { return folder + "/results.jsonl"; }

// These cells, trained again on so many threads.
std::vector<Result> trained_again(const std::vector<RunSettings>& cells, int jobs) {
  const std::string folder = str(std::filesystem::temp_directory_path().string(), "/locus-again-", getpid());
  Results results(folder, cells);
  run_cells(cells, results, jobs, {});
  std::filesystem::remove_all(folder);
  return results.records().results;
}

// The numbers of a result: without its curve, which is not recorded, and the answers that are shown, which are kept of
// one seed of an ablation only.
std::string numbers_of(Result result) {
  result.outcome.curve = {};
  for (LengthScore& at : result.outcome.by_length) at.answers.clear();
  return to_string(to_json(result));
}

void record(const std::string& folder, std::vector<Result> results) {
  for (Result& result : results) {
    result.outcome.curve = {};
    result.outcome.training_seconds = 0;
  }
  std::filesystem::create_directories(folder);
  save_results(folder, results);
}

// Results one after the other that differ in their seed are one row, with lists in its last four columns.
void print_rates(const std::vector<Result>& results) {
  std::string row;
  std::vector<std::string> lists(4);  // seed, steps to solve, last accuracy, last loss
  const auto print = [&] {
    if (!row.empty()) std::cout << row << join(lists, "\t") << '\n';
  };
  std::set<std::uint64_t> seeds;
  for (const auto& [settings, outcome, where] : results) {
    const Curve& curve = outcome.curve;
    const auto last = [](const std::vector<double>& validations) {
      return validations.empty() ? "-" : significant(validations.back(), 6);
    };
    const std::string now =
        str(settings.task, '\t', to_string(settings.model.scheme), '\t', to_string(settings.model.kind), '\t',
            settings.model.d_model, '\t', settings.train.lengths.low, ',', settings.train.lengths.high, '\t',
            settings.train.optimizer.learning_rate, '\t');
    const bool begins = now != row || !seeds.insert(settings.train.seed).second;
    if (begins) {
      print();
      row = now;
      seeds = {settings.train.seed};
      lists.assign(4, "");
    }
    const std::string values[] = {str(settings.train.seed),
                                  outcome.steps_to_solve ? str(*outcome.steps_to_solve) : "null",
                                  last(curve.accuracy), last(curve.loss)};
    for (std::size_t i = 0; i < lists.size(); ++i) lists[i] += (begins ? "" : " ") + values[i];
  }
  print();
}

// "1000 steps, accuracy 0.9973 0.7612"
std::string words_of(const Outcome& outcome) {
  std::string words = str(outcome.steps, " steps, accuracy");
  for (const LengthScore& at : outcome.by_length)
    words += str(' ', fixed(at.score.accuracy(outcome.generates), 6));
  return words;
}

bool is_same_again(const std::string& study) {
  const std::vector<Result> recorded = read_records({here + study}).results;
  const auto work = [](const Result& result) {
    const RunSettings& cell = result.settings;
    return work_of({cell}) * result.outcome.steps / cell.train.steps;  // many stop early
  };
  const Result before = *std::ranges::min_element(recorded, {}, work);
  const RunSettings& cell = before.settings;
  std::cout << study << ": " << cell.task << ", " << to_string(cell.model.scheme) << ", "
            << to_string(cell.model.kind) << " of width " << cell.model.d_model << ", seed "
            << cell.train.seed << ": " << std::flush;
  const Result now = trained_again({cell}, 1).front();
  const bool same = numbers_of(now) == numbers_of(before);
  if (same) std::cout << "the same bits\n";
  if (!same)
    std::cout << "OTHER BITS\n    recorded: " << words_of(before.outcome)
              << "\n    now:      " << words_of(now.outcome) << '\n';
  return same;
}

void write_anew(const std::string& study) {
  std::vector<RunSettings> cells;
  for (const Result& result : read_records({here + study}).results) cells.push_back(result.settings);
  std::cout << study << ": " << cells.size() << " models" << std::endl;
  record(here + study, trained_again(cells, hardware_threads()));
}

// The folders here that hold results of `locus ablate`.
std::vector<std::string> all_studies() {
  std::vector<std::string> studies;
  for (const auto& entry : std::filesystem::directory_iterator(here))
    if (std::filesystem::exists(file_of(entry.path()))) studies.push_back(entry.path().filename());
  std::ranges::sort(studies);
  return studies;
}

}  // namespace

}  // namespace locus

int main(int count, char** words) {
  try {
    std::vector<std::string> studies(words + 1, words + count);
    const std::string command = studies.empty() ? "" : studies[0];
    const auto from = [&](int first) {
      return locus::read_records({studies.begin() + first, studies.end()});
    };
    if (command == "write" && count == 3) return locus::write_anew(studies[1]), 0;
    if (command == "rates" && count > 2) return locus::print_rates(from(1).results), 0;
    if (command == "record" && count > 3) return locus::record(studies[1], from(2).results), 0;
    if (command == "record-best" && count > 3)
      return locus::record(studies[1], locus::at_best_rates(from(2)).results), 0;
    if (studies.empty()) studies = locus::all_studies();
    const auto changed =
        std::ranges::count_if(studies, [](const auto& study) { return !locus::is_same_again(study); });
    std::cout << "[results-check] " << studies.size() - changed << " passed | " << changed << " failed\n";
    return changed > 0;
  } catch (const std::exception& problem) {
    std::cerr << '\n' << problem.what() << '\n';
    return 1;
  }
}
