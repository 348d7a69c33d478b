// Which of the numbers of a row count: token accuracy, or whole answers where they are generated; at a length
// the model was trained on, and at the longest one beyond.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/summary.h"

namespace locus {

const char* measure_name(const Summary& row);  // "token accuracy" or "exact match"
const std::vector<double>& accuracy(const Summary& row, const LengthSummary& at);  // one per seed

// The longest length that was trained on and tested; of a table, all its sentences together (as length 0).
std::optional<LengthSummary> in_distribution(const Summary& row);

// The longest length beyond those.
std::optional<LengthSummary> out_of_distribution(const Summary& row);

// How a row is called: its scheme.
std::string row_name(const Summary& row);

}  // namespace locus
