// Previous: look one position to the left. The simplest question about relative position; the first position
// answers with its own token.
#include <algorithm>
#include <cmath>

#include "tasks/support/toy.h"

namespace locus::tasks::previous {

Tokens solve(const Tokens& input) {
  Tokens target = {input.front()};
  target.insert(target.end(), input.begin(), input.end() - 1);
  return target;
}

// The answer follows the input and the mark SEP, so the token that it repeats is length + 1 back, but for the first:
// its token is `length` back, and the second answer repeats the first. What is not seen is guessed, one of ten digits.
double window_ceiling(int length, int field) {
  const int guesses = field > length    ? 0
                      : field == length ? std::max(0, length - 2)
                                        : std::max(1, length - 1);
  return std::pow(0.1, guesses);
}

const RegisterTask previous{{.name = "previous",
                             .summary = "at each position the token before it",
                             .solve = solve,
                             .window_ceiling = window_ceiling}};

}  // namespace locus::tasks::previous
