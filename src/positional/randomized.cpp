// Positions drawn at random (Ruoss et al. 2023): in every training step, L different whole numbers from
// 0 .. range-1, sorted, one draw for the whole batch. The token that stands r-th gets the r-th of them, so a
// short input already visits positions that only long ones will reach. It decides only where tokens stand;
// another scheme of the spec says what that means: randomized+sinusoidal.
// test=random: drawn also at test, as in the authors' code, for every 16 examples. test=sorted: evenly spaced, each
// where the
//   draws of training have their mean, (r+1) (range+1) / (L+1) - 1.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "base/size.h"
#include "positional/support/registry.h"

namespace locus::schemes::randomized {

// `count` different numbers from 0 .. range-1 in rising order, every choice equally likely (Knuth, The Art of
// Computer Programming, volume 2, 3.4.2, algorithm S).
void draw_sorted(Random random, int range, int count, double* places) {
  for (int place = 0; count > 0; ++place)
    if (random.below(range - place) < count) *places++ = place, --count;
}

// How many tokens of the row stand before this one; of two in one place, the first given does.
int rank(const Positions& p, int row, int t) {
  int before = 0;
  for (int s = 0; s < p.length; ++s) before += p(row, s) < p(row, t) || (p(row, s) == p(row, t) && s < t);
  return before;
}

class Randomized : public Scheme {
 public:
  Randomized(const Options& options, const SchemeContext& context, ParameterTable&)
      : range_(options.integer("range")), random_test_(options.text("test") == "random") {
    if (!options.given("range")) range_ = std::min(range_, context.capacity);
    if (range_ > context.capacity)
      fail_usage(
          "randomized",
          str("'range=", range_, "' goes past the ", context.capacity, " positions of the other scheme"),
          str("give range=", context.capacity, " or less, or the other a larger capacity"));
  }

  int capacity() const override { return range_; }

  Positions positions(Tape& tape, const Inputs& inputs) const override {
    const auto& [rows, T, data] = inputs.positions;
    if (T > range_)
      fail("randomized", str(T, " tokens cannot have ", range_, " different positions"),
           str("give randomized:range=", T, " or more"));
    double* places = tape.arena().allocate<double>(as_size(T));
    if (tape.is_recording() || random_test_)
      draw_sorted(inputs.random, range_, T, places);
    else
      for (int r = 0; r < T; ++r) places[r] = std::round((r + 1) * (range_ + 1.0) / (T + 1) - 1);
    double* chosen = tape.arena().allocate<double>(inputs.positions.all().size());
    for (int row = 0; row < rows; ++row)
      for (int t = 0; t < T; ++t) chosen[row * T + t] = places[rank(inputs.positions, row, t)];
    return {rows, T, chosen};
  }

  Claims claims() const override {
    return {.order_blind = true,
            .mirror_blind = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .deterministic = false,
            .causal_prefix = false};
  }

 private:
  int range_;
  bool random_test_;
};

const RegisterScheme registered{{
    .name = "randomized",
    .summary = "in training, positions are a random rising choice from a long range",
    .source = "Ruoss et al. 2023",
    .stage = Stage::positions,
    .options = {integer_option(
                    "range", "2048", 1, 1e6,
                    "positions to choose from; when left out, no more than the other scheme knows"),
                choice_option("test", "random", {"random", "sorted"}, "drawn at test too, or evenly spaced")},
    .reads_positions = false,  // but passes them on
    .formula = "p_r = the r-th of L different numbers drawn from 0 .. range-1, sorted",
    .traps = {"alone it says nothing: it moves the positions that another scheme of the spec reads",
              "drawn anew in every training step, once for the whole batch",
              "drawn at test as well, for every 16 examples: scores are means over many draws",
              "a decoder draws again for each token that it generates, so tokens move as the answer grows"},
    .differs = {"relative schemes subtract the positions drawn here, so pairs equally "
                "far apart get different distances; the authors draw sorted distances "
                "for them, one for each j - i: here one draw serves every scheme"},
    .make = make<Randomized>,
}};

}  // namespace locus::schemes::randomized
