// The grid of an ablation: every task under all settings with every scheme and every seed. One point of it is
// a cell.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "train/run.h"

namespace locus {

struct Grid {
  std::vector<std::string> tasks;            // names, and paths of tables
  std::vector<std::string> schemes;          // none named: those that are usual for the model
  int seeds = 3;                             // 1, 2, ...
  std::vector<RunSettings> settings = {{}};  // everything else, one after the other
  std::string trained_as =
      "";  // the scheme of all models while they are trained; "": that under which each is read
  std::string control = "";  // one of the schemes; "": none, or the first
  bool aa = false;           // the control runs again, on as many seeds more, to show what differs by chance
};

std::vector<std::string> usual_schemes(ModelKind kind);

// The cells in the order in which they are reported. Builds every model once, so that a bad spec, a width
// that does not fit, a length past a table or a size past the memory is an error before anything has run.
// Throws UsageError for these (Error for the memory), and when two tasks share a name, a cell is asked for
// twice, the control is not among the schemes, or a model cannot be read under another scheme than that it is
// trained with.
std::vector<RunSettings> cells(const Grid& grid);

// The same cell as it is trained.
RunSettings in_training(RunSettings cell);

// A cell by the only thing that tells it from others: its settings, written down.
std::string cell_key(const RunSettings& settings);

// Part `part` (from 1) of a plan cut into so many: cells first, first + 1, ... before the second number. All
// parts together are the plan, in its order; as many parts as cells make each a single cell.
std::pair<std::size_t, std::size_t> cells_of_part(std::size_t cells, std::size_t part, std::size_t parts);

}  // namespace locus
