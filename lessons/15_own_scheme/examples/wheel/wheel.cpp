// One clock whose hand goes round once in 32 positions: its sine and cosine stand beside x, then a linear layer leads
// back to the width of x. A sinusoid of one speed; at position 32 it begins again.
#include <cmath>
#include <numbers>

#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::wheel {

class Wheel : public CodeScheme {
 public:
  Wheel(const Options&, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::concat, 2, context, table) {}

  std::vector<double> code(double position, int, const Real*) const override {
    const double angle = 2 * std::numbers::pi * position / 32;
    return {std::sin(angle), std::cos(angle)};
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .bounded = true,
            .extrapolates = true,
            .linear_shift = true,
            .parameters = join_parameters()};
  }
};

const RegisterScheme registered{{
    .name = "wheel",
    .summary = "the hand of one clock that goes round in 32 positions, in two channels of its own",
    .source = "worked example of chapter 15",
    .stage = Stage::embedding,
    .options = {},
    .formula = "x_p, sin(2 pi p / 32), cos(2 pi p / 32) -> back to the width of x by a linear layer",
    .traps = {"positions 32 apart have the same code"},
    .make = make<Wheel>,
}};

}  // namespace locus::schemes::wheel
