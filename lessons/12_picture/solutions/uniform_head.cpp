// A test of a uniform head. The check of chapter 12 judges it: it must pass heads that are uniform, and fail each other.
#include <cmath>

#include "lessons/12_picture/contract.h"

namespace locus {

bool uniform_head(const MapOf& map_of, bool causal) {
  // exercise 12.6: true if every query gives equal weight to the keys it sees; contract.h says how map_of is called
  for (int length = 1; length <= 64; ++length)
    for (int input = 0; input < 10; ++input) {
      const Rows weights = map_of(length, input);
      for (int query = 0; query < length; ++query)
        for (int key = 0; key < length; ++key) {
          const int seen = causal ? query + 1 : length;
          const double right = key < seen ? 1.0 / seen : 0.0;
          if (!(std::abs(weights[static_cast<std::size_t>(query)][static_cast<std::size_t>(key)] - right) <
                1e-5))
            return false;
        }
    }
  return true;
  // end
}

}  // namespace locus
