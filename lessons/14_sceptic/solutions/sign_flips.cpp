// The p value of paired differences in the sign-flip test.
#include <cmath>

#include "lessons/14_sceptic/contract.h"

namespace locus {

// exercise 14.6: sign_flip_p(), from blank: contract.h says what it must do
double sign_flip_p(const std::vector<double>& differences) {
  const std::size_t n = differences.size();
  double seen = 0;
  for (const double difference : differences) seen += difference;
  int as_far = 0;
  for (unsigned signs = 0; signs < 1u << n; ++signs) {  // bit i: the sign of difference i
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (signs >> i) % 2 == 1 ? -differences[i] : differences[i];
    if (std::abs(sum) > std::abs(seen) - 1e-12 * static_cast<double>(n)) ++as_far;
  }
  return as_far / static_cast<double>(1u << n);
}
// end

}  // namespace locus
