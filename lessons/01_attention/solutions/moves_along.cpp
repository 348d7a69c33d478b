// A test of permutation equivariance. The check of chapter 1 judges it: it must pass layers that are right, and fail
// each broken one.
#include <algorithm>
#include <cmath>

#include "lessons/01_attention/contract.h"

namespace locus {

bool moves_along(const Layer& layer) {
  // exercise 1.7: true if A(PX) = P A(X) for the permutations P that you try; contract.h says what `layer` takes
  for (const std::size_t T : {2u, 5u, 12u}) {
    Rows x(T, std::vector<double>(4));
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t c = 0; c < 4; ++c) x[t][c] = std::sin(1.0 + static_cast<double>(7 * t * t + 3 * c));
    const Rows y = layer(x);
    for (std::size_t moved = 0; moved < T; ++moved) {
      Rows turned = x, expected = y;  // all move on by one; then two change places
      std::rotate(turned.begin(), turned.begin() + 1, turned.end());
      std::rotate(expected.begin(), expected.begin() + 1, expected.end());
      std::swap(turned[0], turned[moved]);
      std::swap(expected[0], expected[moved]);
      const Rows got = layer(turned);
      for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < got[t].size(); ++c)
          if (!(std::abs(got[t][c] - expected[t][c]) < 1e-4)) return false;
    }
  }
  return true;
  // end
}

}  // namespace locus
