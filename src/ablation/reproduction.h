// From the cells of an ablation back to the commands that train them: the inverse of cells() (ablation.h).
#pragma once

#include <string>
#include <vector>

#include "train/result.h"

namespace locus {

// The commands that reproduce these results. One `locus ablate` for each part of them that is a whole grid:
// some tasks, schemes and the seeds 1 to N, with equal settings. One `locus train` for each other cell.
// Settings are named where the command would not choose the same value by default.
std::vector<std::string> reproduction_commands(const std::vector<Result>& results);

}  // namespace locus
