// A test of mirror blindness. The check of chapter 9 judges it: it must return true for what is mirror-blind, and false
// for all else, however small the difference.
#include <cmath>

#include "lessons/09_alibi/contract.h"

namespace locus {

bool mirror_blind(const Read& read) {
  // exercise 9.6: whether `read` is mirror-blind, for all inputs that contract.h allows
  unsigned number = 1;
  for (std::size_t length = 1; length <= 16; ++length)
    for (int draw = 0; draw < 50; ++draw) {
      Tokens input(length);
      for (int& token : input) {
        number = number * 1664525 + 1013904223;  // a random number
        token = static_cast<int>((number >> 16) % 10);
      }
      const std::vector<double> forwards = read(input), backwards = read({input.rbegin(), input.rend()});
      for (std::size_t i = 0; i < length; ++i)
        if (!(std::abs(forwards[i] - backwards[length - 1 - i]) < 1e-9)) return false;
    }
  return true;
  // end
}

}  // namespace locus
