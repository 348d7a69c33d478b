// What toy tasks and tables share: which inputs are for testing, and the baseline that reads no input.
#pragma once

#include <map>
#include <utility>

#include "tasks/task.h"

namespace locus {

// One input in five is for testing, chosen by a hash of the input: no run trains on a test
// input, whatever its seed.
Split split_of(const Tokens& input);

// The same split for every order of the words. It hashes their text and not their ids, so that an input keeps
// its split when a table grows.
Split split_of_bag(std::vector<std::string> words);

// The token and its count that is largest; of equal counts, that of the smallest token.
std::pair<int, int> most_frequent(const std::map<int, int>& counts);

// The token accuracy of giving at each position the most frequent target token that the train examples have
// there. Counted one example at a time: many long ones need not be in memory together. In generation tasks the
// targets differ in length; each of their tokens counts once.
class NoInputBaseline {
 public:
  void train(const Tokens& target);
  void test(const Tokens& target);  // after all of train()
  double accuracy() const;

 private:
  std::vector<std::map<int, int>> counts_{};  // [position][token]
  Tokens answers_{};
  std::size_t right_ = 0, total_ = 0;
};

}  // namespace locus
