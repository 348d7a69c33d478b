// The commands that make results again, found from the results themselves.
#pragma once

#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// One `locus ablate` for each part of the results that is a whole grid: some tasks, schemes and the seeds 1
// to N, everything else alike. One `locus train` for each cell that belongs to none. Lengths are named where
// they are not what the task would choose. Throws Error naming a line that lacks a setting.
std::vector<std::string> commands(const std::vector<Result>& results);

}  // namespace locus
