// Contextual position encoding (Golovneva et al. 2024, "CoPE"): each query decides by its gates which tokens
// count, so that a distance can be in words or sentences; the counts look up a learned table between entries.
//   g_ij = sigmoid(q_i . k_j / sqrt(d)),   p_ij = g_ij + ... + g_ii, at most capacity - 1
//   score = (q_i . k_j + q_i . e[p_ij]) / sqrt(d),   e between two entries in proportion
// The sum runs from the key to the query and includes both. Each layer has its table, shared by the heads; it
// begins at zero, as in the authors' code. The gates see the scores that reach this scheme, so parts of a
// spec that stand before it count in them. The positions are not used.
#include <cmath>

#include "positional/support/contextual.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"

namespace locus::schemes::cope {

class Cope : public Scheme {
 public:
  Cope(const Options& options, const SchemeContext& context, ParameterTable& table)
      : table_(table, context, "cope.table", {context.d_head(), options.integer("capacity")},
               Initial::constant(0)) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Tensor q_e = matmul(inputs.q, table_(inputs)) / std::sqrt(inputs.d_head());  // (B,H,T,capacity)
    const Tensor p = reverse_cumsum(sigmoid(scores));                                  // (B,H,T,T)
    return scores + interpolate(q_e, p);
  }

  Claims claims() const override {
    return {.shift_invariant = true, .bounded = true, .extrapolates = true, .parameters = table_.count()};
  }

 private:
  PerLayer table_;  // (d, capacity)
};

const RegisterScheme registered{{
    .name = "cope",
    .summary = "each query counts the tokens that matter to it, and looks up a learned vector for the count",
    .source = "Golovneva et al. 2024",
    .stage = Stage::scores,
    .options = {integer_option("capacity", "64", 1, 1e6,
                               "entries of the table; higher counts share the last")},
    .causal_only = true,
    .reads_positions = false,
    .formula = "g_ij = sigmoid(q_i . k_j / sqrt(d)),   p_ij = g_ij + ... + g_ii\n"
               "score = (q_i . k_j + q_i . e[p_ij]) / sqrt(d)",
    .traps = {"the sum includes the key's own gate and the query's",
              "gates of keys after the query must be 0, or the count leaks the future"},
    .differs =
        {"q_i . e is divided by sqrt(d), as in the authors' repository; the listing in the paper does not "
         "divide it, which with d = 16 makes the same table count four times as much"},
    .make = make<Cope>,
}};

}  // namespace locus::schemes::cope
