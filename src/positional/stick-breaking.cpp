// Stick-breaking attention (Tan et al. 2025): no softmax; going back from the query, each key breaks off a
// share of what is left of a stick, so that near keys come first without any positions.
//   weight_ij = beta_ij * product over j < k < i of (1 - beta_ik),   beta_ij = sigmoid(q_i . k_j / sqrt(d))
// A query does not see its own token, and the first one sees nothing, unless current=on (then k runs to i).
// Weights may sum to less than 1. Positions as numbers are not looked at.
#include "positional/support/registry.h"

namespace locus::schemes::stick_breaking {

class StickBreaking : public Scheme {
 public:
  StickBreaking(const Options& options, const SchemeContext&, ParameterTable&)
      : current_(options.text("current") == "on") {}

  std::optional<Tensor> weights(Tensor scores, Mask) const override {
    return locus::stick_breaking(scores, current_);
  }

  Claims claims() const override { return {.shift_invariant = true, .bounded = true, .extrapolates = true}; }

 private:
  bool current_;
};

const RegisterScheme registered{{
    .name = "stick-breaking",
    .summary = "instead of a softmax, each key takes a share of what nearer ones left over",
    .source = "Tan et al. 2025",
    .stage = Stage::scores,
    .options = {choice_option("current", "off", {"off", "on"}, "whether a query sees its own token")},
    .causal_only = true,
    .formula = "weight_ij = beta_ij * product over j < k < i of (1 - beta_ik)\n"
               "beta_ij = sigmoid(q_i . k_j / sqrt(d))",
    .traps = {"weights need not sum to 1", "a query does not see its own token, and the first sees none"},
    .make = make<StickBreaking>,
}};

}  // namespace locus::schemes::stick_breaking
