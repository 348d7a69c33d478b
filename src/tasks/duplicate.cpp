// Duplicate: the input twice. Answer i and answer i + T (input length T)
// are the same token, so what counts is the position within the copy.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky
// Hierarchy" (duplicate string; there with two symbols).
#include "tasks/support/toy.h"

namespace locus::tasks::duplicate {

Tokens solve(const Tokens& input) {
  Tokens target = input;
  target.insert(target.end(), input.begin(), input.end());
  return target;
}

const RegisterTask duplicate{{.name = "duplicate",
                              .summary = "the input twice",
                              .form = Form::generation,
                              .solve = solve,
                              .target_growth = 2}};

}  // namespace locus::tasks::duplicate
