// Duplicate: the input twice. The i-th answer and the one after the middle ask for the same token, so what
// counts is the place within the copy.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy" (duplicate string; there with two
// symbols).
#include "tasks/support/toy.h"

namespace locus::tasks::duplicate {

Tokens solve(const Tokens& input) {
  Tokens target = input;
  target.insert(target.end(), input.begin(), input.end());
  return target;
}

const RegisterTask duplicate({.name = "duplicate",
                              .summary = "the input twice",
                              .form = Form::generation,
                              .alphabet = numbers(10),
                              .draw = draw_digits,
                              .solve = solve,
                              .target_growth = 2,
                              .sample = "3 1 2"});

}  // namespace locus::tasks::duplicate
