// Reverse: place i must find its mirror image, so it has to know its distance from both ends.
#include "tasks/support/toy.h"

namespace locus::tasks::reverse {

Tokens solve(const Tokens& input) { return {input.rbegin(), input.rend()}; }

const RegisterTask reverse({.name = "reverse",
                            .summary = "the input backwards",
                            .form = Form::labelling,
                            .alphabet = numbers(10),
                            .draw = draw_digits,
                            .solve = solve,
                            .sample = "3 1 2"});

}  // namespace locus::tasks::reverse
