// The commands on the page of a report, parsed again: they must ask for what was run.
#include "ablation/reproduction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "base/error.h"
#include "cli/command.h"

using namespace locus;

namespace {

std::vector<Result> results_of(const std::vector<RunSettings>& cells) {
  std::vector<Result> results;
  for (const RunSettings& cell : cells) results.push_back({cell, {}});
  return results;
}

Arguments parse(const std::string& name, std::vector<std::string> words) {
  return {name, find_command(name).options, words, 0, 0};
}

// All cells that these commands ask for.
std::set<SettingsKey> asked_for(const std::vector<std::string>& commands) {
  std::set<SettingsKey> cells;
  for (const std::string& command : commands) {
    CAPTURE(command);
    std::vector<std::string> words = split(command, ' ');
    REQUIRE(words.at(0) == "build/locus");
    const std::string name = words.at(1);
    words.erase(words.begin(), words.begin() + 2);
    if (name == "train") words.insert(words.end(), {"--out", "new"});
    const Arguments arguments = parse(name, words);
    if (name == "train")
      cells.insert(settings_key(commands::train::asked_for(arguments)));
    else
      for (const RunSettings& cell : commands::ablate::asked_for(arguments)) cells.insert(settings_key(cell));
  }
  return cells;
}

std::set<SettingsKey> keys_of(const std::vector<RunSettings>& cells) {
  std::set<SettingsKey> keys;
  for (const RunSettings& cell : cells) keys.insert(settings_key(cell));
  return keys;
}

// Another value of each type of setting; of a word, by its name, since not every word makes sense.
std::string another(const Setting& setting, const RunSettings& settings,
                    const std::map<std::string, std::string>& words) {
  const std::string value = setting.print(settings);
  switch (setting.type) {
    case ValueType::word:
      return words.at(setting.name);
    case ValueType::whole:
      return value == "0" ? str(static_cast<int>(setting.limits.high / 2))
                          : str(2 * parse_int(value).value());
    case ValueType::number:
      return value == "0" ? str(setting.limits.high / 2) : str(2 * parse_double(value).value());
    case ValueType::yes_no:
      return value == "yes" ? "no" : "yes";
    case ValueType::lengths:
      return "7,11";
    case ValueType::range:
      return "5-7";
  }
  return "";
}

}  // namespace

TEST_CASE("reproduction: the command of a run asks for its value of every setting") {
  const TemporaryFolder folder;
  RunSettings usual;
  usual.task = "sort";
  usual.model.scheme = "rope";
  usual = complete(usual);
  const Training training(usual);
  save_checkpoint(folder.path, training.run, training.trainer.state());
  const std::map<std::string, std::string> words = {{"task", "reverse"},
                                                    {"model", "decoder"},
                                                    {"dataset", "datasets/before_after.tsv"},
                                                    {"scheme", "rope:base=100,layout=half"},
                                                    {"from", folder.path},
                                                    {"trained_as", "rope:base=100"},
                                                    {"score_scale", "log"},
                                                    {"window_by_layer", "4"},
                                                    {"mixer_by_layer", "delta"},
                                                    {"tokens", "word"}};
  std::string paragraphs;
  for (int i = 0; i < 100; ++i)
    paragraphs += str("the cat number ", i, " sees a dog and ", 3 * i, " birds\n\n");
  write_file_atomically(folder / "cats.txt", paragraphs);
  for (const Setting& setting : all_settings())
    for (const std::uint64_t seed : {1u, 7u}) {  // part of a grid; a cell by itself
      CAPTURE(std::string(setting.name));
      CAPTURE(seed);
      RunSettings other = usual;
      other.train.seed = seed;
      if (setting.name == std::string("recalibrate_lr")) other.recalibrate = 3;
      setting.parse(other, {another(setting, other, words), "test", setting.option, setting.limits});
      if (setting.name == std::string("mixer_by_layer")) {  // of decoders, and rope has no place there
        other.model.kind = ModelKind::decoder;
        other.model.scheme = "none";
      }
      if (other.recalibrate > 0) other.trained_as = "rope:base=100";
      if (setting.name == std::string("tokens") || setting.name == std::string("min_count")) {  // of texts
        other.dataset = folder / "cats.txt";
        other.model.kind = ModelKind::decoder;
      }
      if (!other.dataset.empty()) {  // which has lengths of its own
        other.train.lengths = {};
        other.test_lengths.clear();
      }
      other = complete(other);
      REQUIRE(value_text(setting, other) != value_text(setting, usual));
      const auto asked = asked_for(reproduction_commands(results_of({other})));
      if (other.trained_as.empty())
        CHECK(asked == keys_of({other}));
      else  // a grid of seeds that holds it
        CHECK(asked.contains(settings_key(other)));
    }
}

TEST_CASE("reproduction: the commands of presets, and of models that go on, ask for its cells") {
  struct Case {
    std::vector<std::string> words;
    int lines;  // one for each value of an axis
  };
  for (const Case& one : {Case{{"--preset", "quick"}, 1}, Case{{"--preset", "quick", "--seeds", "11-20"}, 1},
                          Case{{"--preset", "classic"}, 1}, Case{{"--preset", "diet"}, 3},
                          Case{{"--tasks", "copy", "--model", "decoder", "--trained-as", "rope", "--schemes",
                                "rope", "none", "--control", "rope", "--no-aa", "--recalibrate", "0,5,20"},
                               3}}) {
    CAPTURE(join(one.words, " "));
    const auto cells = commands::ablate::asked_for(parse("ablate", one.words));
    const auto lines = reproduction_commands(results_of(cells));
    CHECK(std::ssize(lines) == one.lines);
    CHECK(asked_for(lines) == keys_of(cells));
  }
}

TEST_CASE("reproduction: models of several kinds and sizes, by layer and on datasets") {
  const auto cells = commands::ablate::asked_for(
      parse("ablate", {"--tasks", "sort", "--datasets", "datasets/before_after.tsv", "--model",
                       "encoder,decoder", "--d-model", "16,32", "--schemes", "none", "--scheme-by-layer",
                       "rope none", "--seeds", "2", "--no-aa", "--d-ff", "64"}));
  std::vector<std::string> lines = reproduction_commands(results_of(cells));
  CHECK(lines.size() == 4);
  CHECK(std::ranges::count_if(lines, [](const std::string& line) {
          return line.find(" --scheme-by-layer 'rope none'") != line.npos;
        }) == 4);
  for (std::string& line : lines) {  // the only words with a space in them
    const std::string words = " --scheme-by-layer 'rope none'";
    line.erase(line.find(words), words.size());
  }
  CHECK(asked_for(lines) == [&] {
    std::vector<RunSettings> others;
    for (const RunSettings& cell : cells)
      if (cell.model.scheme == "none") others.push_back(cell);
    return keys_of(others);
  }());
}
