// How far along the input a token stands, from 0 for the first to 1 for the last: position / (L - 1), and 0
// when L = 1. Bounded where the index is not, but a step means less in a longer input, and a decoder cannot
// know the length it will reach.
//   join=append: one channel of its own, then a linear layer back to the width of x.
//   join=fill:   added to every channel, and so taken off again by the next layer norm, as with index.
#include "base/error.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::fraction {

class Fraction : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

  std::vector<double> code(double position, int length, const Real*) const override {
    // exercise 5.2: position, length -> a list of one number: how far along the input, 0 first, 1 last
    fail("exercise 5.2", "still to be written");
    // end
  }

  Claims claims() const override {
    Claims claims = ChannelScheme::claims();
    claims.causal_prefix = false;
    return claims;
  }
};

const RegisterScheme registered{{
    .name = "fraction",
    .summary = "how far along the input a token stands, from 0 to 1, appended or added to all channels",
    .source = "the second idea everybody has",
    .stage = Stage::embedding,
    .options = {Fraction::join_option()},
    .formula = "p / (L - 1), joined to x_p as index joins p",
    .traps = {"the step from one token to the next is another at every length",
              "it needs the final length, which a decoder does not "
              "have: every token it generates changes all codes",
              "fill is erased exactly by the layer norm that comes next"},
    .variants = {{"join", "fill",
                  "the fraction in all channels at once; layer norm "
                  "takes it off again, so the model is that of `none`"}},
    .lesson = 5,
    .make = make<Fraction>,
}};

}  // namespace locus::schemes::fraction
