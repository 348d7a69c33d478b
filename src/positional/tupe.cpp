// Untied positional encoding (Ke, He and Liu 2021, "Rethinking positional encoding in language pre-training", TUPE):
// tokens are compared with tokens and positions with positions, each by matrices of their own; the cross terms of added
// codes are left out.
//   score = (q_i . k_j + (U_Q p_i) . (U_K p_j)) / sqrt(2d)      p_t = layer norm of row t of a learned table
// The table, U_Q and U_K are shared by all layers. The 2 under the root is for the sum of two products. This is TUPE-A;
// with t5's bias behind it, `tupe+t5`, TUPE-R.
#include <cmath>

#include "autograd/ops.h"
#include "nn/layers.h"
#include "positional/support/registry.h"
#include "positional/support/table_rows.h"

namespace locus::schemes::tupe {

class Tupe : public Scheme {
 public:
  Tupe(const Options& options, const SchemeContext& context, ParameterTable& table)
      : capacity_(options.integer("capacity")),
        heads_(context.heads),
        before_(table.count()),
        table_(table.add("position.tupe.table", {capacity_, context.d_model}, Initial::normal(0.02))),
        norm_(table, "position.tupe.norm", context.d_model),
        query_(table, "position.tupe.query", context.d_model, context.d_model),
        key_(table, "position.tupe.key", context.d_model, context.d_model),
        parameters_(table.count() - before_) {}

  int capacity() const override { return capacity_; }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& positions = inputs.positions;
    Tape& tape = scores.tape();
    const Tensor rows = gather_rows(tape.parameter(table_), table_rows("tupe", tape, positions, capacity_),
                                    {positions.rows, positions.length});
    const Tensor p = norm_(rows);                     // (1 or B,T,D)
    const Tensor q = split_heads(query_(p), heads_);  // (1 or B,H,T,d)
    const Tensor k = split_heads(key_(p), heads_);
    const Tensor of_tokens = scores / std::sqrt(2);  // they are q . k / sqrt(d) already
    return of_tokens + matmul(q, transpose(k), 1 / std::sqrt(2.0 * inputs.d_head()));
  }

  Claims claims() const override { return {.direction_aware = true, .parameters = parameters_}; }

 private:
  int capacity_, heads_;
  std::size_t before_;  // parameters of others
  Parameter table_;
  LayerNorm norm_;
  Linear query_, key_;
  std::size_t parameters_;
};

const RegisterScheme registered{{
    .name = "tupe",
    .summary = "tokens compared with tokens, positions with positions, each by matrices of their own",
    .source = "Ke, He and Liu 2021",
    .stage = Stage::scores,
    .options = {integer_option("capacity", "512", 1, 1e9,
                               "rows of the table: the longest input there can ever be")},
    .formula = "score = (q_i . k_j + (U_Q p_i) . (U_K p_j)) / sqrt(2d),   p_t = layer norm of table[t]",
    .traps = {"both products are divided by sqrt(2d), not by sqrt(d)",
              "past its capacity there is nothing: an error, never the last row",
              "it divides what stands before it in a spec by sqrt(2), too: write tupe+t5, not t5+tupe"},
    .trains_each_position = true,
    .differs = {"left out: the scores from and to [CLS], which the paper unties from positions; "
                "there is no such token here"},
    .make = make<Tupe>,
}};

}  // namespace locus::schemes::tupe
