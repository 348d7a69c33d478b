#include "positional/support/alibi_slope.h"

#include <cmath>

#include "base/error.h"

namespace locus {

double slope_of_power_of_two(int head, int heads) {
  // exercise 9.1: the slope of head `head`, counted from 0, when `heads` is a power of two
  fail("exercise 9.1", "still to be written");
  // end
}

double alibi_slope(int head, int heads) {
  int lower = 1;
  // exercise 9.2: the slope of head `head`, counted from 0, for any number of heads; `lower` is P in the text
  fail("exercise 9.2", "still to be written");
  // end
}

}  // namespace locus
