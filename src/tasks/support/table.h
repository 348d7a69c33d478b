// A table of examples, read from a TSV file (the format: datasets/README.md), as a task.
//
// Tables are split into train and test by a hash of the *bag* of input words, so a reordering of a training
// sentence is never a test sentence. This keeps the order-blind ceiling honest: if the partner of "the cat
// chased the mouse" fell in the other split, the words alone would tell which of the two this is.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tasks/support/table_rows.h"

namespace locus {

class Table final : public Task {
 public:
  // Throws Error for an unreadable or malformed file, fewer than 10 different rows, a split with an empty
  // side, or no length with both train and test rows.
  explicit Table(const std::string& path);

  // In proportion to the number of training rows of each length in the range.
  int draw_length(Random&, LengthRange) const override;
  // Every row of that length and split is equally likely.
  Example draw(Random&, int length, Split) const override;
  // The test rows of that length in a fixed shuffled order, so that a small count is not all of one kind.
  std::span<const Example> test_set(int length, int count) const override;
  // In generation, that of all rows: how long a target is need not follow from its input.
  int longest_target(int length) const override;
  // The lengths with both train and test rows. A length with train rows only is trained on but cannot be
  // tested; one with test rows only (few rows of that length) can be tested when asked for explicitly.
  std::vector<int> fixed_lengths() const override;
  std::optional<int> length_from(int least) const override;
  std::string lengths() const override;
  // Exact, on the test rows of this length: each bag (each token of each bag, for labelling) gets the answer
  // that is most frequent among them. No order-blind model can do better on these rows.
  std::optional<Estimate> order_blind_ceiling(int length) const override;
  double no_input_baseline(int length) const override;

  std::vector<std::pair<std::string, std::string>> header;  // the `# key: value` lines
  int repeated = 0;                                         // rows left out because they were there twice

 private:
  struct Rows {
    std::vector<Example> train, test;
  };
  const std::vector<Example>& rows(int length, Split) const;  // throws if there are none

  std::map<int, Rows> by_length_;
  int longest_target_ = 0;
};

}  // namespace locus
