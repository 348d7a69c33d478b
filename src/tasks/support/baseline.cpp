#include "tasks/support/baseline.h"

#include <algorithm>

namespace locus {

double no_input_baseline(const std::vector<Example>& train, const std::vector<Example>& test) {
  std::vector<std::vector<int>> counts;  // [place][token]
  for (const Example& example : train) {
    if (counts.size() < example.target.size()) counts.resize(example.target.size());
    for (std::size_t place = 0; place < example.target.size(); ++place) {
      const auto token = static_cast<std::size_t>(example.target[place]);
      if (counts[place].size() <= token) counts[place].resize(token + 1);
      ++counts[place][token];
    }
  }

  Tokens answers;
  for (const auto& count : counts)
    answers.push_back(static_cast<int>(std::max_element(count.begin(), count.end()) - count.begin()));

  std::size_t right = 0, total = 0;
  for (const Example& example : test) {
    total += example.target.size();
    for (std::size_t place = 0; place < std::min(example.target.size(), answers.size()); ++place)
      right += example.target[place] == answers[place] ? 1u : 0u;
  }
  return total == 0 ? 0 : static_cast<double>(right) / static_cast<double>(total);
}

}  // namespace locus
