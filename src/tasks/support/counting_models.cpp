#include "tasks/support/counting_models.h"

#include <cmath>
#include <limits>

namespace locus {

CountingModels::CountingModels(int vocabulary, std::span<const int> train, std::span<const int> probe)
    : vocabulary_(vocabulary),
      total_(static_cast<double>(train.size())),
      count_(static_cast<std::size_t>(vocabulary)),
      followed_(static_cast<std::size_t>(vocabulary)) {
  for (std::size_t i = 0; i < train.size(); ++i) {
    ++count_[static_cast<std::size_t>(train[i])];
    if (i + 1 == train.size()) break;
    ++followed_[static_cast<std::size_t>(train[i])];
    ++pairs_[static_cast<long long>(train[i]) * vocabulary + train[i + 1]];
  }
  double least = std::numeric_limits<double>::infinity();
  for (const double strength : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    double loss = 0;
    for (std::size_t i = 1; i < probe.size(); ++i) loss += bigram_at(strength, probe[i - 1], probe[i]);
    if (loss < least) {
      least = loss;
      strength_ = strength;
    }
  }
}

double CountingModels::unigram(int token) const {
  return -std::log((count_[static_cast<std::size_t>(token)] + 1) / (total_ + vocabulary_));
}

double CountingModels::bigram(int before, int token) const { return bigram_at(strength_, before, token); }

double CountingModels::bigram_at(double strength, int before, int token) const {
  const auto pair = pairs_.find(static_cast<long long>(before) * vocabulary_ + token);
  const double alone = (count_[static_cast<std::size_t>(token)] + 1) / (total_ + vocabulary_),
               seen = pair == pairs_.end() ? 0 : pair->second;
  return -std::log((seen + strength * alone) / (followed_[static_cast<std::size_t>(before)] + strength));
}

}  // namespace locus
