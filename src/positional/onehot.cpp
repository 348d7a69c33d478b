// One channel for each position: 1 for the token's own position, 0 for all others. The code is appended to x, and
// a linear layer goes back to the width of x. The matrix of this layer is kept in two parts: join_ has the rows
// for the channels of x, and rows_ is a table with one row for each position. So the scheme is a learned table;
// tests/positional/equivalence_test.cpp compares it with one, and with the layer on the appended vector.
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
    std::vector<double> code(as_size(capacity_));
    code[as_size(row)] = 1;
    return code;
  }

  Tensor embedding(Tensor x, const Inputs& inputs) const override {
    Tape& tape = x.tape();
    const auto rows = table_rows("onehot", tape, inputs.positions, capacity_);
    const Tensor table = tape.parameter(rows_);  // (capacity,D)
    // exercise 5.3: x (B,T,D) -> (B,T,D): the linear layer of x with its codes, without multiplying the codes.
    // inputs.positions are (T), or (B,T) if each example has its own
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
    .traps = {"it is a learned table: any two codes have the same distance, also those of neighbours",
              "a position past its capacity is an error; it never gets the last channel",
              "channels past the longest trained input are untrained"},
    .trains_each_position = true,
    .lesson = 5,
    .make = make<Onehot>,
}};

}  // namespace locus::schemes::onehot
