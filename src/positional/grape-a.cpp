// GRAPE, additive (Zhang et al. 2025, "Group representational position encoding"): query and key get one channel
// more, and a matrix I + (j - i) N with N^2 = 0 acts between them; that adds to the score
// a number in proportion to i - j:
//   gate=none   -(j - i) beta_h,            beta_h = -m_h f_h,  f_h learned, 1 at first: ALiBi
//   gate=key    +(i - j) m_h u_h . k_j,     u_h learned: the key decides how its score changes with distance
//   gate=both   -(i - j) m_h (softplus(u_h . k_j / sqrt(d)) + softplus(v_h . q_i / sqrt(d))),  |u_h| = |v_h| = 1
// m_h are ALiBi's slopes. Learned numbers belong to a layer and a head. None and key are the paper's; both is what the
// authors' code computes. Keys after the query would be rewarded, so it is for decoders only.
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/alibi_slope.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::grape_a {

class GrapeA : public Scheme {
 public:
  GrapeA(const Options& options, const SchemeContext& context, ParameterTable& table)
      : heads_(context.heads), gate_(options.text("gate")) {
    const Initial any = Initial::uniform(1 / std::sqrt(context.d_head()));
    const Shape vector{heads_, 1, context.d_head()};
    if (gate_ == "none")
      factor_.emplace(table, context, "grape-a.factor", Shape{heads_, 1, 1}, Initial::constant(1));
    if (gate_ != "none") u_.emplace(table, context, "grape-a.u", vector, any);
    if (gate_ == "both") v_.emplace(table, context, "grape-a.v", vector, any);
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Tensor fall = sloped_distances(scores.tape(), inputs.positions);  // m_h (i - j)
    if (gate_ == "none") return scores - fall * (*factor_)(inputs);
    if (gate_ == "key") return scores + fall * as_row(matmul(inputs.k, transpose((*u_)(inputs))));
    const double root = 1 / std::sqrt(inputs.d_head());
    const Tensor of_key =
        softplus(matmul(inputs.k, transpose(unit_length((*u_)(inputs))), root));  // (B,H,T,1)
    const Tensor of_query =
        softplus(matmul(inputs.q, transpose(unit_length((*v_)(inputs))), root));  // (B,H,T,1)
    const Tensor gates = of_query + as_row(of_key);                               // (B,H,T,T)
    return scores - fall * gates;
  }

  Claims claims() const override {
    std::size_t parameters = 0;
    for (const auto* part : {&factor_, &u_, &v_})
      if (*part) parameters += (*part)->count();
    return {.direction_aware = true, .shift_invariant = true, .extrapolates = true, .parameters = parameters};
  }

 private:
  Tensor sloped_distances(Tape& tape, const Positions& p) const {  // (1 or B,H,T,T)
    const auto all = distances_(p, [&] {
      Reals values;
      for (int row = 0; row < p.rows; ++row)
        for (int h = 0; h < heads_; ++h)
          for (int i = 0; i < p.length; ++i)
            for (int j = 0; j < p.length; ++j)
              values.push_back(static_cast<Real>(alibi_slope(h, heads_) * (p(row, i) - p(row, j))));
      return values;
    });
    return tape.constant({p.rows, heads_, p.length, p.length}, all->data());
  }

  int heads_;
  std::string gate_;
  std::optional<PerLayer> factor_, u_, v_;
  Remembered<Reals> distances_;
};

const RegisterScheme registered{{
    .name = "grape-a",
    .summary =
        "scores fall with distance as in alibi, as steeply as is learned, or as keys and queries choose",
    .source = "Zhang et al. 2025",
    .stage = Stage::scores,
    .options = {choice_option(
        "gate", "none", {"none", "key", "both"},
        "what decides the slope: a learned number for each head, the key, or key and query")},
    .causal_only = true,
    .formula =
        "score - (j - i) beta_h   query i, key j, head h\n"
        "beta_h = -m_h f_h, m_h as in alibi, f_h learned, 1 at first\n"
        "gate=key: score + (i - j) m_h u_h . k_j\n"
        "gate=both: score - (i - j) m_h (softplus(u_h . k_j / sqrt(d)) + softplus(v_h . q_i / sqrt(d)))",
    .traps = {"the lift adds -(j - i) beta: beta > 0 rewards the far past, and ALiBi is beta = -m",
              "gate=key has no sign of its own: with u . k > 0 a key gains with distance, without bound",
              "with few heads the slopes are as flat as those of alibi: use 4 or more"},
    .differs =
        {"the bias is added after the division by sqrt(d), as for all schemes",
         "gate=both is the released code, where a softplus keeps the gates positive and u and v are unit "
         "vectors; in the paper a gate can have either sign",
         "left out: slopes that the tokens on the way choose (GRAPE-AP), of which fox is a case"},
    .make = make<GrapeA>,
}};

}  // namespace locus::schemes::grape_a
