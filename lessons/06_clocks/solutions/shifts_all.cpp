// A test of the matrix M_k. The check of chapter 6 judges it: it must pass each matrix that shifts all codes by k, and
// fail each other.
#include <cmath>

#include "lessons/06_clocks/contract.h"

namespace locus {

bool shifts_all(const Codes& code, const Multiply& multiply, double k) {
  // exercise 6.6: does M shift the code of every position by k? contract.h says what is true of `code` and `multiply`
  for (double p = 0; p <= 1000; p += 0.5) {
    const std::vector<double> shifted = multiply(code(p)), right = code(p + k);
    for (std::size_t c = 0; c < right.size(); ++c)
      if (!(std::abs(shifted[c] - right[c]) < 1e-9)) return false;
  }
  return true;
  // end
}

}  // namespace locus
