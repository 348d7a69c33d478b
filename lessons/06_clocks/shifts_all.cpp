// A test of the matrix M_k. The check of chapter 6 judges it: it must pass each matrix that shifts all codes by k, and
// fail each other.
#include <cmath>

#include "base/error.h"
#include "lessons/06_clocks/contract.h"

namespace locus {

bool shifts_all(const Codes& code, const Multiply& multiply, double k) {
  // exercise 6.6: does M shift the code of every position by k? contract.h says what is true of `code` and `multiply`
  fail("exercise 6.6", "still to be written");
  // end
}

}  // namespace locus
