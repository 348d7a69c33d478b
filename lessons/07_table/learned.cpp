// A table of one trained vector per position (Gehring et al. 2017; BERT, GPT-2). Positions past its end are an
// error. Chapter 7 of the lessons shows what becomes of rows that training never reads.
#include "autograd/ops.h"
#include "base/error.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/table_rows.h"

namespace locus::schemes::learned {

class Learned : public CodeScheme {
 public:
  Learned(const Options& options, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(options.text("join") == "add" ? Join::add : Join::concat, context.d_model, context, table),
        capacity_(options.integer("capacity")),
        width_(context.d_model),
        table_(table.add("position.table", {capacity_, width_}, Initial::normal(0.5))) {}

  int capacity() const override { return capacity_; }

  std::vector<double> code(double position, int, const Real* parameters) const override {
    const Real* row =
        parameters + table_.offset + std::ptrdiff_t{table_row("learned", position, capacity_)} * width_;
    return {row, row + width_};
  }

  Claims claims() const override {
    return {.direction_aware = true, .unique = true, .parameters = join_parameters() + table_.shape.count()};
  }

 protected:
  Tensor codes(Tape& tape, const Positions& positions) const override {
    // exercise 7.5: the rows of table_ for these positions, (T,D), or (B,T,D) if each example has positions of its own
    // (training must be able to change the table; a position that has no row is an error)
    fail("exercise 7.5", "still to be written");
    // end
  }

 private:
  int capacity_, width_;
  Parameter table_;
};

const RegisterScheme registered{{
    .name = "learned",
    .summary = "a trained vector for every position up to a fixed capacity",
    .source = "Gehring et al. 2017",
    .stage = Stage::embedding,
    .options = {integer_option("capacity", "512", 1, 1e9,
                               "rows of the table: the longest input there can ever be"),
                choice_option("join", "add", {"add", "concat"},
                              "added to x, or beside x and projected back")},
    .trains_each_position = true,
    .lesson = 7,
    .make = make<Learned>,
}};

}  // namespace locus::schemes::learned
