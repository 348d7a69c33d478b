// What an ablation came to, as a table for the terminal and as JSON for a program.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// The table that ends an ablation: for each task what can be had without order and without the input, then a
// row per scheme, with its accuracy by length, how it compares with the control, and what it costs.

// Encoders are measured by token accuracy, decoders by exact match: the table says which. What does not fit
// the width is left out, learning curves first, then lengths between the shortest and the longest, then
// costs; never an accuracy at the trained or the longest length. `control` is the scheme that
// others are compared with; "": the usual one.
std::string summary_table(const Records& records, const std::string& control, std::size_t width, bool colour);

// A curve in a few characters: "▁▂▅█".

// A bar per value, from 0 (lowest) to 1.
std::string sparkline(std::span<const double> values);

// The mean accuracy of these curves at as many steps, evenly spaced up to `last_step`. Empty without curves.
std::vector<double> mean_accuracy(const std::vector<Curve>& curves, int last_step, std::size_t points);

// What an ablation came to, for a program to read: every seed, every mean and interval, every comparison.

// {"control", "rows": [...], "comparisons": [...]}; null stands for what is not known.
Json to_json(const Records& records, const std::string& control);

}  // namespace locus
