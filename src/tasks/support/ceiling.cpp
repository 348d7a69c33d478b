// How the ceiling is sampled.
//
// The maximum over sampled counts is biased upwards: it selects answers that were lucky. So
// the arrangements of a bag are counted in two halves. The best answers of one half, scored
// on the other, are too low on average; the best answers of both together are too high; their
// middle is the estimate. Each arrangement is counted with its mirror image, which is as
// likely and costs no random numbers; where only left and right matter, their errors cancel.
//
// Ceilings differ far more between bags than that, and each bag is expensive. So a quick
// guess at a bag's ceiling, which explains most of the differences and can be averaged over
// many bags, is used as control variate: in labelling the relative frequency of the most
// frequent token, in classification the ceiling of a few arrangements.
#include "tasks/support/ceiling.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/random.h"
#include "base/size.h"

namespace locus {

namespace {

constexpr double most_enumerated = 5040;  // arrangements of a bag: 7 different tokens have as many
// Used for a bag that has more. Keeps the two bounds within about 0.003 of their middle; in classification each
// arrangement has only one answer, so more of them are needed.
constexpr int arrangements_counted = 2000, arrangements_classified = 16'000;
constexpr int fewest_bags = 72, most_bags = 200;
constexpr double good_enough = 0.001;  // the standard error over bags at which no more are drawn
constexpr int bags_guessed = 20'000, bags_guessed_by_class = 8'000, arrangements_guessed = 50;

// How often a position that holds token v was labelled y, in each half. Classification has
// a single row, v = 0.
class Tally {
 public:
  Tally(std::size_t alphabet, Form form) : alphabet_(alphabet), labelling_(form == Form::labelling) {
    for (auto& half : counts_) half.assign(labelling_ ? alphabet * alphabet : alphabet, 0);
  }

  void add(std::size_t half, const Tokens& input, const Tokens& target) {
    int* count = counts_[half].data();
    if (labelling_)
      for (std::size_t i = 0; i < input.size(); ++i)
        ++count[as_size(input[i]) * alphabet_ + as_size(target[i])];
    else
      ++count[target[0]];
    total_ += static_cast<double>(target.size());
  }

  // The best answers chosen and scored on both halves.
  double in_sample() const {
    std::vector<int> both = counts_[0];
    std::ranges::transform(both, counts_[1], both.begin(), std::plus{});
    return right(both, both) / total_;
  }

  // The best answers chosen on one half and scored on the other, both ways.
  double cross_fitted() const {
    return (right(counts_[0], counts_[1]) + right(counts_[1], counts_[0])) / total_;
  }

 private:
  // How many positions, counted in `scored`, the answers get right that are most frequent in `chosen`.
  double right(const std::vector<int>& chosen, const std::vector<int>& scored) const {
    double sum = 0;
    // exercise 3.6: `sum`: how many of the labels counted in `scored` are right, by the answers chosen in `chosen`
    // (both hold a row of alphabet_ counts for each token: how often it had each label; where there is one answer for
    // the whole input, there is a single row)
    for (auto row = chosen.begin(); row != chosen.end(); row += static_cast<std::ptrdiff_t>(alphabet_)) {
      const auto best = std::max_element(row, row + static_cast<std::ptrdiff_t>(alphabet_));
      sum += scored[as_size(best - chosen.begin())];
    }
    // end
    return sum;
  }

  std::size_t alphabet_;
  bool labelling_;
  std::vector<int> counts_[2];
  double total_ = 0;
};

struct Bounds {
  double low, high;
};

// The number of different orders of these tokens.
double arrangements(const Tokens& sorted) {
  double count = 1;
  for (std::size_t i = 0, copies = 0; i < sorted.size(); ++i) {
    copies = i > 0 && sorted[i] == sorted[i - 1] ? copies + 1 : 1;
    count *= static_cast<double>(i + 1) / static_cast<double>(copies);
  }
  return count;
}

// Counts so many arrangements of `input`, and leaves it rearranged.
void count_arrangements(const Toy& toy, int count, Tokens& input, Random& random, Tally& tally) {
  const bool any_order = toy.shuffle == shuffle_all;  // otherwise a mirror image may be no input of the task
  for (int i = 0; i < count; ++i) {
    if (any_order && i % 2 == 1)
      std::ranges::reverse(input);
    else
      toy.shuffle(random, input);
    tally.add(as_size(i / 2 % 2), input, toy.solve(input));
  }
}

// The ceiling of the bag of `input`, which is left rearranged.
Bounds bag_ceiling(const Toy& toy, Tokens& input, Random& random) {
  Tally tally(toy.alphabet.size(), toy.form);
  Tokens sorted = input;
  std::ranges::sort(sorted);
  if (toy.shuffle == shuffle_all && arrangements(sorted) <= most_enumerated) {
    do tally.add(0, sorted, toy.solve(sorted));
    while (std::ranges::next_permutation(sorted).found);
    return {tally.in_sample(), tally.in_sample()};
  }
  count_arrangements(toy, toy.form == Form::labelling ? arrangements_counted : arrangements_classified, input,
                     random, tally);
  return {tally.cross_fitted(), tally.in_sample()};
}

// The control variate of a bag.
double guess(const Toy& toy, Tokens input, Random& random) {
  if (toy.form == Form::labelling) {
    std::vector<int> counts(toy.alphabet.size());
    for (const int token : input) ++counts[as_size(token)];
    return std::ranges::max(counts) / static_cast<double>(input.size());
  }
  Tally tally(toy.alphabet.size(), toy.form);
  count_arrangements(toy, arrangements_guessed, input, random, tally);
  return tally.in_sample();
}

// The mean of y over points (x, y), with x as control variate: corrected for the difference
// between the points' mean of x and its true mean.
struct ControlledMean {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;  // sums

  void add(double px, double py) { ++n, x += px, y += py, xx += px * px, xy += px * py, yy += py * py; }

  double variance_x() const { return xx / n - x / n * (x / n); }
  double covariance() const { return xy / n - x / n * (y / n); }
  double slope() const { return variance_x() > 1e-12 ? covariance() / variance_x() : 0; }
  double value(double true_mean_x) const { return y / n + slope() * (true_mean_x - x / n); }
  double variance() const {  // of value(): what the regression line leaves unexplained
    return std::max(0.0, yy / n - y / n * (y / n) - slope() * covariance()) / n;
  }
};

}  // namespace

Estimate order_blind_ceiling(const Toy& toy, int length) {
  Random random(0, Purpose::ceiling, static_cast<std::uint64_t>(length));

  double sum = 0, squares = 0;
  const int guesses = toy.form == Form::labelling ? bags_guessed : bags_guessed_by_class;
  for (int bag = 0; bag < guesses; ++bag) {
    const double guessed = guess(toy, toy.sample(random, length), random);
    sum += guessed, squares += guessed * guessed;
  }
  const double guess_mean = sum / guesses;
  const double guess_variance = (squares / guesses - guess_mean * guess_mean) / guesses;  // of the mean

  ControlledMean ceiling;
  double gap = 0;
  while (ceiling.n < fewest_bags ||
         (ceiling.n < most_bags && ceiling.variance() > good_enough * good_enough)) {
    Tokens input = toy.sample(random, length);
    const double guessed = guess(toy, input, random);
    const Bounds bounds = bag_ceiling(toy, input, random);
    ceiling.add(guessed, (bounds.low + bounds.high) / 2);
    gap += bounds.high - bounds.low;
  }

  const double half_gap = gap / ceiling.n / 2;
  const double variance = ceiling.variance() + ceiling.slope() * ceiling.slope() * guess_variance;
  return {ceiling.value(guess_mean), std::sqrt(half_gap * half_gap + variance)};
}

}  // namespace locus
