#include "tasks/support/examples.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"

namespace locus {

namespace {

Split split_of_key(std::string_view key) { return hash(key) % 5 == 0 ? Split::test : Split::train; }

}  // namespace

Split split_of(const Tokens& input) {
  std::string key;  // one byte for each token; inputs whose ids are equal modulo 256 merely share a split
  for (const int token : input) key += static_cast<char>(token);
  return split_of_key(key);
}

Split split_of_bag(std::vector<std::string> words) {
  std::ranges::sort(words);
  return split_of_key(join(words, " "));
}

std::pair<int, int> most_frequent(const std::map<int, int>& counts) {
  return *std::ranges::max_element(counts, {}, &std::pair<const int, int>::second);
}

void NoInputBaseline::add(const Tokens& target) {
  counts_.resize(std::max(counts_.size(), target.size()));
  for (std::size_t i = 0; i < target.size(); ++i) ++counts_[i][target[i]];
  total_ += target.size();
}

double NoInputBaseline::accuracy() const {
  double right = 0;
  for (const std::map<int, int>& counts : counts_) right += most_frequent(counts).second;
  return total_ == 0 ? 0 : right / static_cast<double>(total_);
}

}  // namespace locus
