#include "positional/support/sinusoid.h"

#include <cmath>

#include "base/error.h"
#include "base/size.h"

namespace locus {

std::vector<double> inverse_frequencies(int width, double base) {
  std::vector<double> w;
  // exercise 6.1: the speed of each clock in radians per position, from clock 0 on; D is `width`, and may be odd
  fail("exercise 6.1", "still to be written");
  // end
  return w;
}

std::vector<double> sinusoid(double position, int width, double base) {
  const std::vector<double> w = inverse_frequencies(width, base);
  std::vector<double> code;
  // exercise 6.2: the code of `position`: D numbers, clock by clock
  fail("exercise 6.2", "still to be written");
  // end
  return code;
}

std::vector<double> shift_matrix(double k, int width, double base) {
  if (width % 2 != 0)
    fail("shift_matrix", text("width ", width, ": the last sine has no cosine to turn with"),
         "an even width");
  const std::vector<double> w = inverse_frequencies(width, base);
  const auto D = as_size(width);
  std::vector<double> M(D * D);
  // exercise 6.3: the matrix M_k, which shifts the code of every position p by k: M_k PE[p] = PE[p + k].
  // Its number in row r and column c is M[r * D + c]; all are 0 at first
  fail("exercise 6.3", "still to be written");
  // end
  return M;
}

}  // namespace locus
