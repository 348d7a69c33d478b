// Majority: a control that needs no order. A scheme that lowers its accuracy does harm.
#include <algorithm>
#include <array>

#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::majority {

std::array<int, 10> count(const Tokens& input) {
  std::array<int, 10> counts{};
  for (const int token : input) ++counts[as_size(token)];
  return counts;
}

bool accepts(const Tokens& input) {
  const auto counts = count(input);
  return std::ranges::count(counts, std::ranges::max(counts)) == 1;
}

// Redrawn while two tokens are equally frequent and no other is more frequent.
Tokens sample(Random& random, int length) {
  while (true) {
    Tokens input = sample_digits(random, length);
    if (accepts(input)) return input;
  }
}

Tokens solve(const Tokens& input) {
  const auto counts = count(input);
  return {static_cast<int>(std::ranges::max_element(counts) - counts.begin())};
}

const RegisterTask majority{{.name = "majority",
                             .summary = "the most frequent token",
                             .form = Form::classification,
                             .sample = sample,
                             .accepts = accepts,
                             .solve = solve,
                             .example = "3 1 2 1"}};

}  // namespace locus::tasks::majority
