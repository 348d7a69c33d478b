// Parity: is the number of b even? Free of order and yet hard for a transformer, since one token turns the
// answer around however long the input is (Hahn 2020, "Theoretical Limitations of Self-Attention in Neural
// Sequence Models").
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy".
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::parity {

constexpr int b = 1, even = 2, odd = 3;

Tokens draw(Random& random, int length) { return draw_below(2, random, length); }

Tokens solve(const Tokens& input) {
  return {std::count(input.begin(), input.end(), b) % 2 == 0 ? even : odd};
}

const RegisterTask parity({.name = "parity",
                           .summary = "whether the number of b is even",
                           .form = Form::classification,
                           .alphabet = {"a", "b", "even", "odd"},
                           .draw = draw,
                           .solve = solve,
                           .usual_lengths = {1, 8},
                           .sample = "a b b a b"});

}  // namespace locus::tasks::parity
