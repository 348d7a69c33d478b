// Is backward right? Compares gradients from the tape with finite differences of the value.
// Only meaningful in double: in float the differences drown in rounding.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/tape.h"

namespace locus {

// A tensor to differentiate by: its slice of `values`, and what to call it in messages.
struct CheckedInput {
  std::string name;
  Parameter where;
};

// Builds a tensor of any shape from the parameters on the tape.
using TensorFunction = std::function<Tensor(Tape&)>;

// For a random cotangent c, compares d<c, f>/dx with fourth-order central differences for every entry of
// every input. Returns "" when all agree to `tolerance` (relative to the entry, or to a thousandth of the
// input's largest where an entry is smaller), else one line naming the input, the entry and both numbers.
// Also refuses, in words, when an input's largest gradient is below 1e-3: a check against zero would prove
// nothing.
std::string check_gradients(const TensorFunction& f, const std::vector<CheckedInput>& inputs, Reals values,
                            std::uint64_t seed, double tolerance = 1e-6);

}  // namespace locus
