// Unique: each token once, in order of first appearance. How much shorter the target is than the input, only
// reading the input can tell, so this one is for decoders.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::unique {

Tokens solve(const Tokens& input) {
  Tokens target;
  for (const int token : input)
    if (std::find(target.begin(), target.end(), token) == target.end()) target.push_back(token);
  return target;
}

const RegisterTask unique({.name = "unique",
                           .summary = "the distinct tokens, in order of first appearance",
                           .form = Form::generation,
                           .alphabet = numbers(10),
                           .draw = draw_digits,
                           .solve = solve,
                           .sample = "3 1 3 2 1"});

}  // namespace locus::tasks::unique
