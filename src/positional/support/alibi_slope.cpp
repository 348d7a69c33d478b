#include "positional/support/alibi_slope.h"

#include <cmath>

namespace locus {

double slope_of_power_of_two(int head, int heads) {
  // exercise 9.1: the slope of head `head`, counted from 0, when `heads` is a power of two
  return std::exp2(-8.0 * (head + 1) / heads);
  // end
}

double alibi_slope(int head, int heads) {
  int lower = 1;
  // exercise 9.2: the slope of head `head`, counted from 0, for any number of heads; `lower` is P in the text
  while (2 * lower <= heads) lower *= 2;
  if (head < lower) return slope_of_power_of_two(head, lower);
  return slope_of_power_of_two(2 * (head - lower), 2 * lower);
  // end
}

}  // namespace locus
