// Attention for one query, in plain loops.
#include <cmath>

#include "lessons/01_attention/contract.h"

namespace locus {

// exercise 1.1: attend(), from blank: contract.h says what it must do
std::vector<double> attend(const std::vector<double>& query, const Rows& keys, const Rows& values) {
  std::vector<double> weights;
  double sum = 0;
  for (const std::vector<double>& key : keys) {
    double score = 0;
    for (std::size_t c = 0; c < query.size(); ++c) score += query[c] * key[c];
    weights.push_back(std::exp(score / std::sqrt(query.size())));
    sum += weights.back();
  }
  std::vector<double> mixed(values[0].size());
  for (std::size_t j = 0; j < values.size(); ++j)
    for (std::size_t c = 0; c < mixed.size(); ++c) mixed[c] += weights[j] / sum * values[j][c];
  return mixed;
}
// end

}  // namespace locus
