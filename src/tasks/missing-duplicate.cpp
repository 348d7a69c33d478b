// Missing duplicate: a string of n tokens twice, with one
// token hidden; the answer is its copy, n positions away.
//
// Deletang et al. 2023, "Neural Networks and the Chomsky Hierarchy" (there with two symbols; odd lengths are
// padded). A trap of that definition: the hidden token is the one that occurs an odd number of times, so the
// bag alone decides and the order-blind ceiling is 1. Transformers are bad at such counting (parity.cpp).
#include <algorithm>

#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::missing_duplicate {

constexpr int hidden = 10;

Tokens twice(Tokens once) {
  once.insert(once.end(), once.begin(), once.end());
  return once;
}

int& any_of(Tokens& tokens, Random& random) {
  return tokens[as_size(random.below(static_cast<int>(tokens.size())))];
}

Tokens sample(Random& random, int length) {
  Tokens input = twice(sample_digits(random, length / 2));
  any_of(input, random) = hidden;
  return input;
}

Tokens solve(const Tokens& input) {
  const auto position = as_size(std::ranges::find(input, hidden) - input.begin());
  return {input[(position + input.size() / 2) % input.size()]};
}

bool accepts(const Tokens& input) {
  if (std::ranges::count(input, hidden) != 1) return false;
  Tokens whole = input;
  std::ranges::replace(whole, hidden, solve(input)[0]);
  return whole == twice({whole.begin(), whole.begin() + std::ssize(whole) / 2});
}

void shuffle(Random& random, Tokens& input) {
  const int answer = solve(input)[0];
  std::ranges::replace(input, hidden, answer);
  input.resize(input.size() / 2);
  shuffle_all(random, input);
  input = twice(input);
  int* token = &any_of(input, random);
  while (*token != answer) token = &any_of(input, random);
  *token = hidden;
}

const RegisterTask missing_duplicate{{.name = "missing-duplicate",
                                      .summary = "the hidden token of a string that is given twice",
                                      .form = Form::classification,
                                      .alphabet = numbers(10, {"_"}),
                                      .sample = sample,
                                      .accepts = accepts,
                                      .solve = solve,
                                      .shuffle = shuffle,
                                      .shortest = 2,
                                      .step = 2,
                                      .layout = "n digits twice, one of them hidden: 2n tokens",
                                      .example = "3 1 2 3 _ 2"}};

}  // namespace locus::tasks::missing_duplicate
