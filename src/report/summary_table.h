// The table that ends an ablation: a row per task and scheme, accuracy by length with its spread over seeds.
#pragma once

#include <string>
#include <vector>

#include "ablation/summary.h"

namespace locus {

// Encoders are measured by token accuracy, decoders by exact match: the table says which. Fits 110 columns
// for three test lengths.
std::string summary_table(const std::vector<Summary>& summaries, bool colour);

}  // namespace locus
