// An ablation: a grid of every task with all settings, every scheme and every seed; and running its cells,
// several at a time, each on its own thread. A point of the grid is a cell: the settings of one run.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ablation/results.h"

namespace locus {

struct Grid {
  std::vector<std::string> tasks{};          // names of toy tasks
  std::vector<std::string> datasets{};       // paths of tables
  std::vector<std::string> schemes{};        // empty: the usual ones for the model
  int first_seed = 1, seeds = 3;             // first_seed, first_seed + 1, ...
  std::vector<RunSettings> settings = {{}};  // everything else, one after the other
  std::string control = "";                  // one of the schemes; "": none, or the first
  bool aa = false;  // the control also runs on as many further seeds, to show what differs by chance
};

std::vector<std::string> usual_schemes(ModelKind kind);

// The cells in the order in which they are reported. Builds every model once, so that a bad spec, a width
// that does not fit or a length past a table is an error before anything has run. Throws UsageError for these, and
// when two tasks share a name, a cell is asked for twice, the control is not among the schemes, or a model has
// other parameters than the scheme it is trained as.
std::vector<RunSettings> cells(const Grid& grid);

// The settings of a cell while it is trained: with the scheme of `trained_as`, if there is one, and before it is
// recalibrated. Cells that share these share their training.
RunSettings in_training(RunSettings cell);

// Part `part` (from 1) of a plan divided into `parts`: the cells from the first to before the second number.
// All parts together are the plan, in its order; as many parts as cells make each a single cell.
std::pair<std::size_t, std::size_t> cells_of_part(std::size_t cells, std::size_t part, std::size_t parts);

// Called while cells run, from any thread.
struct AblationEvents {
  std::function<void(const std::string& task, int length)> preparing = [](auto&&...) {};  // a test set
  std::function<void(const RunSettings& cell)> started = [](auto&&) {};
  std::function<void(double work)> worked = [](double) {};  // in the unit of work_of
  std::function<void(const RunSettings& cell, const Curve& so_far)> validated = [](auto&&...) {};
  std::function<void(const Result&)> finished = [](auto&&) {};
};

// The most floating-point operations that the training of all these cells can take; backward counts as two forwards.
// Cells that are trained alike are trained once (trained_alike.h).
double work_of(const std::vector<RunSettings>& cells);

// Runs every cell that has no result yet, those with the most work first, after making the test sets, which
// several cells share. Cells that are trained alike run one after the other, on one thread. With a folder to keep
// models in, every cell that has none there runs, and leaves its own in model_folder(keep_in, cell).
void run_cells(const std::vector<RunSettings>& plan, Results& results, int jobs, const AblationEvents& events,
               const std::string& keep_in = "");

// Whether there is nothing left to run for this cell.
bool cell_done(const RunSettings& cell, bool has_result, const std::string& keep_in);

}  // namespace locus
