// The share of a model's right answers on `mirror`, by the distance of the pair.
#include "base/error.h"
#include "lessons/13_near/contract.h"

namespace locus {

// exercise 13.5: right_by_distance(), from blank: contract.h says what it must do
std::vector<double> right_by_distance(const std::vector<std::vector<bool>>& right) {
  const std::size_t length = right.front().size();
  std::vector<double> share(length), count(length);
  for (const std::vector<bool>& row : right)
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t other = length - 1 - i;
      const std::size_t distance = i > other ? i - other : other - i;
      if (row[i]) share[distance] += 1;
      count[distance] += 1;
    }
  for (std::size_t d = 0; d < length; ++d)
    if (count[d] > 0) share[d] /= count[d];
  return share;
}
// end

}  // namespace locus
