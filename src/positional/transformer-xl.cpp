// Transformer-XL (Dai et al. 2019): the score has a part for content and one for distance, each with a bias
// of its own instead of a position of the query.
//   ((q_i + u) . k_j + (q_i + v) . W R[i - j]) / sqrt(d),   R the sinusoid of the signed distance
// Per head: u and v, shared by the layers, and W, one for each layer, as in the authors' code. There a shift
// turns rows of distances into pairs, which is right for causal models only; here the table holds the
// distances that occur, negative ones for keys after the query, where the sines change sign.
#include <cmath>

#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/sinusoid.h"

namespace locus::schemes::transformer_xl {

class TransformerXL : public Scheme {
 public:
  TransformerXL(const Options&, const ModelShape& shape, ParameterTable& table)
      : width_(shape.d_model),
        u_(table.add("position.transformer-xl.u", {shape.heads, shape.d_head(), 1}, Initial::normal(0.02))),
        v_(table.add("position.transformer-xl.v", {shape.heads, 1, shape.d_head()}, Initial::normal(0.02))),
        projection_(table, shape, "transformer-xl.projection", {shape.heads, shape.d_head(), width_},
                    Initial::uniform(1 / std::sqrt(width_))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    Tape& tape = scores.tape();
    const Table& table = remember(tape, this, p, [&] { return table_of(p); });
    const Shape pairs = pairs_shape(p);
    const Real factor = 1 / std::sqrt(static_cast<Real>(inputs.q.shape().last()));
    const Tensor sinusoids = tape.constant(table.shape, table.sinusoids.data());
    const Tensor WR = matmul(projection_(inputs), transpose(sinusoids));  // (H,d,N)
    const Tensor q_WR = matmul(inputs.q, WR, factor);                     // (B,H,T,N)
    const Tensor v_WR = matmul(tape.parameter(v_), WR, factor);           // (H,1,N)
    const Tensor u_k = matmul(inputs.k, tape.parameter(u_), factor);      // (B,H,T,1)
    scores = add_pairs(scores, q_WR, table.ids, pairs, RowOf::query);
    scores = add_pairs(scores, u_k, table.alike, pairs, RowOf::key);
    return add(scores, gather_columns(v_WR, table.ids, pairs));
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
    Shape shape;  // (N,D): a row for each distance that occurs
    Reals sinusoids;
    std::vector<int> ids, alike;  // the row of each pair; and 0 for all of them
  };

  Table table_of(const Positions& p) const {
    const auto [distances, ids] =
        distinct(for_pairs(p, [](double query, double key) { return query - key; }));
    Table table{{static_cast<int>(distances.size()), width_}, {}, ids, std::vector<int>(ids.size())};
    for (const double distance : distances)
      for (const double value : sinusoid(distance, width_))
        table.sinusoids.push_back(static_cast<Real>(value));
    return table;
  }

  int width_;
  Parameter u_, v_;
  PerLayer projection_;
};

const RegisterScheme registered{{
    .name = "transformer-xl",
    .summary = "content and distance scored apart: learned biases and a projected sinusoid of i - j",
    .source = "Dai et al. 2019",
    .stage = Stage::scores,
    .keys = {},
    .formula = "score = ((q_i + u) . k_j + (q_i + v) . W R[i - j]) / sqrt(d),   R the sinusoid",
    .traps = {"the shift trick leaves other rows' numbers above the diagonal: for causal models only",
              "both ways there are 2L - 1 distances, and the sines of keys after the query are negative"},
    .lesson = 8,
    .make = make<TransformerXL>,
}};

}  // namespace locus::schemes::transformer_xl
