// Nth: each token names a place, counted from 0, and is answered with the token there. What is looked for is
// an absolute position, and it is given by content: no place can know in advance how far to look.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::nth {

Tokens draw(Random& random, int length) {  // short inputs have no place 9
  return draw_below(std::min(length, 10), random, length);
}

Tokens solve(const Tokens& input) {
  Tokens target;
  for (const int place : input) target.push_back(input.at(static_cast<std::size_t>(place)));
  return target;
}

const RegisterTask nth({.name = "nth",
                        .summary = "each token names a place, from 0: the token there",
                        .form = Form::labelling,
                        .alphabet = numbers(10),
                        .draw = draw,
                        .solve = solve,
                        .sample = "3 0 1 1"});

}  // namespace locus::tasks::nth
