// Ops that bring rows to a common scale: softmax to probabilities, layer norm to mean 0 and variance 1.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {
const Op op_softmax{"softmax"}, op_layer_norm{"layer_norm"};
}

Tensor softmax(Tensor x, Mask mask) {
  const int columns = x.shape().last(), rows = x.shape().rows();
  if (mask == Mask::causal && (x.shape().rank() < 2 || x.shape().from_last(1) != columns))
    fail("softmax", text("a causal mask needs as many queries as keys, but x is ", x.shape()));
  auto visible = [=](int row) { return mask == Mask::causal ? row % columns + 1 : columns; };
  auto start = [=](int row) { return static_cast<std::ptrdiff_t>(row) * columns; };
  auto readable = [=, count = x.count()](int row) { return count - static_cast<std::size_t>(start(row)); };

  Tensor y = x.tape().result(x.shape(), {x});
  for (int row = 0; row < rows; ++row) {
    Real* weights = y.value() + start(row);
    softmax(x.value() + start(row), visible(row), weights, readable(row));
    std::fill(weights + visible(row), weights + columns, Real{0});
  }
  x.tape().record(op_softmax, y, [=] {
    const auto [dx, accumulate] = x.add_gradient();
    for (int row = 0; row < rows; ++row) {
      const std::ptrdiff_t s = start(row);
      softmax_backward(y.value() + s, y.gradient() + s, visible(row), dx + s, accumulate, readable(row));
      if (!accumulate) std::fill(dx + s + visible(row), dx + s + columns, Real{0});
    }
  });
  return y;
}

Tensor layer_norm(Tensor x, Tensor gain, Tensor bias) {
  const int D = x.shape().last(), rows = x.shape().rows();
  if (gain.shape() != Shape{D} || bias.shape() != Shape{D})
    fail("layer_norm", text("x is ", x.shape(), ", gain is ", gain.shape(), ", bias is ", bias.shape(),
                            "; gain and bias must be (", D, ")"));
  auto start = [=](int row) { return static_cast<std::ptrdiff_t>(row) * D; };

  Tensor y = x.tape().result(x.shape(), {x, gain, bias});
  auto* moments = x.tape().arena().allocate<RowMoments>(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row)
    moments[row] = normalise(x.value() + start(row), D, gain.value(), bias.value(), y.value() + start(row));
  x.tape().record(op_layer_norm, y, [=] {
    // The three gradients share one pass; those nobody wants go to memory nobody reads.
    auto scratch = [&](std::size_t count) {
      Real* memory = x.tape().arena().allocate<Real>(count);
      std::fill_n(memory, count, Real{0});
      return Tensor::Share{memory, false};
    };
    auto share = [&](Tensor t) { return t.needs_gradient() ? t.add_gradient() : scratch(t.count()); };
    const auto [dx, accumulate] = share(x);
    const auto [dgain, gain_started] = share(gain);
    const auto [dbias, bias_started] = share(bias);
    if (!gain_started) std::fill_n(dgain, D, Real{0});
    if (!bias_started) std::fill_n(dbias, D, Real{0});
    for (int row = 0; row < rows; ++row) {
      const std::ptrdiff_t s = start(row);
      normalise_backward(x.value() + s, moments[row], D, gain.value(), y.gradient() + s, dx + s, accumulate,
                         dgain, dbias);
    }
  });
  return y;
}

}  // namespace locus
