#include "tasks/support/counting_models.h"

#include <cmath>
#include <limits>

#include "base/size.h"

namespace locus {

CountingModels::CountingModels(int vocabulary, std::span<const int> train, std::span<const int> validation)
    : vocabulary_(vocabulary),
      total_(static_cast<double>(train.size())),
      count_(as_size(vocabulary)),
      followed_(as_size(vocabulary)) {
  for (std::size_t i = 0; i < train.size(); ++i) {
    ++count_[as_size(train[i])];
    if (i + 1 == train.size()) break;
    ++followed_[as_size(train[i])];
    ++pairs_[static_cast<long long>(train[i]) * vocabulary + train[i + 1]];
  }
  double least = std::numeric_limits<double>::infinity();
  for (const double strength : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    double loss = 0;
    for (std::size_t i = 1; i < validation.size(); ++i)
      loss += bigram_at(strength, validation[i - 1], validation[i]);
    if (loss < least) {
      least = loss;
      strength_ = strength;
    }
  }
}

double CountingModels::unigram(int token) const {
  return -std::log((count_[as_size(token)] + 1) / (total_ + vocabulary_));
}

double CountingModels::bigram(int before, int token) const { return bigram_at(strength_, before, token); }

double CountingModels::bigram_at(double strength, int before, int token) const {
  const auto pair = pairs_.find(static_cast<long long>(before) * vocabulary_ + token);
  const double alone = (count_[as_size(token)] + 1) / (total_ + vocabulary_),
               seen = pair == pairs_.end() ? 0 : pair->second;
  return -std::log((seen + strength * alone) / (followed_[as_size(before)] + strength));
}

}  // namespace locus
