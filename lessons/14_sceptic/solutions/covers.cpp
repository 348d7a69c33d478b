// A test of an interval, which the check of chapter 14 judges: it must pass intervals that hold the truth in 95 % of
// all studies, and fail intervals that hold it in fewer or in more.
#include <cmath>

#include "lessons/14_sceptic/contract.h"

namespace locus {

bool covers(const IntervalOf& interval_of, const Draw& draw, double truth, int seeds) {
  // exercise 14.7: true if the interval of `seeds` drawn values holds `truth` in 94 to 96 % of all studies
  constexpr int studies = 100'000;  // so the share is known to 0.0007, one standard error
  int held = 0;
  for (int study = 0; study < studies; ++study) {
    std::vector<double> values;
    for (int seed = 0; seed < seeds; ++seed) values.push_back(draw());
    const Interval interval = interval_of(values);
    if (interval.low <= truth && truth <= interval.high) ++held;
  }
  return std::abs(held / static_cast<double>(studies) - 0.95) <= 0.01;
  // end
}

}  // namespace locus
