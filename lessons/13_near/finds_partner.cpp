// A test of a solver. The check of chapter 13 runs it on solvers that are right, which it must pass, and on broken ones,
// which it must fail.
#include "base/error.h"
#include "lessons/13_near/contract.h"

namespace locus {

bool finds_partner(const Solver& solve, bool far) {
  // exercise 13.4: true if `solve` gives the mark's partner for every chain of 4 to 16 tokens
  fail("exercise 13.4", "still to be written");
  // end
}

}  // namespace locus
