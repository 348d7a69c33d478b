// A test of the matrix M_k. The check of chapter 6 judges it: it must pass matrices that move every code, and fail each
// that moves some only.
#include <cmath>

#include "lessons/06_clocks/contract.h"

namespace locus {

bool leads_on(const Codes& code, const Move& move, double k) {
  // exercise 6.6: true if M PE[p] = PE[p + k] for every position p; contract.h says which there are
  for (double p = 0; p <= 1000; p += 0.5) {
    const std::vector<double> moved = move(code(p)), right = code(p + k);
    for (std::size_t c = 0; c < right.size(); ++c)
      if (!(std::abs(moved[c] - right[c]) < 1e-9)) return false;
  }
  return true;
  // end
}

}  // namespace locus
