// First: every place looks at place 0. The purest question about absolute position.
#include "tasks/support/toy.h"

namespace locus::tasks::first {

Tokens solve(const Tokens& input) { return Tokens(input.size(), input.front()); }

const RegisterTask first({.name = "first",
                          .summary = "at each place the first token of the input",
                          .form = Form::labelling,
                          .alphabet = numbers(10),
                          .draw = draw_digits,
                          .solve = solve,
                          .sample = "3 1 2"});

}  // namespace locus::tasks::first
