// Comparing what a learner computed with what is right, in a way that teaches: a wrong shape is told apart
// from wrong values, the first values that differ are shown, and the likely mistake is named.
#pragma once

#include <functional>
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
Array list(std::vector<double> values);

// What an answer makes of each input of a step, numbered from 0.
using Answer = std::function<Array(std::size_t input)>;

// A wrong answer that others have given before, and the words that name it.
struct Mistake {
  std::string says;
  Answer answer;
};

// Throws Error unless `yours` has the shape and, to `tolerance` (absolutely or relatively), the values of
// `right`, for each of the inputs. A mistake is named only if it explains what `yours` makes of all inputs; two
// mistakes with the same answers, or one that is right, are an error of the chapter.
void compare(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
             const Answer& yours, const Answer& right, const std::vector<Mistake>& mistakes = {},
             double tolerance = 1e-4);

// Fills the memory that the tape will hand out next with NaN, so that what is never written shows.
void poison(Tape&);

// The largest difference of two lists of equal length; NaN when one holds a NaN.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace locus
