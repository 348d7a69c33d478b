// A fixed bias that prefers the left neighbour: the score falls with the distance from it, alike to both sides. ALiBi
// with its peak moved by one position; both heads have the same slope.
#include <cmath>

#include "positional/support/bias_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::nudge {

class Nudge : public BiasScheme {
 public:
  Nudge(const Options&, const SchemeContext& context, ParameterTable&) : BiasScheme(context) {}

  std::optional<double> bias(int, double query, double key) const override {
    return -std::abs(key - (query - 1));
  }

  Claims claims() const override {
    return {.direction_aware = true, .shift_invariant = true, .extrapolates = true};
  }
};

const RegisterScheme registered{{
    .name = "nudge",
    .summary = "a fixed bias that prefers the left neighbour",
    .source = "worked example of chapter 15",
    .stage = Stage::scores,
    .options = {},
    .formula = "score - |j - (i - 1)|",
    .traps = {"what is far away is hardly read, in any head"},
    .make = make<Nudge>,
}};

}  // namespace locus::schemes::nudge
