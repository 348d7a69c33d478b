// Ops that bring rows to a common scale: softmax to probabilities, layer norm to mean 0 and variance 1, unit
// length.
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/size.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {
const Op op_softmax{"softmax"}, op_layer_norm{"layer_norm"}, op_unit_length{"unit_length"};
}

Tensor softmax(Tensor x, Mask mask) {
  const int columns = x.shape().last(), rows = x.shape().rows();
  const bool causal = mask == Mask::causal;
  if (causal && (x.shape().rank() < 2 || x.shape().from_last(1) != columns))
    fail("softmax", str("a causal mask needs as many queries as keys, but x is ", x.shape()));
  Tensor y = x.tape().result(x.shape(), {x});
  softmax(x.value(), rows, columns, causal, y.value());
  x.tape().record(op_softmax, y, [=] {
    // exercise 2.5: add to the gradient of x what each row of y and of its gradient contribute, in plain loops
    const auto [dx, accumulate] = x.contribution();
    softmax_backward(y.value(), y.gradient(), rows, columns, causal, dx, accumulate);
    // end
  });
  return y;
}

Tensor layer_norm(Tensor x, Tensor gain, Tensor bias) {
  const int D = x.shape().last(), rows = x.shape().rows();
  if (gain.shape() != Shape{D} || bias.shape() != Shape{D})
    fail("layer_norm", str("x is ", x.shape(), ", gain is ", gain.shape(), ", bias is ", bias.shape(),
                           "; gain and bias must be (", D, ")"));
  Tensor y = x.tape().result(x.shape(), {x, gain, bias});
  auto* moments = x.tape().arena().allocate<RowMoments>(as_size(rows));
  normalise(x.value(), rows, D, gain.value(), bias.value(), y.value(), moments);
  x.tape().record(op_layer_norm, y, [=] {
    normalise_backward(x.value(), moments, rows, D, gain.value(), y.gradient(), x.gradient(), gain.gradient(),
                       bias.gradient());
  });
  return y;
}

// y = x / |x|. A change of x along y changes no length, so dx is the part of dy at right angles to y, divided
// by |x|.
Tensor unit_length(Tensor x) {
  const int D = x.shape().last(), rows = x.shape().rows();
  const auto width = as_size(D);
  constexpr auto epsilon =
      static_cast<Real>(1e-12);  // added to the squared length: a row of zeros stays zero
  Tensor y = x.tape().result(x.shape(), {x});
  Real* inverse_length = x.tape().arena().allocate<Real>(as_size(rows));
  for (int row = 0; row < rows; ++row) {
    const Real* from = x.value() + std::ptrdiff_t{row} * D;
    Real* to = y.value() + std::ptrdiff_t{row} * D;
    inverse_length[row] = 1 / std::sqrt(sum_of_squares(from, width) + epsilon);
    for (int c = 0; c < D; ++c) to[c] = inverse_length[row] * from[c];
  }
  x.tape().record(op_unit_length, y, [=] {
    for (int row = 0; row < rows; ++row) {
      const std::ptrdiff_t start = std::ptrdiff_t{row} * D;
      const Real *unit = y.value() + start, *dy = y.gradient() + start;
      Real* dx = x.gradient() + start;
      const Real along = dot(unit, dy, width);
      for (int c = 0; c < D; ++c) dx[c] += inverse_length[row] * (dy[c] - along * unit[c]);
    }
  });
  return y;
}

}  // namespace locus
