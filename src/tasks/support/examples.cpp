#include "tasks/support/examples.h"

#include <algorithm>

#include "base/error.h"

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

double no_input_baseline(const std::vector<Example>& train, const std::vector<Example>& test) {
  std::vector<std::map<int, int>> counts;  // [position][token]
  for (const Example& example : train) {
    counts.resize(std::max(counts.size(), example.target.size()));
    for (std::size_t i = 0; i < example.target.size(); ++i) ++counts[i][example.target[i]];
  }
  Tokens answers;
  for (const auto& count : counts) answers.push_back(most_frequent(count).first);

  std::size_t right = 0, total = 0;
  for (const Example& example : test) {
    total += example.target.size();
    for (std::size_t i = 0; i < std::min(example.target.size(), answers.size()); ++i)
      right += example.target[i] == answers[i] ? 1u : 0u;
  }
  return total == 0 ? 0 : static_cast<double>(right) / static_cast<double>(total);
}

}  // namespace locus
