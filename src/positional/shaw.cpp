// Relative position representations (Shaw, Uszkoreit and Vaswani 2018): a learned vector for each distance up
// to a clip is added to the key, another to the value.
// Distances are key - query. The vectors are shared by the heads; each layer has its own, as in
// tensor2tensor, where they begin uniform in +-sqrt(6 / (rows + columns)) (Glorot).
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::shaw {

Initial glorot(int rows, int columns) { return Initial::uniform(std::sqrt(6.0 / (rows + columns))); }

class Shaw : public Scheme {
 public:
  Shaw(const Options& options, const SchemeContext& context, ParameterTable& table)
      : clip_(options.integer("clip")),
        rows_(2 * clip_ + 1),
        keys_(table, context, "shaw.keys", {rows_, context.d_head()}, glorot(rows_, context.d_head())),
        values_(table, context, "shaw.values", {rows_, context.d_head()}, glorot(rows_, context.d_head())) {}

  // The row of the tables for a key so many positions after the query.
  std::optional<int> bucket(int places) const override {
    // exercise 8.4: the row for places = j - i: row 0 for -clip_ and all before, the last row for clip_ and all after
    return std::clamp(places, -clip_, clip_) + clip_;
    // end
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    // exercise 8.5: the scores (B,H,T,T) of keys to which the vector of their distance was added
    // (they come in as query · key / sqrt(d); keys_(inputs): the vectors (rows_,d) of this layer, a_K; *ids(p): each
    // pair's row of them, in the shape pairs_shape(p))
    const Tensor q_a = matmul(inputs.q, transpose(keys_(inputs)));  // (B,H,T,2 clip + 1)
    return scores + gather_pairs(q_a, *ids(p), pairs_shape(p), RowOf::query) / std::sqrt(inputs.d_head());
    // end
  }

  Tensor mixed(Tensor mixed, Tensor weights, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    // exercise 8.6: the mix (B,H,T,d) of values to which the vector of their distance was added
    // (it comes in as the sum of weight · value; weights (B,H,T,T); values_(inputs): the vectors (rows_,d) of this
    // layer, a_V)
    const Tensor by_distance = sum_pairs(weights, *ids(p), pairs_shape(p), rows_);  // (B,H,T,2 clip + 1)
    return mixed + matmul(by_distance, values_(inputs));
    // end
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = keys_.count() + values_.count()};
  }

 private:
  // The row of each pair.
  std::shared_ptr<const std::vector<int>> ids(const Positions& p) const {
    return ids_(p, [&] {
      return for_pairs(p, [&](double query, double key) { return *bucket(relative(query, key)); });
    });
  }

  int clip_, rows_;
  PerLayer keys_, values_;
  Remembered<std::vector<int>> ids_;
};

const RegisterScheme registered{{
    .name = "shaw",
    .summary = "a learned vector per distance, added to keys and to values, clipped when far",
    .source = "Shaw, Uszkoreit and Vaswani 2018",
    .stage = Stage::scores,
    .options = {integer_option("clip", "16", 1, 4096,
                               "all distances from here on share one vector, on each side")},
    .formula = "score = q_i . (k_j + a_K[r]) / sqrt(d),   r = clip(j - i, -clip, clip) + clip\n"
               "output = sum over j of weight_ij (v_j + a_V[r])",
    .traps = {"a checkpoint trained with the sign of the distance turned is another model's",
              "beyond the clip all distances look the same"},
    .lesson = 8,
    .make = make<Shaw>,
}};

}  // namespace locus::schemes::shaw
