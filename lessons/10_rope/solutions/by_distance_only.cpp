// A test that the score depends on the distance only. The check of chapter 10 judges it: it must return true for scores
// that do, and false for all others.
#include <cmath>

#include "lessons/10_rope/contract.h"

namespace locus {

bool by_distance_only(const Score& score) {
  // exercise 10.8: true if the score of every query and key depends on p - q only; contract.h says which positions there are
  for (int draw = 1; draw <= 3; ++draw) {
    Vector q(8), k(8);
    for (std::size_t c = 0; c < 8; ++c) {
      q[c] = std::sin(draw + 2.3 * static_cast<double>(c));
      k[c] = std::cos(3 * draw + 1.7 * static_cast<double>(c));
    }
    for (const double distance : {0.0, 1.0, 2.5, 30.0, -1.0, -30.0})
      for (double far = 0.5; far < 1900; far += 17.5) {
        const double n = distance < 0 ? -distance : 0;
        if (!(std::abs(score(q, k, n + distance, n) - score(q, k, n + distance + far, n + far)) < 1e-6))
          return false;
      }
  }
  return true;
  // end
}

}  // namespace locus
