// Sort: the bag of tokens alone decides the target, but which
// part of it a position must give depends on the position.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::sort {

Tokens solve(const Tokens& input) {
  Tokens target = input;
  std::ranges::sort(target);
  return target;
}

const RegisterTask sort{{.name = "sort", .summary = "the input in ascending order", .solve = solve}};

}  // namespace locus::tasks::sort
