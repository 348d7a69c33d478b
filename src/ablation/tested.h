// Differences between rows of results, and whether they hold at other learning rates than the chosen one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/result_rows.h"
#include "ablation/statistics.h"

namespace locus {

// The row at this length, 0 for all lengths together; nothing where it was not tested there.
std::optional<RowAtLength> at_length(const ResultRow& row, int length);

using Seeds = std::vector<long long>;

// Between as many seeds of one row and of another, in their order. The errors of both on the test set are added as if
// each had examples of its own. Both answer the same ones: where they tend to make the same mistakes, the sum is an
// upper bound, and fewer rows than could be are called different or equal.
Difference difference(const Seeds& seeds, const ResultRow& row, const RowAtLength& at, const Seeds& other_seeds,
                      const ResultRow& other, const RowAtLength& other_at);
// The same seed by seed, on the seeds that both rows have; nothing when they share none. The lengths may differ.
std::optional<Difference> difference(const ResultRow& row, const RowAtLength& at, const ResultRow& other,
                                     const RowAtLength& other_at);
// From a level that is known. With one seed nothing is told apart (p is 1): the spread over seeds is unknown.
Difference difference(const ResultRow& row, const RowAtLength& at, double level);

// Which of these differences are not by chance, with Holm's correction over all of them.
std::vector<bool> told_apart(const std::vector<Difference>& differences);

// A difference at the chosen learning rates, and whether it may be told. The choice says nothing of a length not
// trained on, so there it must hold at every pair of rates near the best of the two rows (ResultRow::near_rates): a
// difference in the same direction by equivalence_margin or more (if it is that large itself), an equality within the
// margin. Where one pair disagrees, the p value is 1. The test itself is that of the chosen rates: it was planned, and
// to demand it of all pairs (16 of four rates each) would refuse almost every sentence with five seeds.
struct Tested {
  Difference difference;
  double p, p_of_equality;  // of no difference; of equivalence_margin or more
  // "sides 0.865 at learning rate 0.01, rope 0.910 at 0.03": the pair of other rates that speaks most against the sign
  // of the difference, and that which is farthest from equality. "" where it is the pair that was chosen.
  std::string against = {}, farthest = {};
};
std::vector<bool> told_apart(const std::vector<Tested>& tests);
// As difference().
std::optional<Tested> tested(const ResultRow& row, const RowAtLength& at, const ResultRow& other,
                             const RowAtLength& other_at);
Tested tested(const ResultRow& row, const RowAtLength& at, double level);

}  // namespace locus
