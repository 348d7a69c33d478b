// Accuracy against length, a panel per task: the picture of an ablation.
#pragma once

#include <string>
#include <vector>

#include "ablation/summary.h"
#include "report/svg.h"

namespace locus {

// Tasks with two or more test lengths only; throws Error when there is none. Lines are means over seeds, dots
// the seeds.
Figure accuracy_figure(const std::vector<Summary>& summaries);

// Its panels alone, for a page that has a key of its own: each scheme has the colour of its place in
// `schemes`. None when there is no such task.
std::vector<Figure> accuracy_panels(const std::vector<const Summary*>& rows,
                                    const std::vector<std::string>& schemes);

}  // namespace locus
