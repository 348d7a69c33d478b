// Data-dependent ALiBi: the slope is a forget gate of every token between key and query, as in fox (Lin et al. 2025),
// also in an encoder, where tokens have one gate for each direction (lucidrains' x-transformers).
//   f_t = sigmoid(w . x_t + c),  g_t = sigmoid(w' . x_t + c')
//   key before the query:  score + sum over t = j+1 .. i of ln f_t
//   key after the query:   score + sum over t = i+1 .. j of ln g_t
// The diagonal is unchanged. c and c' start at 5: gates of .993, scores that hardly fall. Each layer has its own
// gates. The positions are not used: it claims to be bounded, as no number is made from positions alone. The bias
// itself has no bound, because every token adds to it.
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"

namespace locus::schemes::data_alibi {

class DataAlibi : public Scheme {
 public:
  DataAlibi(const Options& options, const SchemeContext& context, ParameterTable& table)
      : heads_(context.heads), left_(table, context, "left", options.number("start")) {
    if (!context.causal) right_.emplace(table, context, "right", options.number("start"));
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Tensor f = left_.sums(inputs, heads_);  // (B,H,T,1)
    const Tensor back = f - as_row(f);            // (B,H,T,T), what counts where the key is before the query
    if (!right_) return scores + back;
    const Tensor g = right_->sums(inputs, heads_);
    const Tensor ahead = as_row(g) - g;
    const int T = inputs.positions.length;
    Tape& tape = scores.tape();
    const Shape pairs{T, T};
    Real *before = tape.arena().allocate<Real>(pairs.count()),
         *after = tape.arena().allocate<Real>(pairs.count());
    for (int i = 0, n = 0; i < T; ++i)
      for (int j = 0; j < T; ++j, ++n) {
        before[n] = j <= i ? 1 : 0;
        after[n] = 1 - before[n];
      }
    const Tensor with_back = scores + back * tape.constant(pairs, before);
    return with_back + ahead * tape.constant(pairs, after);
  }

  Claims claims() const override {
    return {.shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = left_.count() + (right_ ? right_->count() : 0)};
  }

 private:
  struct Gates {
    PerLayer weight, bias;
    Gates(ParameterTable& table, const SchemeContext& context, const std::string& side, double start)
        : weight(table, context, "data-alibi." + side + ".weight", {context.d_model, context.heads},
                 Initial::uniform(1 / std::sqrt(context.d_model))),
          bias(table, context, "data-alibi." + side + ".bias", {context.heads}, Initial::constant(start)) {}

    // The logarithms of the gates of tokens 0 .. t, added up.
    Tensor sums(const AttentionInputs& inputs, int heads) const {
      const Tensor logarithms = -softplus(-linear(inputs.x, weight(inputs), bias(inputs)));  // (B,T,H)
      return split_heads(cumsum_over_time(logarithms), heads);
    }
    std::size_t count() const { return weight.count() + bias.count(); }
  };

  int heads_;
  Gates left_;
  std::optional<Gates> right_;
};

const RegisterScheme registered{{
    .name = "data-alibi",
    .summary = "scores fall by a gate of every token between key and query, one gate for each direction",
    .source = "Lin et al. 2025",
    .stage = Stage::scores,
    .options = {number_option("start", "5", -20, 20,
                              "what the gates have inside the sigmoid at first, but for tokens")},
    .reads_positions = false,
    .formula = "score + sum over t = j+1 .. i of ln f_t   (key j before query i)\n"
               "score + sum over t = i+1 .. j of ln g_t   (key after it)\n"
               "f_t = sigmoid(w . x_t + c),  g_t = sigmoid(w' . x_t + c')",
    .traps = {"of query and key the gate of the later one counts, that of the earlier does not",
              "gates that start near 1 show hardly any distance: with few steps the scores stay flat",
              "no position is read, but every token adds to the bias: over far distances it has no bound",
              "in a decoder it is fox with gates that start at 5 instead of near 1/2"},
    .differs = {"the form for encoders is that of x-transformers (DataDependentAlibi), "
                "whose factor on the logarithms is left out"},
    .make = make<DataAlibi>,
}};

}  // namespace locus::schemes::data_alibi
