// Indirect indexing: a string of different letters, one of them again, and a shift; the answer is the letter so many
// positions after that one (before it, when the shift is negative). A model must find a letter by what it is, and
// another by where it stands.
//
// After the diagnostic task of Gopalakrishnan et al. 2025, "Decoupling the What and Where With Polar Coordinate
// Positional Embeddings".
#include <set>
#include <span>

#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::indirect {

constexpr int letters = 20, farthest = 5;  // tokens: letters 0 .. 19, then the shifts -5 .. -1 and +1 .. +5

int shift_of(int token) {
  const int n = token - letters;
  return n < farthest ? n - farthest : n - farthest + 1;
}
int token_of(int shift) { return letters + farthest + (shift < 0 ? shift : shift - 1); }

int find(const Tokens& input, int letter) {
  return static_cast<int>(std::ranges::find(input, letter) - input.begin());
}

// Where the answer stands; it may be outside of the string.
int place(const Tokens& input) { return find(input, input[input.size() - 2]) + shift_of(input.back()); }

bool inside(const Tokens& input) {
  return place(input) >= 0 && place(input) < static_cast<int>(input.size()) - 2;
}

// Draws the order of the letters anew until the shift leads to one of them.
void shuffle(Random& random, Tokens& input) {
  do random.shuffle(std::span(input).first(input.size() - 2));
  while (!inside(input));
}

Tokens sample(Random& random, int length) {
  Tokens input(letters);
  for (int letter = 0; letter < letters; ++letter) input[as_size(letter)] = letter;
  shuffle_all(random, input);
  input.resize(as_size(length) - 2);
  const int most = std::min(farthest, length - 3), size = 1 + random.below(most);
  const int sign = random.below(2) == 0 ? -1 : 1;
  input.push_back(input.front());
  input.push_back(token_of(sign * size));
  shuffle(random, input);
  return input;
}

bool accepts(const Tokens& input) {
  const auto string = std::span(input).first(input.size() - 2);
  const std::set<int> different(string.begin(), string.end());
  return different.size() == string.size() && *different.rbegin() < letters && input.back() >= letters &&
         different.contains(input[input.size() - 2]) && inside(input);
}

Tokens solve(const Tokens& input) { return {input[as_size(place(input))]}; }

const RegisterTask indirect{
    {.name = "indirect",
     .summary = "the letter so many positions after, or before, the letter that is named",
     .form = Form::classification,
     .alphabet = {"a", "b", "c", "d", "e", "f",  "g",  "h",  "i",  "j",  "k",  "l",  "m",  "n",  "o",
                  "p", "q", "r", "s", "t", "-5", "-4", "-3", "-2", "-1", "+1", "+2", "+3", "+4", "+5"},
     .sample = sample,
     .accepts = accepts,
     .solve = solve,
     .shuffle = shuffle,
     .shortest = 4,
     .longest = letters + 2,
     .layout = "n different letters, one of them again, and a shift: n + 2 tokens",
     .example = "k c f a h c +2"}};

}  // namespace locus::tasks::indirect
