// Attention with linear biases (Press, Smith and Lewis 2022): the score of a key falls by slope_h per place
// of distance.
//   causal:      -slope_h (i - j), and 0 for keys after the query, which a decoder masks
//   symmetric:   -slope_h |i - j|; it cannot tell left from right
//   asymmetric:  as symmetric, but half a place nearer on the left (the encoder form of Ruoss et al. 2023)
// Slopes fall from 2^(-8/H) to 2^-8 (support/alibi_slope.h).
#include <cmath>

#include "positional/support/alibi_slope.h"
#include "positional/support/bias_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::alibi {

class Alibi : public BiasScheme {
 public:
  Alibi(const Options& options, const SchemeContext& context, ParameterTable&)
      : BiasScheme(context), direction_(options.text("direction")) {
    if (direction_.empty()) direction_ = context.causal ? "causal" : "symmetric";
  }

  std::optional<double> bias(int head, double query, double key) const override {
    if (direction_ == "causal" && key > query) return 0;  // masked in the decoders it is made for
    const double nearer = direction_ == "asymmetric" && key < query ? 0.5 : 0;
    return -alibi_slope(head, heads()) * (std::abs(query - key) - nearer);
  }

  Claims claims() const override {
    return {.mirror_blind = direction_ == "symmetric",
            .direction_aware = direction_ != "symmetric",
            .shift_invariant = true,
            .extrapolates = true};
  }

 private:
  std::string direction_;
};

const RegisterScheme registered{{
    .name = "alibi",
    .summary = "scores fall in proportion to distance, each head at a slope of its own",
    .source = "Press, Smith and Lewis 2022",
    .stage = Stage::scores,
    .options = {choice_option("direction", "", {"symmetric", "asymmetric", "causal"},
                              "by the model when left out: symmetric in an encoder, causal in a decoder")},
    .formula = "score - m_h |i - j|   query i, key j, head h of H\n"
               "m_h = 2^(-8h/H), h = 1 .. H, when H is a power of two",
    .traps = {"symmetric, as in an encoder, it cannot tell left from right",
              "with few heads the slopes are too flat to see: a single one has 1/256; use 4 or more",
              "when H is no power of two, the slopes are no geometric sequence and not in order"},
    .lesson = 9,
    .make = make<Alibi>,
}};

}  // namespace locus::schemes::alibi
