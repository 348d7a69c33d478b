// A test of engines that compute gradients. The check of chapter 2 judges it: it must pass engines that are right, and
// fail each broken one.
#include <cmath>

#include "base/error.h"
#include "lessons/02_tape/contract.h"

namespace locus {

bool computes_gradients(const Engine& engine) {
  // exercise 2.7: true if the engine's gradient is right for each expression that you try.
  // contract.h says what an engine takes.
  fail("exercise 2.7", "still to be written");
  // end
}

}  // namespace locus
