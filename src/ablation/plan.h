// The grid of an ablation: every task with every scheme and every seed. One point of it is a cell.
#pragma once

#include <string>
#include <vector>

#include "train/run.h"

namespace locus {

struct Grid {
  std::vector<std::string> tasks;  // names, and paths of tables
  std::vector<std::string> schemes;
  int seeds = 3;       // 1, 2, ...
  RunSettings common;  // everything else
};

// The cells in the order in which they are reported. Builds every model once, so that a bad spec, a width
// that does not fit, a length past a table or a size past the memory is an error before anything has run.
// Throws UsageError for these (Error for the memory), and when two tasks share a name or a cell is asked for
// twice.
std::vector<RunSettings> cells(const Grid& grid);

// A cell by the only thing that tells it from others: its settings, written down.
std::string cell_key(const RunSettings& settings);

}  // namespace locus
