// Counting: two variables are incremented and set to zero; the last token asks for the value of one. Only the
// increments after its last zero count, so a model must count tokens, not measure a distance.
//
// Golovneva et al. 2024, "Contextual Position Encoding: Learning to Count What's Important" (there a
// statement is several tokens).
#include <span>

#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::counting {

constexpr int longest = 64;  // every value is a token of its own
constexpr int first_statement = longest - 1, zero = 0, increment = 1, print = 2, statements = 3;

// Token of a statement about variable 0 (a) or 1 (b).
int say(int statement, int variable) { return first_statement + statements * variable + statement; }

Tokens sample(Random& random, int length) {
  Tokens input(as_size(length));
  for (int& token : input) {
    // A draw of its own: compilers differ in the order in which they evaluate the arguments of a call.
    const int variable = random.below(2);
    token = say(random.below(5) == 0 ? zero : increment, variable);
  }
  input.back() = say(print, random.below(2));
  return input;
}

bool accepts(const Tokens& input) {
  const auto is_question = [](int token) { return token == say(print, 0) || token == say(print, 1); };
  return is_question(input.back()) && std::ranges::count_if(input, is_question) == 1 &&
         std::ranges::min(input) >= first_statement;
}

void shuffle(Random& random, Tokens& input) { random.shuffle(std::span(input).first(input.size() - 1)); }

Tokens solve(const Tokens& input) {
  const int asked = (input.back() - first_statement) / statements;
  int value = 0;
  for (const int token : input)
    if (token == say(zero, asked))
      value = 0;
    else if (token == say(increment, asked))
      ++value;
  return {value};
}

const RegisterTask counting{
    {.name = "counting",
     .summary = "the value of the variable that is asked: increments since its last zero",
     .form = Form::classification,
     .alphabet = numbers(first_statement, {"a=0", "a++", "a?", "b=0", "b++", "b?"}),
     .sample = sample,
     .accepts = accepts,
     .solve = solve,
     .shuffle = shuffle,
     .shortest = 2,
     .longest = longest,
     .layout = "n statements and a question: n + 1 tokens",
     .example = "a++ b++ a=0 a++ a++ a?"}};

}  // namespace locus::tasks::counting
