// A test of uniqueness. The check of chapter 5 judges it: it must pass codes that tell all positions apart, and fail each
// that does not.
#include <cmath>

#include "base/error.h"
#include "lessons/05_index/contract.h"

namespace locus {

bool tells_apart(const PositionCode& code) {
  // exercise 5.10: true if no two positions of an input share a code, for every length from 1 to 40
  fail("exercise 5.10", "still to be written");
  // end
}

}  // namespace locus
