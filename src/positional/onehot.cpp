// A channel for every position, 1 there and 0 elsewhere, beside x; then a linear layer back to its width. A
// matrix times a one-hot vector is one of its rows, so that layer is two: one for x, and a table of a row per
// position, looked up. That a one-hot is a learned table in disguise is proved, against the long way round,
// in tests/positional/equivalence_test.cpp.
#include <cmath>

#include "autograd/ops.h"
#include "base/size.h"
#include "nn/layers.h"
#include "positional/support/registry.h"
#include "positional/support/table_rows.h"

namespace locus::schemes::onehot {

class Onehot : public Scheme {
 public:
  Onehot(const Options& options, const SchemeContext& context, ParameterTable& table)
      : capacity_(options.integer("capacity")),
        join_(table, "position.join", context.d_model, context.d_model),
        rows_(table.add("position.rows", {capacity_, context.d_model},
                        Initial::uniform(1 / std::sqrt(context.d_model + capacity_)))),
        parameters_(as_size(context.d_model + capacity_ + 1) * as_size(context.d_model)) {}

  int capacity() const override { return capacity_; }

  std::vector<double> code(double position, int, const Real*) const override {
    const int row = table_row("onehot", position, capacity_);  // an error past the capacity
    // exercise 5.3: row -> capacity_ numbers, 1 at `row` and 0 elsewhere
    std::vector<double> code(as_size(capacity_));
    code[as_size(row)] = 1;
    return code;
    // end
  }

  Tensor embedding(Tensor x, const Inputs& inputs) const override {
    Tape& tape = x.tape();
    const auto rows = table_rows("onehot", tape, inputs.positions, capacity_);
    const Tensor table = tape.parameter(rows_);  // (capacity,D)
    // exercise 5.4: join_ of x (B,T,D), plus codes (T,capacity) times table: no zero need be multiplied
    return join_(x) + gather_rows(table, rows, inputs.positions.shape());
    // end
  }

  Claims claims() const override {
    return {.direction_aware = true, .unique = true, .linear_shift = true, .parameters = parameters_};
  }

 private:
  int capacity_;
  Linear join_;
  Parameter rows_;
  std::size_t parameters_;
};

const RegisterScheme registered{{
    .name = "onehot",
    .summary = "a channel for every position up to a fixed capacity, then a linear layer back",
    .source = "the third idea everybody has",
    .stage = Stage::embedding,
    .options = {integer_option("capacity", "512", 1, 1e9, "channels: the longest input there can ever be")},
    .formula = "x_p, e_p -> back to the width of x by a linear layer,  e_p = (0 ... 0, 1 at p, 0 ... 0)",
    .traps = {"it is a learned table: all codes are equally far apart, neighbours too",
              "past its capacity there is nothing: an error, never the last channel",
              "channels past the longest trained input are untrained"},
    .trains_each_position = true,
    .lesson = 5,
    .make = make<Onehot>,
}};

}  // namespace locus::schemes::onehot
