// A curve in a few characters: "▁▂▅█".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// A bar per value, from 0 (lowest) to 1.
std::string sparkline(std::span<const double> values);

// The accuracy of these curves, averaged, at so many steps evenly up to `last_step`. A run that has ended
// keeps its last accuracy. Empty without curves.
std::vector<double> mean_accuracy(const std::vector<const Curve*>& curves, int last_step, std::size_t points);

}  // namespace locus
