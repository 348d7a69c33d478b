// Brackets: which bracket closes this one, or is closed by it? The kind
// of each bracket is drawn independently of its partner's, so only the
// nesting tells which one the partner is; it may be any distance away.
//
// Well-nested strings (the Dyck language) are drawn evenly by the cycle lemma of Dvoretzky and Motzkin 1947:
// of the rotations of n steps up and n + 1 down, exactly one stays at 0 or above until its last step.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::brackets {

constexpr int kinds = 4;  // tokens below 4 open, the others close

bool opens(int token) { return token < kinds; }

// These brackets, well nested: each nesting and each order of the kinds is equally likely.
Tokens nest(Random& random, Tokens openers, Tokens closers) {
  shuffle_all(random, openers);
  shuffle_all(random, closers);
  Tokens steps(openers.size(), 1);
  steps.resize(2 * openers.size() + 1, -1);
  shuffle_all(random, steps);
  int height = 0, lowest = 0;
  auto start = steps.begin();  // the step after the height is lowest for the first time
  for (auto step = steps.begin(); step != steps.end(); ++step)
    if ((height += *step) < lowest) lowest = height, start = step + 1;
  std::rotate(steps.begin(), start, steps.end());
  steps.pop_back();
  Tokens input;
  for (const int step : steps) {
    Tokens& side = step > 0 ? openers : closers;
    input.push_back(side.back());
    side.pop_back();
  }
  return input;
}

Tokens sample(Random& random, int length) {
  const Tokens openers = sample_below(kinds, random, length / 2);
  Tokens closers = sample_below(kinds, random, length / 2);
  for (int& token : closers) token += kinds;
  return nest(random, openers, closers);
}

void shuffle(Random& random, Tokens& input) {
  const auto middle = std::partition(input.begin(), input.end(), opens);
  input = nest(random, {input.begin(), middle}, {middle, input.end()});
}

bool accepts(const Tokens& input) {  // all are closed, and none before it opens
  int height = 0;
  for (const int token : input)
    if ((height += opens(token) ? 1 : -1) < 0) return false;
  return height == 0;
}

Tokens solve(const Tokens& input) {
  Tokens target(input.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (opens(input[i])) {
      open.push_back(i);
    } else {
      target[i] = input[open.back()];
      target[open.back()] = input[i];
      open.pop_back();
    }
  }
  return target;
}

const RegisterTask brackets{{.name = "brackets",
                             .summary = "at each bracket its partner; kinds do not tell, only nesting does",
                             .alphabet = {"(0", "(1", "(2", "(3", "0)", "1)", "2)", "3)"},
                             .sample = sample,
                             .accepts = accepts,
                             .solve = solve,
                             .shuffle = shuffle,
                             .shortest = 2,
                             .step = 2,
                             .layout = "n brackets that open and n that close, well nested: 2n tokens",
                             .example = "(2 (0 1) 3) (1 1)"}};

}  // namespace locus::tasks::brackets
