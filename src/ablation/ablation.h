// Runs the cells of a plan, several at a time, each on its own thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// Called while cells run, from any thread.
struct AblationEvents {
  std::function<void(const std::string& task, int length)> preparing = [](auto&&...) {};  // a test set
  std::function<void(const RunSettings& cell)> started = [](auto&&) {};
  std::function<void(double work)> worked = [](double) {};  // in the unit of cell_work
  std::function<void(const RunSettings& cell, const Curve& so_far)> probed = [](auto&&...) {};
  std::function<void(const Result&)> finished = [](auto&&) {};
  // True: end soon, without finishing the cells that are running.
  std::function<bool()> stop = [] { return false; };
};

// The most floating-point operations that a cell's training can take; backward counts as two forwards.
double cell_work(const RunSettings& cell);

// Runs every cell that has no result yet, those with the most work first, after making the test sets, which
// several cells share. Returns false when stopped early.
bool run_cells(const std::vector<RunSettings>& plan, Results& results, int jobs,
               const AblationEvents& events);

}  // namespace locus
