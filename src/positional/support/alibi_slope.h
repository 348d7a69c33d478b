// The slopes of ALiBi (Press, Smith and Lewis 2022), for the schemes that are built on it.
#pragma once

namespace locus {

// Of head 0 .. heads - 1, when `heads` is a power of two: they fall from 2^(-8/H) to 2^-8 geometrically.
double slope_of_power_of_two(int head, int heads);

// Of any number of heads: for H not a power of two, those of the next lower power of two are followed by every second
// one of the next higher.
double alibi_slope(int head, int heads);

}  // namespace locus
