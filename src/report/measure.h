// Which of the numbers of a row are put beside each other: at a length the model was trained on, and at the
// longest one beyond.
#pragma once

#include <optional>

#include "ablation/summary.h"

namespace locus {

const char* measure_name(const Summary& row);  // "token accuracy" or "exact match"

// The longest length that was trained on and tested; of a table of examples, all lengths together.
std::optional<LengthSummary> in_distribution(const Summary& row);

// The longest length beyond those.
std::optional<LengthSummary> out_of_distribution(const Summary& row);

}  // namespace locus
