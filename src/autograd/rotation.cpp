// Turns pairs of channels: the pair (a, b), read as a + ib, is multiplied by cos + i sin. In reals this is a 2x2 matrix
// for each pair, and backward multiplies the gradient by its transpose.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"

namespace locus {

namespace {

const Op op_rotate{"rotate"};

struct Pair {
  Real first, second;
};

Pair turned(Real a, Real b, Real cos, Real sin) {
  // exercise 10.2: the pair (a, b), turned by the angle that has this cosine and sine
  return {a * cos - b * sin, a * sin + b * cos};
  // end
}

// Turns one row of d channels, of which the first 2n are n pairs, and adds the result to y. direction 1
// turns, -1 turns back.
void turn_row(const Real* cos, const Real* sin, int n, PairLayout layout, Real direction, const Real* x,
              int d, Real* y) {
  const int step = layout == PairLayout::interleaved ? 2 : 1,
            partner = layout == PairLayout::interleaved ? 1 : n;
  for (int k = 0; k < n; ++k) {
    const Pair pair = turned(x[k * step], x[k * step + partner], cos[k], direction * sin[k]);
    y[k * step] += pair.first;
    y[k * step + partner] += pair.second;
  }
  for (int c = 2 * n; c < d; ++c) y[c] += x[c];
}

}  // namespace

Tensor rotate(Tensor x, Tensor cos, Tensor sin, PairLayout layout) {
  const Shape& shape = x.shape();
  if (shape.rank() != 4) fail("rotate", str("x is ", shape, ", but must be (B,H,T,d)"));
  const int B = shape[0], H = shape[1], T = shape[2], d = shape[3], n = cos.shape().last();
  if (2 * n > d) fail("rotate", str(n, " pairs need ", 2 * n, " channels; x is ", shape));
  if (cos.needs_gradient() || sin.needs_gradient())
    fail("rotate", "cos and sin get no gradient: they must be constants");
  const bool shared = cos.shape() == Shape{T, n};  // one table for all examples
  if (sin.shape() != cos.shape() || (!shared && cos.shape() != Shape{B, T, n}))
    fail("rotate", str("cos is ", cos.shape(), ", sin is ", sin.shape(), "; x is ", shape,
                       ", so both must be (", T, ",", n, ") or (", B, ",", T, ",", n, ")"));
  auto turn = [=](const Real* from, Real* to, Real direction) {
    for (int b = 0; b < B; ++b)
      for (int h = 0; h < H; ++h)
        for (int t = 0; t < T; ++t) {
          const std::ptrdiff_t start = ((std::ptrdiff_t{b} * H + h) * T + t) * d;
          const std::ptrdiff_t angles = (std::ptrdiff_t{shared ? 0 : b} * T + t) * n;
          turn_row(cos.value() + angles, sin.value() + angles, n, layout, direction, from + start, d,
                   to + start);
        }
  };
  Tensor y = x.tape().result(shape, {x});
  std::fill_n(y.value(), y.count(), Real{0});
  turn(x.value(), y.value(), 1);
  x.tape().record(op_rotate, y, [=] {
    // exercise 10.3: accumulate the gradient of x from the gradient of y
    // (x.gradient(), y.gradient(); turn(from, to, direction) adds the turned rows of `from` to those of `to`)
    turn(y.gradient(), x.gradient(), -1);
    // end
  });
  return y;
}

}  // namespace locus
