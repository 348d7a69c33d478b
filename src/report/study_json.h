// What an ablation came to, for a program to read: every seed, every mean and interval, every comparison.
#pragma once

#include "ablation/results.h"

namespace locus {

// {"control", "rows": [...], "comparisons": [...]}; null stands for what is not known.
Json to_json(const Records& records, const std::string& control);

}  // namespace locus
