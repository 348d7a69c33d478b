// Wrong answers, known by what they compute. A chapter's mistakes.txt holds wrong lines, each with words that say why it
// is wrong. `make lessons-record` runs each of them once and keeps its *mark*: a few numbers by which compare() knows the
// same answer again, whatever lines it came from.
#pragma once

#include <string>
#include <vector>

#include "lessons/tools/array.h"

namespace locus {

// The mark of what a wrong answer makes of some inputs: three sums of its differences from what is right, each sum with
// random signs of its own, each difference divided by 1 + |right|: "0.1213 -3.04 0.7745". A word each is added for
// an input that gets another shape, and for values that are not finite; and one for all inputs that are wrong if every
// answer is a single 0 or 1, whose few sums different mistakes share. Sums are rounded to a tenth of `tolerance`.
std::string mark_of(const std::vector<Array>& given, const std::vector<Array>& right, double tolerance);
std::string mark_of_error(const std::string& message);  // of an answer that ends in an error

// Whether two marks are the same up to `tolerance`, absolutely or relatively.
bool same_mark(const std::string& a, const std::string& b, double tolerance);

struct Mistake {
  std::string says;
  std::vector<std::string> marks;  // one for each group of inputs; "right" where it makes no difference
};

// Those that the chapter with this folder lists for a step; `call` counts the step's comparisons from 1. Throws Error
// when the file cannot be read.
std::vector<Mistake> known_mistakes(const std::string& folder, const std::string& step, int call);

}  // namespace locus
