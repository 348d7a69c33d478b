// A test of cached keys. The check of chapter 11 judges it: it must pass schemes whose keys can be cached, and fail all
// others.
#include <cmath>

#include "lessons/11_longer/contract.h"

namespace locus {

bool can_be_cached(const Turned& turned) {
  // exercise 11.10: true if every key that was computed when its token was the last one can be used in every longer
  // input
  Vector key(8);
  for (std::size_t c = 0; c < 8; ++c) key[c] = std::sin(1 + 2.3 * static_cast<double>(c));
  for (int position = 0; position < 512; ++position) {
    const Vector cached = turned(key, position, position + 1);
    for (int tokens = position + 2; tokens <= 512; ++tokens) {
      const Vector anew = turned(key, position, tokens);
      for (std::size_t c = 0; c < 8; ++c)
        if (!(std::abs(anew[c] - cached[c]) < 1e-9)) return false;
    }
  }
  return true;
  // end
}

}  // namespace locus
