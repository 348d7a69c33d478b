// What an ablation came to, for a program to read: every seed, every mean and interval, every comparison.
#pragma once

#include "ablation/results.h"
#include "report/summary_table.h"

namespace locus {

// {"control", "rows": [...], "comparisons": [...]}; null stands for what is not known.
Json to_json(const SummaryTable& table);

}  // namespace locus
