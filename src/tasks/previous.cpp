// Previous: look one position to the left. The simplest question about relative position; the first position
// answers with its own token.
#include "tasks/support/toy.h"

namespace locus::tasks::previous {

Tokens solve(const Tokens& input) {
  Tokens target = {input.front()};
  target.insert(target.end(), input.begin(), input.end() - 1);
  return target;
}

const RegisterTask previous{
    {.name = "previous", .summary = "at each position the token before it", .solve = solve}};

}  // namespace locus::tasks::previous
