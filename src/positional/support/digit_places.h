// The place of each digit within its number.
#pragma once

#include <algorithm>
#include <span>

#include "base/size.h"

namespace locus {

// For each token its place in its number, 1 for the first digit, and 0 for any other token. The tokens are examples of
// this length, one after the other; a number ends with its example. `digits`: the tokens that are digits; empty: all.
inline void count_digit_places(std::span<const int> tokens, int length, std::span<const int> digits,
                               int* places) {
  int place = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool is_digit = digits.empty() || std::ranges::find(digits, tokens[i]) != digits.end();
    place = !is_digit ? 0 : i % as_size(length) == 0 ? 1 : place + 1;
    places[i] = place;
  }
}

}  // namespace locus
