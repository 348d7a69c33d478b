// Sandwich (Chi et al. 2023): the dot product of two sinusoids, which depends on the distance only, as a
// bias.
//   (sum over t = 1 .. D/2 of cos((i - j) 10000^(-2t / D)) - D/2) / (8 h / H),   head h = 1 .. H
// Nothing is learned. The exponents begin at t = 1, not at 0: there is no wave of frequency 1. It is bounded
// (by D H / 8), but reaches its bound only at thousands of places, so it makes no claim of that.
#include <cmath>

#include "positional/support/bias_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::sandwich {

class Sandwich : public BiasScheme {
 public:
  Sandwich(const Options&, const SchemeContext& context, ParameterTable&)
      : BiasScheme(context), width_(context.d_model) {}

  std::optional<double> bias(int head, double query, double key) const override {
    double sum = 0;
    for (int t = 1; t <= width_ / 2; ++t)
      sum += std::cos((query - key) * std::pow(10000, -2.0 * t / width_)) - 1;
    return sum / (8.0 * (head + 1) / heads());
  }

  Claims claims() const override {
    return {.mirror_blind = true, .shift_invariant = true, .extrapolates = true};
  }

 private:
  int width_;
};

const RegisterScheme registered{{
    .name = "sandwich",
    .summary = "a fixed bias: the dot product of the sinusoids of query and key, scaled per head",
    .source = "Chi et al. 2023",
    .stage = Stage::scores,
    .options = {},
    .formula = "score + (sum over t = 1 .. D/2 of cos((i - j) 10000^(-2t / D)) - D/2) / (8 h / H)",
    .traps = {"the exponents begin at t = 1: with t = 0 it falls faster",
              "in an encoder it cannot tell left from right"},
    .make = make<Sandwich>,
}};

}  // namespace locus::schemes::sandwich
