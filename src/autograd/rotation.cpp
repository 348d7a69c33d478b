// Turning pairs of channels: (a, b) -> (a cos - b sin, a sin + b cos). The way back is the turn back, by the
// same angle.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"

namespace locus {

namespace {

const Op op_rotate{"rotate"};

// One row of d channels. direction 1 turns, -1 turns back.
void turn_row(const Rotation& r, std::ptrdiff_t row, Real direction, const Real* x, int d, Real* y,
              bool accumulate) {
  const Real* __restrict cos = r.cos + row * r.pairs;
  const Real* __restrict sin = r.sin + row * r.pairs;
  const int step = r.interleaved ? 2 : 1, partner = r.interleaved ? 1 : r.pairs;
  for (int k = 0; k < r.pairs; ++k) {
    const Real a = x[k * step], b = x[k * step + partner], s = direction * sin[k];
    // exercise 10.2: the pair (a, b) turned by the angle of cosine cos[k] and sine s, as (first, second):
    // the complex number a + ib times cos[k] + is, written out in reals
    const Real first = a * cos[k] - b * s;
    const Real second = a * s + b * cos[k];
    // end
    y[k * step] = first + (accumulate ? y[k * step] : 0);
    y[k * step + partner] = second + (accumulate ? y[k * step + partner] : 0);
  }
  for (int c = 2 * r.pairs; c < d; ++c) y[c] = x[c] + (accumulate ? y[c] : 0);
}

}  // namespace

Tensor rotate(Tensor x, const Rotation& rotation) {
  const Shape& shape = x.shape();
  if (shape.rank() != 4) fail("rotate", text("x is ", shape, ", but must be (B,H,T,d)"));
  const int B = shape[0], H = shape[1], T = shape[2], d = shape[3];
  if (2 * rotation.pairs > d)
    fail("rotate", text(rotation.pairs, " pairs need ", 2 * rotation.pairs, " channels; x is ", shape));
  if (rotation.rows != T && rotation.rows != B * T)
    fail("rotate", text("the table has ", rotation.rows, " rows; x is ", shape, ", so it must have ", T,
                        " or ", B * T));
  const bool shared = rotation.rows == T;
  auto turn = [=](const Real* from, Real* to, Real direction, bool accumulate) {
    for (int b = 0; b < B; ++b)
      for (int h = 0; h < H; ++h)
        for (int t = 0; t < T; ++t) {
          const std::ptrdiff_t start = ((std::ptrdiff_t{b} * H + h) * T + t) * d;
          turn_row(rotation, shared ? t : std::ptrdiff_t{b} * T + t, direction, from + start, d, to + start,
                   accumulate);
        }
  };
  Tensor y = x.tape().result(shape, {x});
  turn(x.value(), y.value(), 1, false);
  x.tape().record(op_rotate, y, [=] {
    const auto [dx, accumulate] = x.add_gradient();
    // exercise 10.3: the gradient of x from that of y: what the transpose of the turn makes of it
    // (turn() above takes where from, where to, a direction, and whether to add or to write)
    turn(y.gradient(), dx, -1, accumulate);
    // end
  });
  return y;
}

}  // namespace locus
