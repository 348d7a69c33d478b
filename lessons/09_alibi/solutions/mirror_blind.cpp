// A test of mirror blindness. The check of chapter 9 judges it: it must pass what cannot tell left from right, and fail
// all that can, however little.
#include <cmath>

#include "lessons/09_alibi/contract.h"

namespace locus {

bool mirror_blind(const Read& read) {
  // exercise 9.6: true if what `read` gives for a reversed input is always the reverse of what it gives for the input
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
