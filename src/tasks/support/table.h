// A table of examples, read from a TSV file (the format: datasets/README.md), as a task.
//
// Tables are split into train and test by a hash of the *bag* of input words, so that a reordering of a
// training sentence is never a test sentence. The order-blind ceiling relies on it: if "the mouse chased the
// cat" could be trained on and "the cat chased the mouse" tested, the words alone would give the answer away.
//
// Some bags are neither tested nor trained on: the validations of training read them, which decide when training
// stops. Stopping by the test rows would flatter the test; stopping by the rows trained on would call a table
// solved that was only learned by heart. They hold an eighth of the other rows (of a small table a fourth, up to
// 8 rows; at most 128), and are chosen by a second hash. The last bag of a length is always trained on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tasks/support/table_rows.h"

namespace locus {

// Where the table `path` lies: there, or, if there is no such file, where the tables that come with Locus are:
// beside the folder of the program (build/), or where `make install` has put them. So datasets/NAME.tsv is found
// from any folder.
std::string find_table(const std::string& path);

class Table final : public Task {
 public:
  // Throws Error for an unreadable or malformed file, fewer than 10 different rows, a split with an empty
  // side, or no length with both train and test rows.
  // The file is looked for by find_table.
  //
  // With the alphabet of a trained model, the tokens get the ids that the model knows them by. Throws Error
  // naming the words that the model does not know.
  explicit Table(const std::string& path, const std::vector<std::string>& known = {});

  // Each length in the range is drawn in proportion to its number of train rows.
  int sample_length(Random&, const LengthRange&) const override;
  // Every row of that length and split is equally likely.
  Example sample(Random&, int length, Split) const override;
  // The test rows of that length in a fixed shuffled order, so that a small count is typical of all.
  std::span<const Example> test_set(int length, int count) const override;
  std::vector<std::span<const Example>> validation_rows(const LengthRange&) const override;
  std::optional<Tokens> target_of(const Tokens& input) const override;
  // In generation, the longest target of all rows: its length need not follow from its input's.
  int longest_target(int length) const override;
  // The lengths with both train and test rows. A length with train rows only is trained on but not tested;
  // one with test rows only is tested when an option asks for it.
  std::vector<int> fixed_lengths() const override;
  std::optional<int> length_from(int least) const override;
  std::string lengths() const override;
  // Exact on the test rows of this length: each bag (in labelling, each token of each bag) gets the answer
  // that is most frequent among them. No order-blind model can do better on these rows; and none comes near
  // if most bags are there in one order only (bag_counts, ceiling_warning).
  std::optional<Estimate> order_blind_ceiling(int length) const override;
  // Likewise, over the rows with the same words in the same or in the reverse order.
  std::optional<Estimate> mirror_blind_ceiling(int length) const override;
  std::optional<BagCounts> bag_counts(int length) const override;
  double no_input_baseline(int length) const override;  // exact on the same rows

 private:
  struct Rows {
    std::vector<Example> train, validation, test;
    const std::vector<Example>& rows(Split split) const { return split == Split::train ? train : test; }
  };
  const std::vector<Example>& rows(int length, Split) const;  // throws UsageError if there are none
  std::string lengths_of(Split) const;                        // those with rows, for the hint of an error

  std::map<int, Rows> by_length_;
  int longest_target_ = 0;
};

// How many test bags of all lengths occur in one order only, and what that means for the ceiling; "" when
// they are at most 2 % of the test rows, or when the task is not a table with a ceiling.
std::string ceiling_warning(const Task&);

}  // namespace locus
