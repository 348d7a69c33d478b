// Needle: a mark, three digits, and filler tokens (hay). The needle is the first digit after the mark. The
// other two look the same, but are farther from the mark or before it, at any distance: a model must combine
// what a token is with how far away, and on which side, it is.
#include <algorithm>
#include <set>

#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::needle {

constexpr int mark = 10, hay = 11, digits = 3;

bool is_digit(int token) { return token < 10; }

void shuffle(Random& random, Tokens& input) {
  do shuffle_all(random, input);  // redrawn while no digit follows the mark
  while (std::find_if(std::ranges::find(input, mark), input.end(), is_digit) == input.end());
}

Tokens sample(Random& random, int length) {
  Tokens input = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  shuffle_all(random, input);
  input[digits] = mark;
  input.resize(digits + 1);
  input.resize(as_size(length), hay);
  shuffle(random, input);
  return input;
}

bool accepts(const Tokens& input) {
  const std::set<int> tokens(input.begin(), input.end());
  return tokens.contains(mark) && tokens.size() == digits + 1u + tokens.count(hay) &&
         std::ranges::count(input, hay) + digits + 1 == std::ssize(input) &&
         std::find_if(std::ranges::find(input, mark), input.end(), is_digit) != input.end();
}

Tokens solve(const Tokens& input) {
  return {*std::find_if(std::ranges::find(input, mark), input.end(), is_digit)};
}

const RegisterTask needle{
    {.name = "needle",
     .summary = "the first digit after the mark !, in hay, among digits nearer and farther",
     .form = Form::classification,
     .alphabet = numbers(10, {"!", "."}),
     .sample = sample,
     .accepts = accepts,
     .solve = solve,
     .shuffle = shuffle,
     .shortest = digits + 1,
     .layout = "three different digits, the mark !, and hay",
     .example = ". 4 ! . 7 . . 2"}};

}  // namespace locus::tasks::needle
