// Even or odd: one channel that is 0 at the positions 0, 2, 4 ... and 1 at 1, 3, 5 ..., then a linear layer
// back to the width of x. It tells a token from its neighbours, but not the third place from the fifth.
#include <cmath>

#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::zigzag {

class Zigzag : public CodeScheme {
 public:
  Zigzag(const Options&, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::concat, 1, context, table) {}

  std::vector<double> code(double position, int, const Real*) const override {
    return {std::abs(std::fmod(position, 2))};
  }

  Claims claims() const override {
    return {.bounded = true, .extrapolates = true, .parameters = join_parameters()};
  }
};

const RegisterScheme registered{{
    .name = "zigzag",
    .summary = "even or odd, in a channel of its own",
    .source = "you",
    .stage = Stage::embedding,
    .options = {},
    .formula = "x_p, p mod 2 -> back to the width of x by a linear layer",
    .traps = {"read backwards, an input of odd length looks the same: left is not told from right"},
    .make = make<Zigzag>,
}};

}  // namespace locus::schemes::zigzag
