// The forgetting transformer (Lin et al. 2025, "FoX"): each head has a forget gate f_t between 0 and 1 at
// every token.
//   f_t = sigmoid(w . x_t + b),   score = q_i . k_j / sqrt(d) + sum over t = j+1 .. i of ln f_t
// The gate of the query's token counts, that of the key's does not: the diagonal is unchanged. With a
// constant f it is ALiBi with slope -ln f. Each layer has its own gates. The positions are not used: it claims to be
// bounded, as no number is made from positions alone. The bias itself has no bound, because every token adds to it.
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"

namespace locus::schemes::fox {

class Fox : public Scheme {
 public:
  Fox(const Options&, const SchemeContext& context, ParameterTable& table)
      : heads_(context.heads),
        weight_(table, context, "fox.forget.weight", {context.d_model, heads_},
                Initial::uniform(1 / std::sqrt(context.d_model))),
        bias_(table, context, "fox.forget.bias", {heads_}, Initial::uniform(1 / std::sqrt(context.d_model))) {
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Tensor log_f = -softplus(-linear(inputs.x, weight_(inputs), bias_(inputs)));  // ln sigmoid (B,T,H)
    const Tensor sums = split_heads(cumsum_over_time(log_f), heads_);  // (B,H,T,1), of ln f_0 .. ln f_t
    const Tensor of_queries = scores + sums;
    return of_queries - as_row(sums);  // + sums_i - sums_j
  }

  Claims claims() const override {
    return {.shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = weight_.count() + bias_.count()};
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
    .options = {},
    .causal_only = true,
    .reads_positions = false,
    .formula = "score = q_i . k_j / sqrt(d) + sum over t = j+1 .. i of ln f_t,   f_t = sigmoid(w . x_t + b)",
    .traps = {"the sum includes the query's gate and not the key's: on the diagonal the bias is 0",
              "gates that begin near 1/2 halve the weight at every step",
              "no position is read, but every token adds to the bias: over far distances it has no bound"},
    .make = make<Fox>,
}};

}  // namespace locus::schemes::fox
