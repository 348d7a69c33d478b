// A test of an interval. The check of chapter 14 judges it: it must pass what holds the truth in 95 % of all studies, and
// fail what holds it more rarely or more often.
#include <cmath>

#include "base/error.h"
#include "lessons/14_sceptic/contract.h"

namespace locus {

bool covers(const IntervalOf& interval_of, const Draw& draw, double truth, int seeds) {
  // exercise 14.7: true if the interval of `seeds` drawn values holds `truth` in 94 to 96 % of all studies
  int held{};
  fail("exercise 14.7", "still to be written");
  // end
}

}  // namespace locus
