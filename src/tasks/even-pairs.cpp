// Even pairs: is the number of neighbours that differ (ab or ba) even? It is if and only if the first token
// equals the last, so what looks like counting needs only two positions.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy".
#include "tasks/support/toy.h"

namespace locus::tasks::even_pairs {

constexpr int even = 2, odd = 3;

Tokens solve(const Tokens& input) {
  int pairs = 0;
  for (std::size_t i = 0; i + 1 < input.size(); ++i) pairs += input[i] != input[i + 1] ? 1 : 0;
  return {pairs % 2 == 0 ? even : odd};
}

const RegisterTask even_pairs{{.name = "even-pairs",
                               .summary = "whether an even number of neighbours differ",
                               .form = Form::classification,
                               .alphabet = {"a", "b", "even", "odd"},
                               .sample = sample_below<2>,
                               .accepts = accept_below<2>,
                               .solve = solve,
                               .example = "a a b a"}};

}  // namespace locus::tasks::even_pairs
