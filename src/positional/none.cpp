// No positions. In an encoder the null control: the output is permutation-equivariant. In a decoder the
// causal mask still shows order, and this is the scheme called NoPE (Haviv et al. 2022; Kazemnejad et al.
// 2023).
#include "positional/support/registry.h"

namespace locus::schemes::none {

class None : public Scheme {
 public:
  None(const Options&, const SchemeContext&, ParameterTable&) {}
  Claims claims() const override {
    return {.order_blind = true,
            .mirror_blind = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true};
  }
};

const RegisterScheme registered{{
    .name = "none",
    .summary = "no positions, in a decoder also called NoPE",
    .source = "Haviv et al. 2022; Kazemnejad et al. 2023",
    .stage = Stage::nowhere,
    .options = {},
    .reads_positions = false,
    .formula = "x_p",
    .traps = {"only in an encoder is it blind to order: a causal mask alone shows position"},
    .lesson = 1,
    .make = make<None>,
}};

}  // namespace locus::schemes::none
