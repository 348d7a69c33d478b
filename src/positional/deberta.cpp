// Disentangled attention (He et al. 2021, "DeBERTa"): content and relative position have vectors of their
// own; queries look at positions, and positions at keys.
//   (q_i . k_j + q_i . Kr[b] + k_j . Qr[b]) / sqrt(3 d),   b = b(i - j) + buckets, kept in 0 .. 2 buckets - 1
// The sign is i - j, opposite to T5. With m = buckets / 2, b(n) = n for |n| <= m, else
//   sign(n) (m + ceil((m - 1) log(|n| / m) / log((max_distance - 1) / m)))
// Kr and Qr are projections of one table of vectors, one pair for each layer. (Version 2 can reuse those of
// the content; version 1 projects apart, as here.) The table begins normal with deviation 1, like the token
// embeddings here; version 2 of DeBERTa applies a layer norm to it instead. Parts of a spec that stand before
// this one are divided by sqrt(3), too.
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::deberta {

class Deberta : public Scheme {
 public:
  Deberta(const Options& options, const SchemeContext& context, ParameterTable& table)
      : buckets_(options.integer("buckets")),
        max_distance_(options.integer("max_distance")),
        table_(table.add("position.deberta.table", {2 * buckets_, context.d_model}, Initial::normal(1))),
        queries_(table, context, "deberta.queries", {context.heads, context.d_head(), context.d_model},
                 Initial::uniform(1 / std::sqrt(context.d_model))),
        keys_(table, context, "deberta.keys", {context.heads, context.d_head(), context.d_model},
              Initial::uniform(1 / std::sqrt(context.d_model))) {
    if (max_distance_ - 1 <= buckets_ / 2)
      fail_usage("deberta", str("'max_distance=", max_distance_, "' leaves no room for far buckets"),
                 str("give more than ", buckets_ / 2 + 1));
  }

  std::optional<int> bucket(int places) const override {
    // Nothing is clipped here: scores() does that. The last distance of a bucket can be exactly on its edge: a rounding
    // error of 1e-9 must not give the next one.
    const int n = std::abs(places), exact = buckets_ / 2, sign = places > 0 ? -1 : 1;  // of i - j
    if (n <= exact) return sign * n;
    const double far =
        std::log(static_cast<double>(n) / exact) / std::log(static_cast<double>(max_distance_ - 1) / exact);
    return sign * (exact + static_cast<int>(std::ceil(far * (exact - 1) - 1e-9)));
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    Tape& tape = scores.tape();
    const auto rows = rows_(p, [&] {
      return distinct(for_pairs(p, [&](double query, double key) {
        return std::clamp(*bucket(relative(query, key)) + buckets_, 0, 2 * buckets_ - 1);
      }));
    });
    const Tensor used = gather_rows(tape.parameter(table_), rows->values, {rows->count()});  // (N,D)
    const Tensor Kr = matmul(keys_(inputs), transpose(used));                                // (H,d,N)
    const Tensor Qr = matmul(queries_(inputs), transpose(used));
    // Kr and Qr (H,d,N) have a column for each distance that occurs; rows->ids: each pair's column.
    const Tensor q_Kr =
        gather_pairs(matmul(inputs.q, Kr), rows->ids, pairs_shape(p), RowOf::query);  // (B,H,T,T)
    const Tensor k_Qr = gather_pairs(matmul(inputs.k, Qr), rows->ids, pairs_shape(p), RowOf::key);
    return scores / std::sqrt(3) + (q_Kr + k_Qr) / std::sqrt(3 * inputs.d_head());
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = table_.shape.count() + queries_.count() + keys_.count()};
  }

 private:
  int buckets_, max_distance_;
  Parameter table_;
  PerLayer queries_, keys_;
  Remembered<Distinct<int>> rows_;
};

const RegisterScheme registered{{
    .name = "deberta",
    .summary = "content looks at relative position and position at content, in buckets of i - j",
    .source = "He et al. 2021",
    .stage = Stage::scores,
    .options = {integer_option("buckets", "256", 2, 4096, "learned vectors on each side"),
                integer_option("max_distance", "512", 3, 1e6, "where the last bucket begins, nearly")},
    .formula = "score = (q_i . k_j + q_i . Kr[b(i - j)] + k_j . Qr[b(i - j)]) / sqrt(3 d)",
    .traps = {"the sign is i - j, opposite to T5", "both terms read the bucket of (i, j), not of (j, i)",
              "three terms share the scale: sqrt(3 d), not sqrt(d)"},
    .lesson = 8,
    .make = make<Deberta>,
}};

}  // namespace locus::schemes::deberta
