// Before: did A or B come first? One bit that depends on order alone: without order nothing beats a coin.
#include <algorithm>

#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::before {

constexpr int distractors = 8, token_a = 8, token_b = 9;

Tokens sample(Random& random, int length) {
  Tokens input = sample_below(distractors, random, length);
  const int a = random.below(length);
  int b = random.below(length - 1);  // any position but a
  if (b >= a) ++b;
  input[as_size(a)] = token_a;
  input[as_size(b)] = token_b;
  return input;
}

bool accepts(const Tokens& input) {
  return std::ranges::count(input, token_a) == 1 && std::ranges::count(input, token_b) == 1;
}

Tokens solve(const Tokens& input) {
  return {*std::ranges::find_if(input, [](int token) { return token >= distractors; })};
}

const RegisterTask before{{.name = "before",
                           .summary = "which came first, A or B",
                           .form = Form::classification,
                           .alphabet = numbers(distractors, {"A", "B"}),
                           .sample = sample,
                           .accepts = accepts,
                           .solve = solve,
                           .shortest = 2,
                           .layout = "one A, one B, and digits",
                           .example = "3 B 1 A 2"}};

}  // namespace locus::tasks::before
