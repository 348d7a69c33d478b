// Comparing what a learner computed with what is right, in a way that teaches: a wrong shape is told apart
// from wrong values, the first pairs that differ are shown, and the likely mistake is named.
#pragma once

#include <string>
#include <vector>

#include "autograd/tape.h"

namespace locus {

// Numbers with names for their axes: {"head", "query", "key"}. An axis of size 1 is not worth mentioning.
struct Array {
  Shape shape;
  std::vector<double> values;
};
Array copy(Tensor);  // a tensor lasts until its tape is reset; this lasts

// A wrong answer that others have given before, and the words that name it.
struct Mistake {
  std::string says;
  std::vector<double> values;
};

// Throws Error unless `yours` has the shape and, to `tolerance` (absolutely or relatively), the values of
// `right`.
void compare(const std::string& what, const std::vector<std::string>& axes, const Array& yours,
             const Array& right, const std::vector<Mistake>& mistakes = {}, double tolerance = 1e-4);

// The largest difference of two lists of equal length; NaN when one holds a NaN.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace locus
