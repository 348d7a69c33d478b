// Copy: nothing to do for an encoder, which sees the answer at its own place. A decoder must find the i-th
// token again from the i-th place of its output.
#include "tasks/support/toy.h"

namespace locus::tasks::copy {

Tokens solve(const Tokens& input) { return input; }

const RegisterTask copy({.name = "copy",
                         .summary = "the input again (of interest with --model decoder)",
                         .form = Form::labelling,
                         .alphabet = numbers(10),
                         .draw = draw_digits,
                         .solve = solve,
                         .sample = "3 1 2"});

}  // namespace locus::tasks::copy
