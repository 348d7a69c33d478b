// Argsort: the rank of each token in the sorted input. The bag of tokens decides all but the order among
// equal tokens, where the earlier one comes first: an order-blind model gets only one of them right.
#include <array>
#include <numeric>

#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::argsort {

constexpr int longest = 64;  // every rank is a token of its own

Tokens solve(const Tokens& input) {
  std::array<int, 11> rank{};  // of the next copy of each digit
  for (const int token : input) ++rank[as_size(token) + 1];
  std::partial_sum(rank.begin(), rank.end(), rank.begin());
  Tokens target;
  for (const int token : input) target.push_back(rank[as_size(token)]++);
  return target;
}

const RegisterTask argsort{{.name = "argsort",
                            .summary = "the rank of each token, from 0; of equal ones the earlier is first",
                            .alphabet = numbers(longest),
                            .accepts = accept_below<10>,
                            .solve = solve,
                            .longest = longest,
                            .example = "7 1 7 3"}};

}  // namespace locus::tasks::argsort
