// Odds first: the tokens at odd places (the first, the third, ...), then the others. Places are halved, and
// the second half begins at a place that only the length decides.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy" (there with two symbols).
#include "tasks/support/toy.h"

namespace locus::tasks::odds_first {

Tokens solve(const Tokens& input) {
  Tokens target;
  for (const std::size_t start : {0u, 1u})
    for (std::size_t i = start; i < input.size(); i += 2) target.push_back(input[i]);
  return target;
}

const RegisterTask odds_first({.name = "odds-first",
                               .summary = "the first, third, fifth ... token, then the second, fourth ...",
                               .form = Form::labelling,
                               .alphabet = numbers(10),
                               .draw = draw_digits,
                               .solve = solve,
                               .sample = "3 1 2 8 5"});

}  // namespace locus::tasks::odds_first
