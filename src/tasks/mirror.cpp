// Mirror: does a place hold the same token as its mirror image, as in a palindrome? Two letters, so that yes
// and no are equally frequent; the middle of an odd length is its own image.
#include "tasks/support/toy.h"

namespace locus::tasks::mirror {

constexpr int yes = 2, no = 3;

Tokens draw(Random& random, int length) { return draw_below(2, random, length); }

Tokens solve(const Tokens& input) {
  Tokens target;
  for (std::size_t i = 0; i < input.size(); ++i)
    target.push_back(input[i] == input[input.size() - 1 - i] ? yes : no);
  return target;
}

const RegisterTask mirror({.name = "mirror",
                           .summary = "at each place whether its mirror image holds the same token",
                           .form = Form::labelling,
                           .alphabet = {"a", "b", "yes", "no"},
                           .draw = draw,
                           .solve = solve,
                           .sample = "a b a a"});

}  // namespace locus::tasks::mirror
