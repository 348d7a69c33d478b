// Previous: look one place to the left. The purest question about relative position; the first place
// answers itself.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::previous {

Tokens solve(const Tokens& input) {
  Tokens target = input;
  std::copy(input.begin(), input.end() - 1, target.begin() + 1);
  return target;
}

const RegisterTask previous({.name = "previous",
                             .summary = "at each place the token before it",
                             .form = Form::labelling,
                             .alphabet = numbers(10),
                             .draw = draw_digits,
                             .solve = solve,
                             .sample = "3 1 2"});

}  // namespace locus::tasks::previous
