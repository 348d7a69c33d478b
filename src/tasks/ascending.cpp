// Ascending: compare with the neighbour on the right. Left must be told from right, and distance 1 from
// others.
#include "tasks/support/toy.h"

namespace locus::tasks::ascending {

constexpr int yes = 10, no = 11;

Tokens solve(const Tokens& input) {
  Tokens target(input.size(), no);  // the last place has no neighbour: no
  for (std::size_t i = 0; i + 1 < input.size(); ++i)
    if (input[i] < input[i + 1]) target[i] = yes;
  return target;
}

const RegisterTask ascending({.name = "ascending",
                              .summary = "at each place whether the next token is greater",
                              .form = Form::labelling,
                              .alphabet = numbers(10, {"yes", "no"}),
                              .draw = draw_digits,
                              .solve = solve,
                              .sample = "3 1 2"});

}  // namespace locus::tasks::ascending
