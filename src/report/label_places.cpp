#include "report/label_places.h"

#include <algorithm>

namespace locus {

// With i * gap taken off wish i, places must only not fall: that is isotonic regression, solved by pooling
// neighbours that violate it. Labels in a pool share the mean of their wishes.
std::vector<double> spread_apart(const std::vector<double>& wishes, double gap, double low, double high) {
  struct Pool {
    double sum;
    double count;
    double mean() const { return sum / count; }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    pools.push_back({wishes[i] - static_cast<double>(i) * gap, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().count + last.count};
    }
  }

  std::vector<double> places;
  const double highest = wishes.empty() ? high : high - static_cast<double>(wishes.size() - 1) * gap;
  for (const Pool& pool : pools)
    for (double i = 0; i < pool.count; ++i) {
      const double place = std::max(low, std::min(pool.mean(), highest));
      places.push_back(place + static_cast<double>(places.size()) * gap);
    }
  return places;
}

}  // namespace locus
