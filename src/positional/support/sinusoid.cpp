#include "positional/support/sinusoid.h"

#include <cmath>

#include "base/error.h"
#include "base/size.h"

namespace locus {

std::vector<double> inverse_frequencies(int width, double base) {
  std::vector<double> w;
  // exercise 6.1: the speed of each clock in radians per position, from clock 0 on; D is `width`, and may be odd
  for (int i = 0; 2 * i < width; ++i) w.push_back(std::pow(base, -2.0 * i / width));
  // end
  return w;
}

std::vector<double> sinusoid(double position, int width, double base) {
  const std::vector<double> w = inverse_frequencies(width, base);
  std::vector<double> code;
  // exercise 6.2: the code of `position`: D numbers, clock by clock
  for (int c = 0; c < width; ++c) {
    const double angle = position * w[as_size(c / 2)];
    code.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
  // end
  return code;
}

std::vector<double> shift_matrix(double k, int width, double base) {
  if (width % 2 != 0)
    fail("shift_matrix", str("width ", width, ": the last sine has no cosine to turn with"), "an even width");
  const std::vector<double> w = inverse_frequencies(width, base);
  const auto D = as_size(width);
  std::vector<double> M(D * D);
  // exercise 6.3: the matrix M_k, which shifts the code of every position p by k: M_k PE[p] = PE[p + k].
  // Its number in row r and column c is M[r * D + c]; all are 0 at first
  for (std::size_t c = 0; c < D; c += 2) {
    const double angle = k * w[c / 2];
    M[c * D + c] = M[(c + 1) * D + c + 1] = std::cos(angle);
    M[c * D + c + 1] = std::sin(angle);
    M[(c + 1) * D + c] = -std::sin(angle);
  }
  // end
  return M;
}

}  // namespace locus
