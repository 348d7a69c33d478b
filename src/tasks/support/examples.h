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

// The best token accuracy that one answer can have that is given to all of these targets. Counted one target at a time:
// many long ones need not be in memory together. In generation tasks the targets differ in length; each of their
// tokens counts once, and a longer answer costs nothing.
class NoInputBaseline {
 public:
  void add(const Tokens& target);
  double accuracy() const;

 private:
  std::vector<std::map<int, int>> counts_{};  // [position][token]
  std::size_t total_ = 0;
};

}  // namespace locus
