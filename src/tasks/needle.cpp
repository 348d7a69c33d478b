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

// The answer follows the input, so `field` tokens at its end are seen. The mark and the digits, four of them, stand at
// any four places, and the mark is first, second or third, each as likely. With j of the four in sight:
//   0   any digit is a guess, right 1 time in 10
//   1   a digit: it is the needle if the mark is the third, and a digit not in sight is right less often
//   2   the mark, or else the nearer digit, which is the needle in half of those cases: 1/3 + 2/3 * 1/2
//   3   the mark with the needle, or all three digits
double window_ceiling(int length, int field) {
  const auto choose = [](int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways *= static_cast<double>(n - i) / (i + 1);
    return n < k ? 0 : ways;
  };
  constexpr double right[] = {0.1, 1.0 / 3, 2.0 / 3, 1, 1};
  const int seen = std::min(field, length);
  double sum = 0;
  for (int j = 0; j <= digits + 1; ++j)
    sum += choose(seen, j) * choose(length - seen, digits + 1 - j) * right[j];
  return sum / choose(length, digits + 1);
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
     .window_ceiling = window_ceiling,
     .shortest = digits + 1,
     .layout = "three different digits, the mark !, and dots",
     .example = ". 4 ! . 7 . . 2"}};

}  // namespace locus::tasks::needle
