// Which of three stripes a position is in: a one-hot code of p mod 3, then a linear layer back to the width of x.
#include <cmath>

#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::stripes {

class Stripes : public CodeScheme {
 public:
  Stripes(const Options&, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::concat, 3, context, table) {}

  std::vector<double> code(double position, int, const Real*) const override {
    std::vector<double> code(3);
    code[static_cast<std::size_t>(position - 3 * std::floor(position / 3))] = 1;
    return code;
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
    .name = "stripes",
    .summary = "which of three stripes a position is in, as a one-hot code",
    .source = "worked example of chapter 15",
    .stage = Stage::embedding,
    .options = {},
    .formula = "x_p, onehot(p mod 3) -> back to the width of x by a linear layer",
    .traps = {"positions 3 apart have the same code"},
    .make = make<Stripes>,
}};

}  // namespace locus::schemes::stripes
