// Sort: the bag alone decides the answer, but which part of it a place must give depends on where it stands.
#include <algorithm>

#include "tasks/support/toy.h"

namespace locus::tasks::sort {

Tokens solve(const Tokens& input) {
  Tokens target = input;
  std::sort(target.begin(), target.end());
  return target;
}

const RegisterTask sort({.name = "sort",
                         .summary = "the input in ascending order",
                         .form = Form::labelling,
                         .alphabet = numbers(10),
                         .draw = draw_digits,
                         .solve = solve,
                         .sample = "3 1 2"});

}  // namespace locus::tasks::sort
