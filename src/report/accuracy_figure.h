// Accuracy against length, a panel per task: the picture of an ablation.
#pragma once

#include <vector>

#include "ablation/summary.h"
#include "report/svg.h"

namespace locus {

// Tasks with two or more test lengths only; throws Error when there is none. Spread is the standard deviation
// over seeds.
Figure accuracy_figure(const std::vector<Summary>& summaries);

}  // namespace locus
