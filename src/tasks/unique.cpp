// Unique: each token once, in order of first appearance. The length of the
// target depends on the tokens of the input, so the task is for decoders.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::unique {

Tokens solve(const Tokens& input) {
  Tokens target;
  for (const int token : input)
    if (std::ranges::find(target, token) == target.end()) target.push_back(token);
  return target;
}

const RegisterTask unique{{.name = "unique",
                           .summary = "the distinct tokens, in order of first appearance",
                           .form = Form::generation,
                           .solve = solve,
                           .example = "3 1 3 2 1"}};

}  // namespace locus::tasks::unique
