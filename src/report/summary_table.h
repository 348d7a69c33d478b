// The table that ends an ablation: for each task what can be had without order and without the input, then a
// row per scheme, with its accuracy by length, how it compares with the control, and what it costs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// Encoders are measured by token accuracy, decoders by exact match: the table says which. What does not fit
// the width is left out, learning curves first, then lengths between the shortest and the longest, then
// costs; never an accuracy at the trained or the longest length. `control` is the scheme that
// others are compared with; "": the usual one.
std::string summary_table(const Records& records, const std::string& control, std::size_t width, bool colour);

}  // namespace locus
