// Attention with linear biases (Press, Smith and Lewis 2022): scores fall in proportion to distance, in each head with
// a slope of its own (support/alibi_slope.h).
//   causal:      for a decoder, which masks the keys after the query
//   symmetric:   for an encoder: keys before and after the query alike
//   asymmetric:  for an encoder: keys before and after the query differ (Ruoss et al. 2023)
#include <cmath>

#include "positional/support/alibi_slope.h"
#include "positional/support/bias_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::alibi {

double asymmetric_bias(double m, double query, double key) {
  // exercise 9.8: the bias of the key at position `key` for the query at position `query`, in a head with the slope m,
  // when the direction is "asymmetric"; the text has its formula in "The asymmetric bias"
  return -m * (std::abs(query - key) - (key < query ? 0.5 : 0));
  // end
}

class Alibi : public BiasScheme {
 public:
  Alibi(const Options& options, const SchemeContext& context, ParameterTable&)
      : BiasScheme(context), direction_(options.text("direction")) {
    if (direction_.empty()) direction_ = context.causal ? "causal" : "symmetric";
  }

  std::optional<double> bias(int head, double query, double key) const override {
    const double m = alibi_slope(head, heads());
    if (direction_ == "asymmetric") return asymmetric_bias(m, query, key);
    // exercise 9.3: the bias of the key at position `key` for the query at position `query`, in a head with the slope
    // m, when direction_ is "symmetric" or "causal"; a position may be a fraction, such as 2.5
    if (direction_ == "causal" && key > query) return 0;
    return -m * std::abs(query - key);
    // end
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
               "m_h = 2^(-8 (h + 1) / H), h = 0 .. H - 1, when H is a power of two",
    .traps = {"symmetric, as in an encoder, it cannot tell left from right",
              "with few heads the slopes are too flat to see: a single one has 1/256; use 4 or more",
              "when H is not a power of two, the slopes are neither a geometric sequence nor in order"},
    .lesson = 9,
    .make = make<Alibi>,
}};

}  // namespace locus::schemes::alibi
