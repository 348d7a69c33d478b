// Replace and count: the first token replaces each copy of the word that follows it.
//
// Kazemnejad et al. 2023, "The Impact of Positional Encoding on Length Generalization in Transformers" (copy,
// the variant "replace 6 with > in 6 6 6": > > >).
#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::replace_count {

Tokens sample(Random& random, int length) {
  const int replacement = random.below(10);
  Tokens input(as_size(length), (replacement + 1 + random.below(9)) % 10);  // any other
  input[0] = replacement;
  return input;
}

bool accepts(const Tokens& input) {
  return input[0] != input[1] && std::ranges::count(input, input[1]) == std::ssize(input) - 1;
}

Tokens solve(const Tokens& input) { return Tokens(input.size() - 1, input.front()); }

const RegisterTask replace_count{{.name = "replace-count",
                                  .summary = "the first token, as often as the other one occurs",
                                  .form = Form::generation,
                                  .sample = sample,
                                  .accepts = accepts,
                                  .solve = solve,
                                  .shortest = 2,
                                  .layout = "a digit, then another one n times: n + 1 tokens",
                                  .example = "7 4 4 4"}};

}  // namespace locus::tasks::replace_count
