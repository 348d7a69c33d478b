// The results of an ablation as a table for the terminal and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/study.h"

namespace locus {

// The sentences of the page: what was found, a paragraph each.
std::string findings_text(const Study& study, std::size_t width);

// The table that ends an ablation. For each task: the accuracy that can be reached without order and
// without the input, then a row per scheme with its accuracy by length, its comparison with the control,
// and its costs. The accuracy of encoders is token accuracy, that of decoders exact match. To fit the
// width, learning curves and costs are left out first, then lengths between the longest trained and the longest.
std::string summary_table(const Study& study, std::size_t width, bool colour);

// The mean accuracy of the curves in a few characters, "▁▂▅█": bars from 0 (lowest) to 1, at evenly spaced steps up to
// `last_step`. Empty without curves.
std::string sparkline(const std::vector<Curve>& curves, int last_step);

// The results of an ablation for a program to read, with every seed, mean, interval and comparison:
// {"control", "rows": [...], "comparisons": [...]}. What is not known is null.
Json to_json(const Study& study);

}  // namespace locus
