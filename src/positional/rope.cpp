// Rotary positions (Su et al. 2021, "RoFormer"): pair i of the channels of q and k is turned by the angle
//   position * w_i            n = d/2 pairs in the d channels of a head; w_i: support/rotary_frequencies.cpp
// so that the score of a query at p and a key at q depends on p - q only. Values are never turned.
// The two layouts are the same model up to a permutation of channels: interleaved pairs (2i, 2i+1) as in the
// paper, or half (i, i + n) as in GPT-NeoX and Llama. With fraction < 1 only the first channels turn (GPT-J,
// GPT-NeoX), and d is their number. Pairs that are `still` do not turn, whatever their speed would be. Extensions to
// longer inputs than trained on change the w_i: support/rotary_extensions.h. The length that dynamic looks at is the
// number of tokens.
#include <complex>

#include "autograd/ops.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"
#include "positional/support/rotary_settings.h"

namespace locus::schemes::rope {

class Rope : public Scheme {
 public:
  Rope(const Options& options, const SchemeContext& context, ParameterTable&)
      : layout_(options.text("layout") == "interleaved" ? PairLayout::interleaved : PairLayout::half),
        settings_(rotary_settings(options, context.d_head())) {}

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    const Positions& positions = inputs.positions;
    const auto turns = turns_(positions, [&] {
      Turns all;
      const auto [theta, scale] = frequencies(positions.length);
      for (const double position : positions.all())
        for (std::size_t pair = 0; pair < theta.size(); ++pair) {
          // exercise 10.4: the complex number that turns this pair at this position
          // (its length is `scale`, which is 1 unless the option `temperature` is on: chapter 11)
          const std::complex<double> turn = std::polar(scale, position * theta[pair]);
          // end
          all.add(turn);
        }
      return all;
    });
    const auto [cos, sin] = turns->on(q.tape(), positions);
    q = rotate(q, cos, sin, layout_);
    k = rotate(k, cos, sin, layout_);
  }

  Frequencies frequencies(int length) const override { return rotary_frequencies(settings_, length); }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .norm_preserving = !settings_.temperature,
            .causal_prefix = settings_.extend != "dynamic"};
  }

 private:
  PairLayout layout_;
  RotarySettings settings_;
  Remembered<Turns> turns_;
};

const RegisterScheme registered{{
    .name = "rope",
    .summary = "turns pairs of query and key channels by an angle that grows with the position",
    .source = "Su et al. 2021",
    .stage = Stage::query_and_key,
    .options = {number_option("base", "10000", 1.0001, 1e12,
                              "ratio of the longest to the shortest wavelength, nearly"),
                choice_option("layout", "interleaved", {"interleaved", "half"},
                              "pairs (2i, 2i+1), or (i, i + n), n pairs"),
                number_option("fraction", "1", 0, 1, "share of each head's channels that turn"),
                integers_option("still", 0, 511, "pairs that do not turn, counted from 0, the fastest: 1/2"),
                choice_option("extend", "none",
                              {"none", "pi", "ntk", "dynamic", "yarn", "llama3", "longrope", "prope"},
                              "how to read inputs longer than trained on; prope: only fast pairs turn"),
                number_option("factor", "", 1, 1e6,
                              "times longer than trained on (dynamic: 1 when left out)"),
                integer_option("original", "", 2, 1e9, "the length trained on"),
                number_option(
                    "beta_fast", "32", 0.001, 1e6,
                    "yarn, llama3: a pair that makes more turns in `original` is left alone (llama3: 4)"),
                number_option("beta_slow", "1", 0.001, 1e6,
                              "yarn, llama3: a pair that makes fewer is slowed in full"),
                list_option("rescale", 1, 1e6, "longrope: slowing of each pair (as ntk when left out)"),
                choice_option("temperature", "", {"on", "off"},
                              "sharper scores; when left out, on in yarn and longrope only")},
    .formula = "pairs of channels of q_p and k_p turn by the angle p w_i,  w_i = base^(-2i/d)\n"
               "so q_p . k_q depends on p - q only",
    .traps = {"the layouts are equal up to a permutation of channels; mixing them still trains, badly",
              "values are never turned",
              "with base 10000 and few channels most pairs hardly move within 32 tokens: try base 100",
              "pi hurts short inputs; dynamic changes with the length, so cached keys are wrong",
              "yarn's default beta_fast, 32 turns, is reached by "
              "no pair in fewer than 201 = 32 * 2 pi tokens: try 4",
              "p-RoPE has the speeds of the whole head, fraction alone those of a narrower one",
              "clocks that have not made a whole turn in training can fail at longer inputs: try `still`"},
    .differs =
        {"yarn keeps both ends of its ramp within 0 .. d - 1, where the authors' code keeps the lower end "
         "from below and the upper from above: trained lengths as short as ours push both out at one side",
         "yarn's ramp runs over the d/2 pairs, though its ends "
         "may be as far as d - 1: so does the authors' code",
         "longrope slows its pairs at every length and position, where the paper leaves the first tokens and "
         "the trained length alone: one set of speeds is easier to compare, and caches stay valid"},
    .lesson = 10,
    .make = make<Rope>,
}};

}  // namespace locus::schemes::rope
