// The mean weight by offset.
#include "lessons/12_picture/contract.h"

namespace locus {

// exercise 12.5: weight_by_offset(), from blank: contract.h says what it must do
std::vector<double> weight_by_offset(const Rows& weights) {
  const std::size_t T = weights.size();
  std::vector<double> sums(2 * T - 1), queries(2 * T - 1);
  for (std::size_t query = 0; query < T; ++query)
    for (std::size_t key = 0; key < T; ++key) {
      sums[key + T - 1 - query] += weights[query][key];
      queries[key + T - 1 - query] += 1;
    }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= queries[i];
  return sums;
}
// end

}  // namespace locus
