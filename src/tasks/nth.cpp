// Nth: each token names a position, counted from 0; the answer is the token at that position. The position to
// look at is absolute and given by content, so the distance to look is different for each token.
#include <algorithm>

#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::nth {

Tokens sample(Random& random, int length) {  // short inputs have no position 9
  return sample_below(std::min(length, 10), random, length);
}

bool accepts(const Tokens& input) {
  return std::ranges::all_of(input, [&](int position) { return position < std::ssize(input); });
}

Tokens solve(const Tokens& input) {
  Tokens target;
  for (const int position : input) target.push_back(input.at(as_size(position)));
  return target;
}

const RegisterTask nth{{.name = "nth",
                        .summary = "each token names a position, from 0: the token there",
                        .sample = sample,
                        .accepts = accepts,
                        .solve = solve,
                        .example = "3 0 1 1"}};

}  // namespace locus::tasks::nth
