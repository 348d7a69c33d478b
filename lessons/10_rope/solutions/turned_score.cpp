// The score of rope by distance, with one turn.
#include <cmath>

#include "lessons/10_rope/contract.h"

namespace locus {

// exercise 10.7: turned_score(), from blank: contract.h says what it must do
double turned_score(const Vector& q, const Vector& k, double distance, double base) {
  double sum = 0;
  for (std::size_t c = 0; c + 1 < q.size(); c += 2) {
    const double angle = distance * std::pow(base, -static_cast<double>(c) / static_cast<double>(q.size()));
    const double a = q[c] * std::cos(angle) - q[c + 1] * std::sin(angle);
    const double b = q[c] * std::sin(angle) + q[c + 1] * std::cos(angle);
    sum += a * k[c] + b * k[c + 1];
  }
  return sum;
}
// end

}  // namespace locus
