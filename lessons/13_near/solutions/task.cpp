// Two tasks: which digit is the mark's partner, the nearest or the farthest?
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "base/error.h"
#include "lessons/13_near/contract.h"

namespace locus {

// exercise 13.1: accepts_chain(), from blank: contract.h says what it must do
bool accepts_chain(const Tokens& tokens) {
  const long at = std::ranges::find(tokens, mark) - tokens.begin();
  long marks = 0, count = 0;
  std::set<long> digits, distances;
  for (long i = 0; i < std::ssize(tokens); ++i) {
    const int token = tokens[static_cast<std::size_t>(i)];
    if (token == mark) ++marks;
    if (token >= hay) continue;
    ++count;
    digits.insert(token);
    distances.insert(std::abs(i - at));
  }
  return marks == 1 && count == 3 && digits.size() == 3 && distances.size() == 3;
}
// end

// exercise 13.2: draw_chain(), from blank: contract.h says what it must do
Tokens draw_chain(Random& random, int length) {
  Tokens digits(10);
  std::iota(digits.begin(), digits.end(), 0);
  random.shuffle(std::span(digits));
  Tokens chain(static_cast<std::size_t>(length), hay);
  std::copy_n(digits.begin(), 3, chain.begin());
  chain[3] = mark;
  do random.shuffle(std::span(chain));
  while (!accepts_chain(chain));
  return chain;
}
// end

// exercise 13.3: partner(), from blank: contract.h says what it must do
int partner(const Tokens& chain, bool far) {
  const long at = std::ranges::find(chain, mark) - chain.begin();
  int best = -1;
  long best_distance = 0;
  for (long i = 0; i < std::ssize(chain); ++i) {
    const int token = chain[static_cast<std::size_t>(i)];
    const long distance = std::abs(i - at);
    if (token >= hay) continue;
    if (best < 0 || (far ? distance > best_distance : distance < best_distance)) {
      best = token;
      best_distance = distance;
    }
  }
  return best;
}
// end

}  // namespace locus
