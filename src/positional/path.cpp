// PaTH attention (Yang et al. 2025): the way from key to query is a product of transforms that the tokens on
// it choose, where RoPE turns by the same angle at each.
//   score = k_j . H_{j+1} H_{j+2} ... H_i q_i / sqrt(d),   H_t = I - beta_t w_t w_t^T
//   w_t = W x_t brought to length 1 per head,   beta_t = 2 sigmoid(b . x_t + c), from 0 (nothing) to 2
//   (mirror)
// H_i meets q_i first. Each layer has its own W and b. The authors make w by a map of low rank and a short
// convolution; the convolution, itself a source of order, is left out, and W is a plain matrix. Positions as
// numbers are not looked at.
#include <cmath>

#include "positional/support/contextual.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"

namespace locus::schemes::path {

class Path : public Scheme {
 public:
  Path(const Options&, const SchemeContext& context, ParameterTable& table)
      : heads_(context.heads),
        direction_(table, context, "path.direction", {context.d_model, context.d_model},
                   Initial::uniform(1 / std::sqrt(context.d_model))),
        strength_(table, context, "path.strength.weight", {context.d_model, heads_},
                  Initial::uniform(1 / std::sqrt(context.d_model))),
        strength_bias_(table, context, "path.strength.bias", {heads_},
                       Initial::uniform(1 / std::sqrt(context.d_model))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Tensor w = unit_length(split_heads(matmul(inputs.x, direction_(inputs)), heads_));  // (B,H,T,d)
    const Tensor strength = linear(inputs.x, strength_(inputs), strength_bias_(inputs));
    const Tensor beta = 2 * split_heads(sigmoid(strength), heads_);  // (B,H,T,1)
    // scores are q_i . k_j / sqrt(d) already: path_scores is what the transforms add
    return scores + path_scores(inputs.q, inputs.k, w, beta) / std::sqrt(inputs.d_head());
  }

  Claims claims() const override {
    return {.shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = direction_.count() + strength_.count() + strength_bias_.count()};
  }

 private:
  int heads_;
  PerLayer direction_, strength_, strength_bias_;
};

const RegisterScheme registered{{
    .name = "path",
    .summary = "a mirror or projection at every token between key and query, chosen by that token",
    .source = "Yang et al. 2025",
    .stage = Stage::scores,
    .options = {},
    .causal_only = true,
    .reads_positions = false,
    .formula = "score = k_j . H_{j+1} ... H_i q_i / sqrt(d),   H_t = I - beta_t w_t w_t^T, |w_t| = 1",
    .traps = {"the product includes the query's transform and not the key's: the diagonal is plain q . k",
              "the transforms do not commute: H_i meets the query first"},
    .make = make<Path>,
}};

}  // namespace locus::schemes::path
