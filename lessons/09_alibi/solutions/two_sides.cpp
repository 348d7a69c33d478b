// A bias by which a model can tell left from right.
#include <cmath>

#include "lessons/09_alibi/contract.h"

namespace locus {

// exercise 9.7: two_sided_bias(), from blank: contract.h says what it must do
double two_sided_bias(int head, int, double m, double query, double key) {
  const bool prefers_left = head % 2 == 0, on_left = key < query;
  return -m * std::abs(query - key) - (key == query || on_left == prefers_left ? 0 : 2);
}
// end

}  // namespace locus
