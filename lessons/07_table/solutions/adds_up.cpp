// A test of the backward of a lookup. The check of chapter 7 judges it: it must pass what is right, and fail each
// broken one.
#include <cmath>

#include "lessons/07_table/contract.h"

namespace locus {

bool adds_up(const Backward& backward) {
  // exercise 7.7: true if `backward` leaves the right gradient in every row; contract.h says how it is called
  for (const std::vector<int>& ids :
       std::vector<std::vector<int>>{{3}, {0, 4, 2, 1}, {2, 2}, {4, 0, 4, 1, 4, 0}, {1, 1, 1, 3}}) {
    constexpr std::size_t rows = 5, channels = 3;
    Rows dy(ids.size(), Vector(channels)), gradient(rows, Vector(channels));
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t c = 0; c < channels; ++c)
        dy[i][c] = std::sin(1.0 + static_cast<double>(7 * i * i + 3 * c));
    for (std::size_t v = 0; v < rows; ++v)
      for (std::size_t c = 0; c < channels; ++c) gradient[v][c] = std::cos(static_cast<double>(5 * v + c));
    Rows expected = gradient;
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t c = 0; c < channels; ++c) expected[static_cast<std::size_t>(ids[i])][c] += dy[i][c];
    backward(ids, dy, gradient);
    for (std::size_t v = 0; v < rows; ++v)
      for (std::size_t c = 0; c < channels; ++c)
        if (!(std::abs(gradient[v][c] - expected[v][c]) < 1e-5)) return false;
  }
  return true;
  // end
}

}  // namespace locus
