// What one run came to, as a table: shared by train and eval.
#pragma once

#include <string>
#include <vector>

#include "train/run.h"

namespace locus {

std::string score_table(const std::vector<LengthScore>& scores);

}  // namespace locus
