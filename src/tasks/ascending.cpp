// Ascending: compare each token with its right neighbour. A model
// must tell left from right, and distance 1 from other distances.
#include "tasks/support/toy.h"

namespace locus::tasks::ascending {

constexpr int yes = 10, no = 11;

Tokens solve(const Tokens& input) {
  Tokens target(input.size(), no);  // the last position has no right neighbour: no
  for (std::size_t i = 0; i + 1 < input.size(); ++i)
    if (input[i] < input[i + 1]) target[i] = yes;
  return target;
}

const RegisterTask ascending{{.name = "ascending",
                              .summary = "at each position whether the next token is greater",
                              .alphabet = numbers(10, {"yes", "no"}),
                              .accepts = accept_below<10>,
                              .solve = solve}};

}  // namespace locus::tasks::ascending
