#include "positional/support/bias_scheme.h"

#include "autograd/ops.h"

namespace locus {

Tensor BiasScheme::scores(Tensor scores, const AttentionInputs& inputs) const {
  const Positions& p = inputs.positions;
  const auto table = table_(p, [&] {
    Reals biases;
    for (int row = 0; row < p.rows; ++row)
      for (int h = 0; h < heads_; ++h)
        for (int i = 0; i < p.length; ++i)
          for (int j = 0; j < p.length; ++j)
            biases.push_back(static_cast<Real>(*bias(h, p(row, i), p(row, j))));
    return biases;
  });
  const Shape shape =
      p.rows == 1 ? Shape{heads_, p.length, p.length} : Shape{p.rows, heads_, p.length, p.length};
  return scores + scores.tape().constant(shape, table->data());
}

}  // namespace locus
