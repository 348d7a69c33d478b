// What counts in the results, and what they support: every threshold of an ablation and of its report is
// here, except that of a solved task, which ends a training (solved_accuracy in train/trainer.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/statistics.h"
#include "ablation/summary.h"

namespace locus {

// The measure that counts (Summary::measure): "negative loss" of a text; "exact match" when answers are generated, else
// "token accuracy".
const char* measure_name(const Summary& row);

// The longest tested length that was trained on. A dataset counts as a whole: all lengths together.
std::optional<LengthSummary> in_distribution(const Summary& row);
// The longest tested length, if it is beyond the training lengths.
std::optional<LengthSummary> out_of_distribution(const Summary& row);
// Both, as far as the row has them: where it is compared with others.
std::vector<LengthSummary> headline_lengths(const Summary& row);

// The margin of equality: accuracies that differ by less than this, shown by an equivalence test, are called equal.
// (On 4000 examples, the usual test set, an accuracy of 0.5 has a 95 % interval of +-0.016 from the examples alone.)
// Of texts, whose losses are compared, it is 0.02 nats: a perplexity that differs by 2 %.
inline constexpr double equivalence_margin = 0.02;
// Above this order-blind ceiling, a model cannot show that it knows order: perfect is too close to blind.
inline constexpr double needs_order = 1 - equivalence_margin;
// The chance that any difference named in a family (compare, below) or in a finding is false; likewise the chance that
// any equality named in a family is, so that of both together it may be twice as large. What findings say to be at a
// level or no better (is_shown_at, no_better_than) has this chance for each row. The complement of the confidence of
// intervals.
inline constexpr double significance_level = 0.05;
// With fewer seeds, the interval of a mean is more than 2.78 standard errors wide on each side (Student).
inline constexpr int enough_seeds = 5;

// Whether every seed has a measure here: that of a text has none when its loss is no number. Only such are compared.
bool is_measured(const Summary& row, const LengthSummary& at);

// Every seed is right in solved_accuracy of the answers: at this length; at the longest length trained on.
bool solves(const Summary& row, const LengthSummary& at);
bool solves(const Summary& row);
// Some seeds solved the task in training and some did not: the mean describes neither.
bool only_some_seeds_solve(const Summary& row);

// Whether it is shown that the row is no better at this length than a model that reaches `level` without knowing
// order: not above it by equivalence_margin or more, by a one-sided test at significance_level; with one seed nothing
// is shown. False for a level so high that order is hardly needed. A row far below the level is no better, either.
bool no_better_than(double level, const Summary& row, const LengthSummary& at);
// The same, for the order-blind ceiling; false where there is none.
bool no_better_than_order_blind(const Summary& row, const LengthSummary& at);
// Whether it is shown that the row is at this level within equivalence_margin, on both sides: an equivalence test.
bool is_shown_at(double level, const Summary& row, const LengthSummary& at);
// The most that any model can reach that is blind as the row's is: of none in an encoder the order-blind ceiling,
// of schemes that cannot tell left from right the mirror-blind one. Nothing for all others.
std::optional<double> own_ceiling(const Summary& row, const LengthSummary& at);
// Whether the mirror-blind ceiling is that of the row's scheme, and is known.
bool is_mirror_blind(const Summary& row);
// Whether it is shown that the row is on the mirror-blind ceiling (is_shown_at): more training makes it no better.
// False for a ceiling so high that no direction is needed.
bool is_on_mirror_blind_ceiling(const Summary& row, const LengthSummary& at);
// Whether a level, which is an accuracy of tokens, is one of measure_name(), too. A generated answer is right as a
// whole or wrong: there the no-input baseline is one where the answer is a single label, and no ceiling is.
bool is_of_measure(std::optional<double> LengthSummary::*level, const Summary& row);
// The measure that is reached without reading the input: the no-input baseline, or of a text that of counting its
// tokens (unigram). Nothing for generated answers, and where it is not known.
std::optional<double> unread_level(const Summary& row, const LengthSummary& at);
// The measure that is reached without seeing order, or without reading the input: 0 for generated answers.
double blind_level(const Summary& row, const LengthSummary& at);
// Which share of the way from blind_level to 1 it goes; negative below. Nothing where order is not needed.
std::optional<double> gain(const Summary& row, const LengthSummary& at);

// Which of these differences are not by chance, with Holm's correction over all of them.
std::vector<bool> told_apart(const std::vector<Difference>& differences);

// A difference at the chosen learning rates, and whether it may be told. The choice says nothing of a length not
// trained on, so there it must hold at every pair of rates near the best of the two rows (Summary::near_rates): a
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
// As difference(), below.
std::optional<Tested> tested(const Summary& row, const LengthSummary& at, const Summary& other,
                             const LengthSummary& other_at);
Tested tested(const Summary& row, const LengthSummary& at, double level);

// Where an accuracy stands beside blind_level: `above` and `below` are at least equivalence_margin away, and
// not by chance, corrected over everything that is judged together.
enum class Standing { below, at, above };
struct Judged {
  const Summary* row;
  LengthSummary at;
  Standing standing = Standing::at;
};
std::vector<Judged> judged(std::vector<Judged> together);
// Those that get less than the no-input baseline, by equivalence_margin and not by chance, corrected over all of them:
// a model that always gave the most frequent answer would do better. Standing is `below` for these.
std::vector<Judged> below_reading_nothing(const std::vector<Judged>& together);

// Seed by seed, on the seeds that both rows have; nothing when they share none. The lengths may differ.
std::optional<Difference> difference(const Summary& row, const LengthSummary& at, const Summary& other,
                                     const LengthSummary& other_at);
// From a level that is known. With one seed nothing is told apart (p is 1): the spread over seeds is unknown.
Difference difference(const Summary& row, const LengthSummary& at, double level);

// Every row compared with the control: the same task, model and seeds, and another scheme. The settings are the same
// where there is such a control; where they are not, settings_apart (summary.h) says what differs.

// better, worse: a difference that is not by chance. equal: the true difference is below equivalence_margin, by an
// equivalence test. cannot_tell: neither is shown; more seeds may. With one seed the spread over seeds is unknown,
// so no test is possible.
enum class Verdict { worse, cannot_tell, equal, better, none_with_one_seed };
std::string to_string(Verdict);  // "better", "equal within 0.02", "cannot tell", "one seed: no verdict" ...

struct Comparison {
  std::size_t row, control;  // indices into the rows
  int length;                // 0: all lengths together
  bool trained;
  int pairs;  // seeds that both rows have
  Difference difference;
  double adjusted_p;  // that there is no difference: by Holm, over its family
  Verdict verdict;    // at significance_level, over its family
  // Where the verdict is cannot_tell: about how many seeds would settle it, if mean and spread stayed as they are, with
  // the strictest level of the family. Nothing when more than 1000, or when only a larger test set would.
  std::optional<int> seeds_needed;
  // The rates that keep it from being told (Tested::against, farthest); "" where that is not the reason.
  std::string other_rates;
  bool is_aa;  // the control compared with itself on other seeds: the difference is noise
};

// The verdict in words: "better", "cannot tell; about 12 seeds would", "cannot tell: other learning rates disagree
// ...".
std::string verdict_text(const Comparison& one);

// The default control: none, or else the first scheme.
std::string usual_control(const std::vector<Summary>& rows);

// At those headline lengths of each row at which its control was tested as well. Holm corrects within a family: the
// schemes that are compared with one control on one task at its longest trained length, or at its longest. That is
// the question a reader asks at one place of the table. The control against itself is a family of its own. Rows
// without a control of their task and model, or with several of other settings, are left out. Throws UsageError when
// no row has that scheme.
std::vector<Comparison> compare(const std::vector<Summary>& rows, const std::string& control);

}  // namespace locus
