// Transformer-XL (Dai et al. 2019): the score has a part for content and one for distance, each with a
// learned bias (u, v), which takes the place of the query's own position.
//   ((q_i + u) . k_j + (q_i + v) . W R[i - j]) / sqrt(d),   R the sinusoid of the signed distance
// u and v are per head and shared by the layers; W is per head and layer, as in the authors' code. The
// authors turn rows of distances into pairs by a shift, which is right for causal models only; here R holds
// the distances that occur, negative ones for keys after the query, where the sines change sign.
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"
#include "positional/support/sinusoid.h"

namespace locus::schemes::transformer_xl {

class TransformerXL : public Scheme {
 public:
  TransformerXL(const Options&, const SchemeContext& context, ParameterTable& table)
      : width_(context.d_model),
        u_(table.add("position.transformer-xl.u", {context.heads, context.d_head(), 1},
                     Initial::normal(0.02))),
        v_(table.add("position.transformer-xl.v", {context.heads, 1, context.d_head()},
                     Initial::normal(0.02))),
        projection_(table, context, "transformer-xl.projection", {context.heads, context.d_head(), width_},
                    Initial::uniform(1 / std::sqrt(width_))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    Tape& tape = scores.tape();
    const auto table = distances_(p, [&] { return table_of(p); });
    const Tensor R = tape.constant(table->shape, table->sinusoids.data());  // (N,D), a row for each distance
    const Tensor u = tape.parameter(u_), v = tape.parameter(v_);            // (H,d,1) and (H,1,d)
    const Tensor WR = matmul(projection_(inputs), transpose(R));            // (H,d,N)
    const Tensor u_k = as_row(matmul(inputs.k, u));                         // u . k_j (B,H,1,T)
    const Tensor by_distance =  // (q_i + v) . W R[i - j] (B,H,T,T)
        gather_pairs(matmul(inputs.q + v, WR), table->ids, pairs_shape(p), RowOf::query);
    return scores + (u_k + by_distance) / std::sqrt(inputs.d_head());  // scores are q_i . k_j / sqrt(d)
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = u_.shape.count() + v_.shape.count() + projection_.count()};
  }

 private:
  struct Table {
    Shape shape;  // (N,D): the sinusoid of each distance that occurs
    Reals sinusoids;
    std::vector<int> ids;  // the row of each pair
  };

  Table table_of(const Positions& p) const {
    const auto [distances, ids] =
        distinct(for_pairs(p, [](double query, double key) { return query - key; }));
    Table table{{static_cast<int>(distances.size()), width_}, {}, ids};
    for (const double distance : distances)
      for (const double value : sinusoid(distance, width_))
        table.sinusoids.push_back(static_cast<Real>(value));
    return table;
  }

  int width_;
  Parameter u_, v_;
  PerLayer projection_;
  Remembered<Table> distances_;
};

const RegisterScheme registered{{
    .name = "transformer-xl",
    .summary = "content and distance scored apart: learned biases and a projected sinusoid of i - j",
    .source = "Dai et al. 2019",
    .stage = Stage::scores,
    .options = {},
    .formula = "score = ((q_i + u) . k_j + (q_i + v) . W R[i - j]) / sqrt(d),   R the sinusoid",
    .traps =
        {"the authors' code shifts rows, which leaves wrong numbers "
         "above the diagonal: not for encoders; not done here",
         "both ways there are 2L - 1 distances, and the sines change their sign for keys after the query"},
    .lesson = 8,
    .make = make<TransformerXL>,
}};

}  // namespace locus::schemes::transformer_xl
