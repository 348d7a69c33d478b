// A test of a solver. The check of chapter 13 judges it: it must pass what is right, and fail all that is broken.
#include "lessons/13_near/contract.h"

namespace locus {

bool finds_partner(const Partner& solve, bool far) {
  // exercise 13.4: true if `solve` gives the right digit for every chain; make chains whose answer you know
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
