// Repeat copy: one word n times; the answer is the same again.
// Nothing has to be looked up; only the count can be wrong.
//
// Kazemnejad et al. 2023, "The Impact of Positional Encoding on Length Generalization in Transformers" (copy,
// the variant with one repeated token).
#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::repeat_copy {

constexpr int words = 100;  // as many as there are inputs of one length

Tokens sample(Random& random, int length) { return Tokens(as_size(length), random.below(words)); }

bool accepts(const Tokens& input) { return input == Tokens(input.size(), input.front()); }

Tokens solve(const Tokens& input) { return input; }

const RegisterTask repeat_copy{
    {.name = "repeat-copy",
     .summary = "one repeated word, as often again (of interest with --model decoder)",
     .alphabet = numbers(words),
     .sample = sample,
     .accepts = accepts,
     .solve = solve,
     .layout = "one word, n times: n tokens",
     .example = "42 42 42"}};

}  // namespace locus::tasks::repeat_copy
