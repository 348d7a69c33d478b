// Last: every place looks at the end. For a decoder, which counts from the start, the end is wherever the
// input stops.
#include "tasks/support/toy.h"

namespace locus::tasks::last {

Tokens solve(const Tokens& input) { return Tokens(input.size(), input.back()); }

const RegisterTask last({.name = "last",
                         .summary = "at each place the last token of the input",
                         .form = Form::labelling,
                         .alphabet = numbers(10),
                         .draw = draw_digits,
                         .solve = solve,
                         .sample = "3 1 2"});

}  // namespace locus::tasks::last
