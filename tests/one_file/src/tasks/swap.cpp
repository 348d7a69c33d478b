// Swap: neighbours change places, two by two; a last one without a neighbour stays.
#include "tasks/support/toy.h"

namespace locus::tasks::swap {

Tokens solve(const Tokens& input) {
  Tokens target = input;
  for (std::size_t i = 0; i + 1 < target.size(); i += 2) std::swap(target[i], target[i + 1]);
  return target;
}

const RegisterTask swap{{.name = "swap",
                         .summary = "neighbours change places, two by two",
                         .solve = solve,
                         .example = "3 1 2 0 5"}};

}  // namespace locus::tasks::swap
