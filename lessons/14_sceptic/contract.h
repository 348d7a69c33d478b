// What chapter 14 asks for that src/ does not have: one function from blank, and one test.
#pragma once

#include <functional>
#include <vector>

#include "ablation/statistics.h"

namespace locus {

// Step 14.6, sign_flips.cpp: a p value without any assumption about the shape of the noise. `differences` are n paired
// differences, one for each seed, 1 <= n <= 20. If two schemes are equal, each difference could as well have had the
// other sign. So give each of the n differences both signs, which makes 2^n lists, and count those whose mean is at least
// as far from 0 as that of the differences as they are (the list itself counts, and so does its mirror image). The p value
// is their share of all 2^n lists. Means that differ by less than 1e-12 are equally far.
double sign_flip_p(const std::vector<double>& differences);

// Step 14.7, covers.cpp: a test. `interval_of` makes an interval of a few values, and says that in 95 % of all studies it
// holds the mean that infinitely many values would have. True if that is so for `seeds` values drawn by `draw`, whose
// true mean is `truth`: the interval holds the truth in 94 to 96 % of all studies. (The candidates hold it in 94.7 to 95.3 %
// or are wrong by 1.2 percentage points or more.) draw() gives another value at each call, and may be called five million
// times.
using IntervalOf = std::function<Interval(const std::vector<double>& values)>;
using Draw = std::function<double()>;
bool covers(const IntervalOf& interval_of, const Draw& draw, double truth, int seeds);

}  // namespace locus
