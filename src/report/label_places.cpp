#include "report/label_places.h"

#include <algorithm>

namespace locus {

// With i * gap taken off wish i, places must only not fall: that is isotonic regression, solved by pooling
// neighbours that violate it. Labels in a block share the mean of their wishes.
std::vector<double> spread_apart(const std::vector<double>& wishes, double gap, double low, double high) {
  struct Block {
    double sum;
    double count;
    double mean() const { return sum / count; }
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    blocks.push_back({wishes[i] - static_cast<double>(i) * gap, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().count + last.count};
    }
  }

  std::vector<double> places;
  const double highest = wishes.empty() ? high : high - static_cast<double>(wishes.size() - 1) * gap;
  for (const Block& block : blocks)
    for (double i = 0; i < block.count; ++i) {
      const double place = std::max(low, std::min(block.mean(), highest));
      places.push_back(place + static_cast<double>(places.size()) * gap);
    }
  return places;
}

}  // namespace locus
