// Rotary positions with fading (Sun et al. 2022, "A length-extrapolatable transformer"): pair i turns as in
// rope, and its part of the score is also multiplied by zeta_i^((p - q) / S),
//   zeta_i = (2i + 0.4 d) / (1.4 d) < 1,  S = scale_base
// one factor in the query at p, the other in the key at q. So scores fade with the distance p - q, fast pairs
// the most. The scores of keys after the query would grow instead, so it is for decoders only. As in the authors'
// code positions are counted from the middle of the input here, which leaves the scores the same. In a long input, or
// with a small S, one factor alone can leave the range of a float though the product does not. Such an input is cut
// into N blocks of rows, each counted from its own middle, and q and k get N d channels: a query has zeros in all but
// the d of its block; a key has in the d of each block what the queries of that block need. Usual inputs are one block.
#include <algorithm>
#include <cmath>
#include <complex>

#include "autograd/ops.h"
#include "base/size.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"
#include "positional/support/rotary_settings.h"

namespace locus::schemes::xpos {

class Xpos : public Scheme {
 public:
  Xpos(const Options& options, const SchemeContext& context, ParameterTable&)
      : settings_{.base = options.number("base"),
                  .channels = channels_in_pairs("xpos", context.d_head(), context.d_head())},
        scale_base_(options.number("scale_base")) {}

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    const auto turns = turns_(p, [&] { return turns_of(p); });
    q = repeated(q, turns->blocks);
    k = repeated(k, turns->blocks);
    const auto [query_cos, query_sin] = turns->query.on(q.tape(), p);
    const auto [key_cos, key_sin] = turns->key.on(k.tape(), p);
    q = rotate(q, query_cos, query_sin, PairLayout::interleaved);
    k = rotate(k, key_cos, key_sin, PairLayout::interleaved);
  }

  Frequencies frequencies(int length) const override { return rotary_frequencies(settings_, length); }

  Claims claims() const override {
    // The middles move with the length; scores stay the same but for rounding.
    return {.direction_aware = true, .shift_invariant = true, .extrapolates = true, .causal_prefix = false};
  }

 private:
  double zeta(std::size_t pair) const {
    const double d = settings_.channels;
    return (2 * static_cast<double>(pair) + 0.4 * d) / (1.4 * d);
  }

  struct QueryAndKey {
    Turns query, key;
    int blocks;
  };

  QueryAndKey turns_of(const Positions& p) const {
    const std::vector<Block> blocks = blocks_of(p);
    QueryAndKey all{{}, {}, static_cast<int>(blocks.size())};
    const std::vector<double> theta = frequencies(p.length).inverse_frequency;
    for (int row = 0; row < p.rows; ++row)
      for (int t = 0; t < p.length; ++t)
        for (const auto [first, end] : blocks)
          for (std::size_t pair = 0; pair < theta.size(); ++pair) {
            const double angle = p(row, t) * theta[pair], from_middle = p(row, t) - p(row, (first + end) / 2);
            // exercise 10.6: the complex numbers by which xPos multiplies this pair of a query and of a key at this
            // position (the product of the lengths of a query's and a key's number may depend on the distance only)
            const double fading = std::pow(zeta(pair), from_middle / scale_base_);
            const std::complex<double> query = std::polar(fading, angle);
            const std::complex<double> key = std::polar(1 / fading, angle);
            // end
            const bool own = first <= t && t < end, seen = t < end;  // later keys are masked
            all.query.add(own ? query : 0);
            all.key.add(seen ? key : 0);
          }
    return all;
  }

  struct Block {
    int first, end;  // rows
  };

  // As long as they can be: within a block no factor, and no product of two, is above e^64.
  std::vector<Block> blocks_of(const Positions& p) const {
    const double most = 64 * scale_base_ / -std::log(zeta(0));  // positions from the lowest to the highest
    const auto spread = [&](int row, int first, int end) {
      const auto [low, high] = std::ranges::minmax(
          p.all().subspan(as_size(row) * as_size(p.length) + as_size(first), as_size(end - first)));
      return high - low;
    };
    std::vector<Block> blocks{{0, 0}};
    for (int t = 0; t < p.length; ++t) {
      bool fits = true;
      for (int row = 0; row < p.rows; ++row) fits &= spread(row, blocks.back().first, t + 1) <= most;
      if (!fits) blocks.push_back({t, t});
      blocks.back().end = t + 1;
    }
    return blocks;
  }

  // x (B,H,T,d) -> (B,H,T,times d)
  static Tensor repeated(Tensor x, int times) {
    return times == 1 ? x : concat(repeated(x, times / 2), repeated(x, times - times / 2));
  }

  RotarySettings settings_;
  double scale_base_;
  Remembered<QueryAndKey> turns_;
};

const RegisterScheme registered{{
    .name = "xpos",
    .summary = "turns pairs of query and key channels, and lets scores fade with distance",
    .source = "Sun et al. 2022",
    .stage = Stage::query_and_key,
    .options = {number_option("base", "10000", 1.0001, 1e12,
                              "ratio of the longest to the shortest wavelength, nearly"),
                number_option("scale_base", "512", 1, 1e9,
                              "distance over which the score of pair i shrinks by zeta_i")},
    .causal_only = true,
    .formula = "as rope, with pair i of the score times zeta_i^((p-q)/S),\n"
               "zeta_i = (2i + 0.4d) / 1.4d,  S = scale_base",
    .traps = {"keys after the query would grow with distance: decoders only",
              "scale_base 512 fades scores by less than a quarter in 100 tokens: "
              "choose it near the input's length",
              "positions are counted from the middle of the input, "
              "so a new token changes all keys: cached ones are wrong"},
    .lesson = 10,
    .make = make<Xpos>,
}};

}  // namespace locus::schemes::xpos
