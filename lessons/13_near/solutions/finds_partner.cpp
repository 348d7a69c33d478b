// A test of a solver. The check of chapter 13 runs it on solvers that are right, which it must pass, and on broken ones,
// which it must fail.
#include "lessons/13_near/contract.h"

namespace locus {

bool finds_partner(const Solver& solve, bool far) {
  // exercise 13.4: true if `solve` gives the mark's partner for every chain of 4 to 16 tokens
  Random random(1, Purpose::testing);
  for (int length = 4; length <= 16; ++length)
    for (int draw = 0; draw < 300; ++draw) {
      const Tokens chain = draw_chain(random, length);
      if (solve(chain) != partner(chain, far)) return false;
    }
  return true;
  // end
}

}  // namespace locus
