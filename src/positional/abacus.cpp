// Abacus embeddings (McLeish et al. 2024): a trained vector for the place of a digit within its number,
// counted from 1 at the first digit; all tokens but digits share row 0. With numbers written least
// significant digit first, equal rows mean equal powers of ten. In training one random number from 0 to
// `offset` is added to the places of all digits of the batch, so that rows for longer numbers are trained
// too. It looks at the tokens, and takes no notice of where they stand.
#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "base/size.h"
#include "positional/support/digit_places.h"
#include "positional/support/registry.h"

namespace locus::schemes::abacus {

class Abacus : public Scheme {
 public:
  Abacus(const Options& options, const SchemeContext& context, ParameterTable& table)
      : capacity_(options.integer("capacity")),
        offset_(options.integer("offset")),
        digits_(context.digits.begin(), context.digits.end()),
        table_(table.add("position.table", {capacity_ + 1, context.d_model}, Initial::normal(0.5))) {}

  bool counts_digits() const override { return true; }

  Tensor embedding(Tensor x, const Inputs& inputs) const override {
    Tape& tape = x.tape();
    Random random = inputs.random;
    const int offset = tape.is_recording() ? random.below(offset_ + 1) : 0;
    const std::size_t count = inputs.tokens.size(), T = as_size(inputs.length);
    int* rows = tape.arena().allocate<int>(count);
    count_digit_places(inputs.tokens, inputs.length, digits_, rows);
    for (std::size_t i = 0; i < count; ++i) {
      const int place = rows[i];
      if (place > 0) rows[i] += offset;
      if (rows[i] > capacity_)
        fail("abacus", str("digit ", place, " of a number needs row ", rows[i], " of a table of ", capacity_),
             "give abacus:capacity=N, as much as the longest number and the offset");
    }
    const Shape shape{static_cast<int>(count / T), inputs.length};
    return x + gather_rows(tape.parameter(table_), {rows, count}, shape);
  }

  Claims claims() const override {
    return {.shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .deterministic = offset_ == 0,
            .parameters = table_.shape.count()};
  }

 private:
  int capacity_, offset_;
  std::vector<int> digits_;
  Parameter table_;
};

const RegisterScheme registered{{
    .name = "abacus",
    .summary = "a trained vector for the place of a digit within its number",
    .source = "McLeish et al. 2024",
    .stage = Stage::embedding,
    .options = {integer_option("capacity", "512", 1, 1e9, "places: the longest number, and the offset"),
                integer_option("offset", "0", 0, 1e9,
                               "the most that is added to all places in a training step")},
    .reads_positions = false,
    .formula = "x_t + table[r],  r = 1, 2, 3 ... along each run of digits, 0 elsewhere",
    .traps = {"numbers must be written least significant digit first, or equal places are not equal powers",
              "without an offset in training, rows of longer numbers than trained are noise",
              "tokens other than digits look alike wherever they stand"},
    .make = make<Abacus>,
}};

}  // namespace locus::schemes::abacus
