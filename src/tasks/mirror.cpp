// Mirror: is the token at the mirrored position the same, as in a palindrome? Two letters, so that yes and no
// are equally frequent; the middle of an odd length is its own mirror image.
#include "tasks/support/toy.h"

namespace locus::tasks::mirror {

constexpr int yes = 2, no = 3;

Tokens solve(const Tokens& input) {
  Tokens target;
  for (std::size_t i = 0; i < input.size(); ++i)
    target.push_back(input[i] == input[input.size() - 1 - i] ? yes : no);
  return target;
}

const RegisterTask mirror{{.name = "mirror",
                           .summary = "at each position whether its mirror image holds the same token",
                           .alphabet = {"a", "b", "yes", "no"},
                           .sample = sample_below<2>,
                           .accepts = accept_below<2>,
                           .solve = solve,
                           .example = "a b a a"}};

}  // namespace locus::tasks::mirror
