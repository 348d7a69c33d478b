#include "positional/support/alibi_slope.h"

#include <cmath>

namespace locus {

double alibi_slope(int head, int heads) {
  int lower = 1;
  while (2 * lower <= heads) lower *= 2;
  if (head < lower) return std::exp2(-8.0 * (head + 1) / lower);
  return std::exp2(-8.0 * (2 * (head - lower) + 1) / (2 * lower));
}

}  // namespace locus
