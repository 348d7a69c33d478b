// How far along the input a token stands, from 0 for the first to 1 for the last. A decoder, which does not know how
// long its text will be, cannot have it.
//   join=append: one channel that holds the fraction, then a linear layer back to the width of x.
//   join=fill:   added to every channel; the next layer norm subtracts it again, as with index.
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::fraction {

class Fraction : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

  std::vector<double> code(double position, int length, const Real*) const override {
    // exercise 5.2: position, length (1 or more) -> its code, a list of one number from 0 to 1
    return {length > 1 ? position / (length - 1) : 0};
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
    .formula = "p / (length - 1), joined to x_p as index joins p",
    .traps = {"from one token to the next it rises by another number at every length",
              "it needs the final length, which a decoder does not "
              "have: every token it generates changes all codes",
              "fill: the layer norm that comes next subtracts the fraction exactly"},
    .variants = {{"join", "fill",
                  "the fraction in all channels at once; layer norm "
                  "takes it off again, so the model is that of `none`"}},
    .lesson = 5,
    .make = make<Fraction>,
}};

}  // namespace locus::schemes::fraction
