// T5's relative bias (Raffel et al. 2020): distances fall into buckets, one each when near, ever wider when
// far, and each head learns one number per bucket, added to the score. One table serves all layers. (Bidirectional:
// half of the buckets for each side, the upper half for keys after the query.)
// T5 itself leaves out the 1/sqrt(d) of the scores; here the bias is added after that scaling, as for all
// schemes.
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "positional/support/pairs.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::t5 {

class T5 : public Scheme {
 public:
  T5(const Options& options, const SchemeContext& context, ParameterTable& table)
      : causal_(options.text("direction").empty() ? context.causal : options.text("direction") == "causal"),
        max_distance_(options.integer("max_distance")) {
    const int buckets = options.integer("buckets");
    side_ = causal_ ? buckets : buckets / 2;
    exact_ = side_ / 2;
    if ((!causal_ && buckets % 2 != 0) || exact_ < 1)
      fail_usage("t5",
                 str("'buckets=", buckets, "' cannot be shared between near and far",
                     causal_ ? "" : ", left and right"),
                 causal_ ? "give 2 or more" : "give an even number, 4 or more");
    if (max_distance_ <= exact_)
      fail_usage("t5", str("'max_distance=", max_distance_, "' leaves no room for far buckets"),
                 str("give more than ", exact_));
    table_ =
        table.add("position.bias", {context.heads, buckets}, Initial::normal(1 / std::sqrt(context.d_model)));
  }

  std::optional<int> bucket(int places) const override {
    // exercise 8.1: `start`, the first bucket of the key's side, and `n`, how many positions apart query and key are
    // (places = j - i, key minus query. A side has `side_` buckets. If causal_ there is one side, that of the keys up
    // to the query; a later key counts as the query's own position)
    const int start = !causal_ && places > 0 ? side_ : 0;
    const int n = causal_ ? std::max(-places, 0) : std::abs(places);
    // end
    if (n < exact_) return start + n;
    // exercise 8.2: the bucket of a distance n from `exact_` on; `max_distance_` and all beyond share the side's last
    // (a logarithm that should be whole may come out just below: add 1e-9 before you round down)
    const double far =
        std::log(static_cast<double>(n) / exact_) / std::log(static_cast<double>(max_distance_) / exact_);
    return start + std::min(exact_ + static_cast<int>(far * (side_ - exact_) + 1e-9), side_ - 1);
    // end
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    const auto ids = ids_(p, [&] {
      return for_pairs(p, [&](double query, double key) { return *bucket(relative(query, key)); });
    });
    // exercise 8.3: the scores (B,H,T,T), with each head's learned number for the bucket of each pair added
    // (scores.tape().parameter(table_): a tensor with a row of numbers for each head; *ids: the bucket of each pair, in
    // the shape pairs_shape(p))
    return scores + gather_columns(scores.tape().parameter(table_), *ids, pairs_shape(p));
    // end
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = table_.shape.count()};
  }

 private:
  bool causal_;
  int max_distance_, side_, exact_;  // side_: buckets on one side; exact_: those that hold one distance each
  Parameter table_;
  Remembered<std::vector<int>> ids_;
};

const RegisterScheme registered{{
    .name = "t5",
    .summary = "a learned bias per head for each bucket of distances, wide buckets for far ones",
    .source = "Raffel et al. 2020",
    .stage = Stage::scores,
    .options = {integer_option("buckets", "32", 2, 4096, "how many learned numbers per head"),
                integer_option("max_distance", "128", 2, 1e6,
                               "all distances from here on share the last bucket"),
                choice_option("direction", "", {"bidirectional", "causal"}, "by the model when left out")},
    .formula = "score + b[bucket(j - i), head]   query i, key j; one table for all layers\n"
               "n = |j - i|, e exact buckets on a side, m on a side in all: bucket n for n < e, else\n"
               "e + floor((m - e) log(n / e) / log(max_distance / e)), at most m - 1; + m for j > i",
    .traps = {"a distance on the edge of a bucket may fall on either side by rounding",
              "both ways, the first bucket of the upper half is never used: it never trains",
              "T5 itself leaves out the 1/sqrt(d) of the scores"},
    .differs =
        {"T5 computes the logarithms in float32, where rounding can decide about a distance on the edge "
         "of a bucket; here double and a nudge of 1e-9 put it where exact arithmetic does, on every "
         "machine (PyTorch 1.13 agrees at every distance: 2 to 64 buckets a side, max_distance 16 to 2048)"},
    .lesson = 8,
    .make = make<T5>,
}};

}  // namespace locus::schemes::t5
