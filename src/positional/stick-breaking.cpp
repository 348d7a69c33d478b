// Stick-breaking attention (Tan et al. 2025): no softmax; going back from the query, each key breaks off a
// share of what is left of a stick, so that near keys come first without any positions.
//   weight_ij = beta_ij * product over j < k < i of (1 - beta_ik),   beta_ij = sigmoid(q_i . k_j / sqrt(d))
// A query does not see its own token, and the first one sees nothing, unless current=on (then k runs to i).
// Weights may sum to less than 1, unless remainder=value: then the query's own value gets what is left of the
// stick. Positions as numbers are not looked at.
#include "positional/support/contextual.h"
#include "positional/support/registry.h"

namespace locus::schemes::stick_breaking {

class StickBreaking : public Scheme {
 public:
  StickBreaking(const Options& options, const SchemeContext&, ParameterTable&)
      : current_(options.text("current") == "on"), remainder_(options.text("remainder") == "value") {}

  std::optional<Tensor> weights(Tensor scores, Mask) const override {
    return locus::stick_breaking(scores, current_, remainder_);
  }

  bool replaces_softmax() const override { return true; }
  Claims claims() const override { return {.shift_invariant = true, .bounded = true, .extrapolates = true}; }

 private:
  bool current_, remainder_;
};

const RegisterScheme registered{{
    .name = "stick-breaking",
    .summary = "instead of a softmax, each key takes a share of what nearer ones left over",
    .source = "Tan et al. 2025",
    .stage = Stage::scores,
    .options = {choice_option("current", "off", {"off", "on"}, "whether a query sees its own token"),
                choice_option("remainder", "drop", {"drop", "value"},
                              "what is left of the stick: lost, or the weight of the query's own value")},
    .causal_only = true,
    .reads_positions = false,
    .formula = "weight_ij = beta_ij * product over j < k < i of (1 - beta_ik)\n"
               "beta_ij = sigmoid(q_i . k_j / sqrt(d))",
    .traps = {"weights need not sum to 1", "a query does not see its own token, and the first sees none"},
    .differs =
        {"the authors' code returns the remainder beside the output, and their models may add it, times "
         "the value, as remainder=value does; the formula of the paper drops it, and so does the default"},
    .make = make<StickBreaking>,
}};

}  // namespace locus::schemes::stick_breaking
