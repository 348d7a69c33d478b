// Cycle: steps to the right and to the left on a ring of five fields, from field 0. The order of the steps
// does not matter; the difficulty is counting modulo five.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy" (cycle navigation).
#include "tasks/support/toy.h"

namespace locus::tasks::cycle {

constexpr int ring = 5, stay = ring;  // the tokens: fields, then steps
constexpr int right = stay + 1, left = stay + 2;

Tokens sample(Random& random, int length) {
  Tokens input = sample_below(3, random, length);
  for (int& step : input) step += stay;
  return input;
}

bool accepts(const Tokens& input) { return std::ranges::min(input) >= stay; }

Tokens solve(const Tokens& input) {
  int field = 0;
  for (const int step : input) field += step == right ? 1 : step == left ? ring - 1 : 0;
  return {field % ring};
}

const RegisterTask cycle{{.name = "cycle",
                          .summary = "where steps on a ring of five fields lead, from 0",
                          .form = Form::classification,
                          .alphabet = numbers(ring, {"stay", "right", "left"}),
                          .sample = sample,
                          .accepts = accepts,
                          .solve = solve,
                          .usual_lengths = {8, 8},
                          .example = "right stay left left"}};

}  // namespace locus::tasks::cycle
