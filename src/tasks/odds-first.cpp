// Odds first: the first, third, fifth ... token, then the others. Output position i of the first half shows
// input position 2i; where the second half begins depends on the length alone.
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

const RegisterTask odds_first{{.name = "odds-first",
                               .summary = "the first, third, fifth ... token, then the second, fourth ...",
                               .solve = solve,
                               .example = "3 1 2 8 5"}};

}  // namespace locus::tasks::odds_first
