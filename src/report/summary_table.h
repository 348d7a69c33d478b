// The table that ends an ablation: for each task what can be had without order and without the input, then a
// row per scheme, with its accuracy by length, how it compares with the control, and what it costs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

struct SummaryTable {
  std::vector<Result> results;
  std::vector<CellCurve> curves{};
  std::vector<CellDuration> durations{};
  std::string control = "";  // the scheme that others are compared with; "": the usual one
};

// Encoders are measured by token accuracy, decoders by exact match: the table says which. What does not fit
// the width is left out, learning curves first, then lengths between the shortest and the longest, then
// costs; never an accuracy at the trained or the longest length.
std::string to_text(const SummaryTable& table, std::size_t width, bool colour);

}  // namespace locus
