// What chapter 14 asks for that src/ does not have: one function from blank, and one test.
#pragma once

#include <functional>
#include <vector>

#include "ablation/statistics.h"

namespace locus {

// Step 14.6, sign_flips.cpp: the p value of the sign-flip test, without any assumption about the distribution.
// `differences` are n paired differences, one for each seed, 1 <= n <= 20. If two schemes are equal, each difference
// could as well have had the other sign. So give the n differences all 2^n lists of signs, that of the measured
// differences among them. The p value is the share of lists that bring the mean at least as far from 0 as the measured
// one. Means that differ by less than 1e-12 are equally far.
double sign_flip_p(const std::vector<double>& differences);

// Step 14.7, covers.cpp: a test of coverage. `interval_of` makes a 95 % interval of the values of one study. A study
// has `seeds` values; draw() gives another value at each call, from a distribution whose true mean is `truth`. Returns
// true if the interval holds `truth` in 94 to 96 % of all studies. (The check's intervals have a coverage from 94.7 to
// 95.3 %, or at most 93.8 %, or at least 96.2 %.) draw() may be called five million times.
using IntervalOf = std::function<Interval(const std::vector<double>& values)>;
using Draw = std::function<double()>;
bool covers(const IntervalOf& interval_of, const Draw& draw, double truth, int seeds);

}  // namespace locus
