// Position coupling (Cho et al. 2024): digits of the same weight stand in the same place. A digit stands where it is in
// its number, counted from 1 at the first digit, and every other token at 0. So with numbers written least
// significant digit first, equal positions are equal powers of ten, and the digit that comes next is one place further,
// however long the numbers are. In training one random number from 0 to `offset` is added to all positions of the
// batch, so that places of longer numbers are seen, too. It decides only where tokens stand; another scheme of the
// spec says what that means: coupled+sinusoidal.
// ids=shuffled is its control: the same places, but each number has them in an order of its own, drawn anew for each
// batch, so that equal weights no longer meet.
#include "base/random.h"
#include "base/size.h"
#include "positional/support/digit_places.h"
#include "positional/support/registry.h"

namespace locus::schemes::coupled {

class Coupled : public Scheme {
 public:
  Coupled(const Options& options, const SchemeContext& context, ParameterTable&)
      : offset_(options.integer("offset")),
        is_shuffled_(options.text("ids") == "shuffled"),
        digits_(context.digits.begin(), context.digits.end()) {}

  bool counts_digits() const override { return true; }

  Positions positions(Tape& tape, const Inputs& inputs) const override {
    Random random = inputs.random;
    const int offset = tape.is_recording() ? random.below(offset_ + 1) : 0;
    const std::size_t count = inputs.tokens.size();
    int* places = tape.arena().allocate<int>(count);
    count_digit_places(inputs.tokens, inputs.length, digits_, places);
    if (is_shuffled_) shuffle(random, {places, count});
    double* positions = tape.arena().allocate<double>(count);
    for (std::size_t i = 0; i < count; ++i) positions[i] = places[i] + offset;
    return {static_cast<int>(count) / inputs.length, inputs.length, positions};
  }

  Claims claims() const override {
    return {.order_blind = true,
            .mirror_blind = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .deterministic = offset_ == 0 && !is_shuffled_,
            .causal_prefix = !is_shuffled_};
  }

 private:
  // The places of each number, 1 2 3 ..., in another order; signs, at 0, are left.
  static void shuffle(Random& random, std::span<int> places) {
    for (std::size_t begin = 0, end = 1; begin < places.size(); begin = end++) {
      while (places[begin] > 0 && end < places.size() && places[end] == places[end - 1] + 1) ++end;
      random.shuffle(places.subspan(begin, end - begin));
    }
  }

  int offset_;
  bool is_shuffled_;
  std::vector<int> digits_;
};

const RegisterScheme registered{{
    .name = "coupled",
    .summary = "digits of the same weight stand in the same place",
    .source = "Cho et al. 2024",
    .stage = Stage::positions,
    .options = {integer_option("offset", "0", 0, 1e9,
                               "the most that is added to all positions in a training step"),
                choice_option("ids", "coupled", {"coupled", "shuffled"},
                              "shuffled: each number has its places in another order, the control")},
    .reads_positions = false,
    .needs_digits = true,
    .formula = "p_t = s + 1, s + 2, s + 3 ... along each run of digits, s elsewhere;  s drawn in training, else 0",
    .traps = {"alone it says nothing: it places the tokens, and another scheme of the spec reads the places",
              "numbers must be written least significant digit first, or equal places are not equal powers",
              "without an offset in training, the places of longer numbers than trained were never seen"},
    .differs = {"numbers begin with the least significant digit here: places count up where the authors count down"},
    .make = make<Coupled>,
}};

}  // namespace locus::schemes::coupled
