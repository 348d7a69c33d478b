// Cycle: steps to the right and to the left on a ring of five places, from place 0. Steps can be taken in any
// order, so none is needed; what is hard is counting modulo five.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy" (cycle navigation).
#include "tasks/support/toy.h"

namespace locus::tasks::cycle {

constexpr int ring = 5, stay = ring;  // the tokens: places, then steps
constexpr int right = stay + 1, left = stay + 2;

Tokens draw(Random& random, int length) {
  Tokens input(static_cast<std::size_t>(length));
  for (int& token : input) token = stay + random.below(3);
  return input;
}

Tokens solve(const Tokens& input) {
  int place = 0;
  for (const int step : input) place += step == right ? 1 : step == left ? ring - 1 : 0;
  return {place % ring};
}

const RegisterTask cycle({.name = "cycle",
                          .summary = "where steps on a ring of five places lead, from 0",
                          .form = Form::classification,
                          .alphabet = numbers(ring, {"stay", "right", "left"}),
                          .draw = draw,
                          .solve = solve,
                          .usual_lengths = {8, 8},
                          .sample = "right stay left left"});

}  // namespace locus::tasks::cycle
