// A test of shift invariance. The check of chapter 8 judges it: it must pass scores that do not change when the same
// number is added to all positions, and fail all others.
#include <cmath>

#include "lessons/08_relative/contract.h"

namespace locus {

bool shift_invariant(const Scores& scores) {
  // exercise 8.8: true if adding a number to all positions changes no score; contract.h says which positions there are
  for (const std::size_t length : {1u, 2u, 12u, 64u})
    for (const int gap : {1, 5, 11}) {
      Vector positions;
      for (std::size_t t = 0; t < length; ++t) positions.push_back(static_cast<double>(t) * gap);
      const Rows before = scores(positions);
      for (const int shift : {1, 2, 3, 50, 301, 1000, 4200}) {
        Vector moved = positions;
        for (double& position : moved) position += shift;
        const Rows after = scores(moved);
        for (std::size_t i = 0; i < length; ++i)
          for (std::size_t j = 0; j < length; ++j)
            if (!(std::abs(after[i][j] - before[i][j]) < 1e-6)) return false;
      }
    }
  return true;
  // end
}

}  // namespace locus
