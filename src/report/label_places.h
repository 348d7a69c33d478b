// Where labels go that want to stand beside their lines but must not touch each other.
#pragma once

#include <vector>

namespace locus {

// Places as near as possible to the wishes (sorted upwards), in their order, at least `gap` apart, within
// low..high. When there is not enough room they go on past `high`.
std::vector<double> spread_apart(const std::vector<double>& wishes, double gap, double low, double high);

}  // namespace locus
