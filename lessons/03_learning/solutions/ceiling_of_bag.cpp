// The order-blind ceiling of one bag, by trying all of its orders.
#include <algorithm>
#include <map>

#include "lessons/03_learning/contract.h"

namespace locus {

// exercise 3.5: ceiling_of_bag(), from blank: contract.h says what it must do
double ceiling_of_bag(const Bag& bag, const Solve& solve) {
  std::map<int, std::map<int, int>> counts;  // token (of a whole input: 0) -> label -> how often
  double labels_in_all = 0;
  Bag order = bag;
  std::sort(order.begin(), order.end());
  do {
    const std::vector<int> labels = solve(order);
    for (std::size_t i = 0; i < labels.size(); ++i) ++counts[labels.size() == 1 ? 0 : order[i]][labels[i]];
    labels_in_all += static_cast<double>(labels.size());
  } while (std::next_permutation(order.begin(), order.end()));

  double right = 0;
  for (const auto& [token, count] : counts) {
    int most = 0;
    for (const auto& [label, times] : count) most = std::max(most, times);
    right += most;
  }
  return right / labels_in_all;
}
// end

}  // namespace locus
