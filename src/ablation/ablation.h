// Runs the cells of a plan, several at a time, each on a thread of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// What the caller hears while cells run, from any thread.
struct AblationEvents {
  std::function<void(const std::string& task, int length)> preparing = [](auto&&...) {};  // its tests
  std::function<void(const RunSettings& cell)> started = [](auto&&) {};
  std::function<void(double work)> worked = [](double) {};  // in the unit of cell_work
  std::function<void(const RunSettings& cell, const Curve& so_far)> probed = [](auto&&...) {};
  std::function<void(const RunSettings& cell, const Json& result)> finished = [](auto&&...) {};
  // True: end soon, without finishing what is running.
  std::function<bool()> stop = [] { return false; };
};

// How long a cell takes at most, in floating-point operations of its training steps; backward counts as two
// forwards.
double cell_work(const RunSettings& cell);

// Runs every cell that has no result yet, those with the most work first; before them, what several cells
// share in their tests is made. Returns false when stopped early.
bool run_cells(const std::vector<RunSettings>& plan, Results& results, int jobs,
               const AblationEvents& events);

}  // namespace locus
