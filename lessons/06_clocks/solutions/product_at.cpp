// The dot product of two codes by their distance.
#include <cmath>

#include "lessons/06_clocks/contract.h"

namespace locus {

// exercise 6.5: product_at(), from blank: contract.h says what it must do
double product_at(double k, int width, double base) {
  double sum = 0;  // of sin(a) sin(b) + cos(a) cos(b) = cos(a - b) over the clocks
  for (int i = 0; 2 * i < width; ++i) sum += std::cos(k * std::pow(base, -2.0 * i / width));
  return sum;
}
// end

}  // namespace locus
