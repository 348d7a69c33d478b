#include "ablation/reproduction.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

// The settings that `given` stands for; or `given` itself, when its task cannot be opened.
RunSettings understood(const RunSettings& given) {
  return task_if_there(given) ? with_defaults(given) : given;
}

// An option for each setting whose value a command would not choose by itself. Task, scheme and seed are left
// out: a command names them for many cells at once.
std::string options_of(const RunSettings& cell) {
  RunSettings given;
  std::string options;
  for (const Setting& setting : all_settings()) {  // in this order: defaults depend on settings before them
    const bool differs = value_text(setting, understood(given)) != value_text(setting, cell);
    if (differs || setting.role.in_every_row) setting.copy(cell, given);
    if (differs && !setting.role.in_every_row) options += ' ' + typed(setting, cell);
  }
  return options;
}

std::string scheme_words(const std::vector<Spec>& schemes) {
  std::string words, by_layer;
  for (const Spec& scheme : schemes) (scheme.is_by_layer() ? by_layer : words) += ' ' + shell_word(scheme);
  return (words.empty() ? "" : " --schemes" + words) +
         (by_layer.empty() ? "" : " --scheme-by-layer" + by_layer);
}

std::string train_command(const RunSettings& cell) {
  std::string command = "build/locus train";
  for (const char* option : {cell.dataset.empty() ? "--task" : "--dataset", "--scheme", "--seed"})
    command += ' ' + typed(find_setting(option), cell);
  return command + options_of(cell);
}

// The cells of one task that share their options.
struct CellGroup {
  std::string options;
  std::vector<RunSettings> cells = {};
  std::vector<Spec> schemes = {};  // in the order of first appearance
  std::map<std::string, std::set<std::uint64_t>> seeds = {};

  void add(const RunSettings& cell) {
    if (!seeds.contains(cell.model.scheme)) schemes.push_back(cell.model.scheme);
    seeds[cell.model.scheme].insert(cell.train.seed);
    cells.push_back(cell);
  }

  // " --seeds 3 --control none" when every scheme has the seeds 1 to 3, and the control, to be compared with
  // itself, up to 6; " --seeds 11-13" for 11 to 13. Nothing when the cells are not a grid.
  std::optional<std::string> seed_words() const {
    std::size_t fewest = seeds.begin()->second.size();
    for (const auto& [scheme, has] : seeds) fewest = std::min(fewest, has.size());
    const std::uint64_t first = *seeds.begin()->second.begin();
    std::string twice;
    for (const auto& [scheme, has] : seeds) {
      if (*has.begin() != first || *has.rbegin() != first + has.size() - 1) return {};
      if (first != 1 && has.size() == 1) return {};  // `train --seed 2` says it shorter
      if (has.size() == fewest) continue;
      if (!twice.empty() || has.size() != 2 * fewest) return {};
      twice = scheme;
    }
    const std::string range = first == 1 ? str(fewest) : str(first, '-', first + fewest - 1);
    return str(" --seeds ", range, twice.empty() ? " --no-aa" : " --control " + shell_word(twice));
  }

  // A grid that holds the cells, and perhaps others.
  std::string enough_seed_words() const {
    std::uint64_t last = 1;
    for (const auto& [scheme, has] : seeds) last = std::max(last, *has.rbegin());
    return str(" --seeds ", last, " --no-aa");
  }
};

std::vector<CellGroup> groups_of(const std::vector<Result>& results) {
  std::set<std::string> training_schemes;  // a grid that is --trained-as a scheme may also test that scheme
  for (const Result& result : results) training_schemes.insert(result.settings.trained_as);
  std::vector<CellGroup> groups;
  std::map<std::vector<std::string>, std::size_t> index_of;
  for (const Result& result : results) {
    RunSettings cell = result.settings;
    if (cell.trained_as.empty() && training_schemes.contains(cell.model.scheme))
      cell.trained_as = cell.model.scheme;
    const std::string options = options_of(cell);
    const auto [found, is_new] = index_of.try_emplace({options, cell.task, cell.dataset}, groups.size());
    if (is_new) groups.push_back({options});
    groups[found->second].add(cell);
  }
  return groups;
}

// Tasks that share everything else, and so a command.
struct Command {
  std::string words;  // everything else
  std::vector<std::string> tasks = {}, datasets = {};

  std::string line() const {
    return str("build/locus ablate", tasks.empty() ? "" : " --tasks " + join(tasks, " "),
               datasets.empty() ? "" : " --datasets " + join(datasets, " "), words);
  }
};

}  // namespace

std::vector<std::string> reproduction_commands(const std::vector<Result>& results) {
  std::vector<Command> grids;
  std::vector<std::string> lines, single;
  for (const CellGroup& group : groups_of(results)) {
    const RunSettings& first = group.cells.front();
    auto seeds = group.seed_words();
    if (!seeds && !first.trained_as.empty()) seeds = group.enough_seed_words();  // `train` has no such option
    if (!seeds || !first.from.empty()) {
      for (const RunSettings& cell : group.cells) single.push_back(train_command(cell));
      continue;
    }
    const std::string words = scheme_words(group.schemes) + *seeds + group.options;
    auto grid = std::ranges::find(grids, words, &Command::words);
    if (grid == grids.end()) grid = grids.insert(grid, {words});
    (first.dataset.empty() ? grid->tasks : grid->datasets)
        .push_back(shell_word(first.dataset.empty() ? first.task : first.dataset));
  }
  for (const Command& grid : grids) lines.push_back(grid.line());
  lines.insert(lines.end(), single.begin(), single.end());
  return lines;
}

}  // namespace locus
