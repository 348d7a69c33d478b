// A test of a whole training, step by step. The check of chapter 3 judges it: it must pass trainings that are
// right, and fail each broken one, also those whose models learn just as well.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "lessons/03_learning/contract.h"

namespace locus {

bool golden_trace(const Training& training) {
  // exercise 3.7: true if the losses and logits of `training` are those of contract.h, for a plan of your own
  fail("exercise 3.7", "still to be written");
  // end
}

}  // namespace locus
