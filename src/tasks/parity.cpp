// Parity: is the number of b even? The order does not matter, and yet it is hard for
// a transformer: one changed token inverts the answer, however long the input is
// (Hahn 2020, "Theoretical Limitations of Self-Attention in Neural Sequence Models").
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy".
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::parity {

constexpr int b = 1, even = 2, odd = 3;

Tokens solve(const Tokens& input) { return {std::ranges::count(input, b) % 2 == 0 ? even : odd}; }

const RegisterTask parity{{.name = "parity",
                           .summary = "whether the number of b is even",
                           .form = Form::classification,
                           .alphabet = {"a", "b", "even", "odd"},
                           .sample = sample_below<2>,
                           .accepts = accept_below<2>,
                           .solve = solve,
                           .usual_lengths = {1, 8},
                           .example = "a b b a b"}};

}  // namespace locus::tasks::parity
