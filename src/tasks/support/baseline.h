// What can be had without reading the input at all.
#pragma once

#include <vector>

#include "tasks/task.h"

namespace locus {

// The token accuracy, on `test`, of giving at each place the most frequent target token that `train` has
// there. In generation tasks the targets differ in length; each of their tokens counts once.
double no_input_baseline(const std::vector<Example>& train, const std::vector<Example>& test);

}  // namespace locus
