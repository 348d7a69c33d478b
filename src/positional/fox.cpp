// The forgetting transformer (Lin et al. 2025, "FoX"): each head forgets at every token by a share of its own
// choice.
//   f_t = sigmoid(w . x_t + b),   score = q_i . k_j / sqrt(d) + sum over t = j+1 .. i of ln f_t
// The forget gate of the query's token counts, that of the key's does not: no decay on the diagonal. With
// constant f it is ALiBi with slope -ln f. Each layer has its own gates. Positions as numbers are not looked
// at; the bias has no bound, as every token adds to it.
#include <algorithm>
#include <cmath>

#include "positional/support/per_layer.h"
#include "positional/support/registry.h"

namespace locus::schemes::fox {

class Fox : public Scheme {
 public:
  Fox(const Options&, const ModelShape& shape, ParameterTable& table)
      : heads_(shape.heads),
        weight_(table, shape, "fox.forget.weight", {shape.d_model, heads_},
                Initial::uniform(1 / std::sqrt(shape.d_model))),
        bias_(table, shape, "fox.forget.bias", {heads_}, Initial::uniform(1 / std::sqrt(shape.d_model))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Tensor gates = linear(inputs.x, weight_(inputs), bias_(inputs));       // (B,T,H)
    const Tensor minus_log_f = split_heads(softplus(scale(gates, -1)), heads_);  // (B,H,T,1)
    Real* ones = scores.tape().arena().allocate<Real>(minus_log_f.count());
    std::fill_n(ones, minus_log_f.count(), Real{1});
    const Tensor of_keys =  // the same for every query (B,H,T,T)
        matmul(scores.tape().constant(minus_log_f.shape(), ones), transpose(minus_log_f));
    const Tensor decay = add(of_keys, scale(reverse_cumsum(of_keys), -1));  // of all but the key
    return add(scores, decay);
  }

  Claims claims() const override {
    return {.shift_invariant = true, .extrapolates = true, .parameters = weight_.count() + bias_.count()};
  }

 private:
  int heads_;
  PerLayer weight_, bias_;
};

const RegisterScheme registered{{
    .name = "fox",
    .summary = "scores fall by a forget gate at every token between key and query",
    .source = "Lin et al. 2025",
    .stage = Stage::scores,
    .keys = {},
    .causal_only = true,
    .formula = "score = q_i . k_j / sqrt(d) + sum over t = j+1 .. i of ln f_t,   f_t = sigmoid(w . x_t + b)",
    .traps = {"the sum includes the query's gate and not the key's: the diagonal is 0",
              "gates that begin near 1/2 halve the weight at every step"},
    .make = make<Fox>,
}};

}  // namespace locus::schemes::fox
