// A test of recurrent layers. The check of chapter 4 judges it: it must pass layers that are right, and fail each
// broken one.
#include <algorithm>
#include <cmath>

#include "lessons/04_recurrent/contract.h"

namespace locus {

namespace {

bool differ(const std::vector<double>& a, const std::vector<double>& b) {
  bool differs = false;
  for (std::size_t c = 0; c < a.size(); ++c) differs = differs || !(std::abs(a[c] - b[c]) < 1e-5);
  return differs;
}

}  // namespace

bool carried_and_reset(const Layer& layer) {
  // exercise 4.5: true if the state is carried, and reset between examples, as contract.h explains
  constexpr std::size_t B = 3, T = 8;
  Examples batch(B, Rows(T, std::vector<double>(4)));
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t c = 0; c < 4; ++c)
        batch[b][t][c] = std::sin(1.0 + static_cast<double>(17 * b + 5 * t * t + 3 * c));
  const Examples states(layer(batch));

  for (std::size_t b = 0; b < B; ++b) {  // reset: each alone as beside the others
    const Examples alone = layer({batch[b]});
    for (std::size_t t = 0; t < T; ++t)
      if (differ(alone[0][t], states[b][t])) return false;
  }
  for (std::size_t changed = 0; changed < T; ++changed) {  // carried: a token counts from its position on
    Examples other = batch;
    other[0][changed][0] += 1;
    const Examples now = layer(other);
    for (std::size_t t = 0; t < T; ++t)
      if (differ(now[0][t], states[0][t]) != (t >= changed)) return false;
  }
  return true;
  // end
}

}  // namespace locus
