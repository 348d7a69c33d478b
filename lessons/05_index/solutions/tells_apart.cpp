// A test of uniqueness. The check of chapter 5 judges it: it must pass codes that tell all positions apart, and fail each
// that does not.
#include <cmath>

#include "lessons/05_index/contract.h"

namespace locus {

bool tells_apart(const PositionCode& code) {
  // exercise 5.9: true if no two positions of an input share a code, for every length from 1 to 40
  for (int length = 1; length <= 40; ++length)
    for (int p = 0; p < length; ++p)
      for (int q = 0; q < p; ++q) {
        const std::vector<double> a = code(p, length), b = code(q, length);
        bool equal = true;
        for (std::size_t i = 0; i < a.size(); ++i) equal = equal && std::abs(a[i] - b[i]) < 1e-9;
        if (equal) return false;
      }
  return true;
  // end
}

}  // namespace locus
