// What counts in the results, and what they support: every threshold of an ablation and of its report is
// here, except that of a solved task, which ends a training (solved_accuracy in train/trainer.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/result_rows.h"
#include "ablation/tested.h"

namespace locus {

// The measure that counts (ResultRow::measure): "negative loss" of a text; "exact match" when answers are generated,
// else "token accuracy".
const char* measure_name(const ResultRow& row);

// The longest tested length that was trained on. A dataset counts as a whole: all lengths together.
std::optional<RowAtLength> in_distribution(const ResultRow& row);
// The longest tested length, if it is beyond the training lengths.
std::optional<RowAtLength> out_of_distribution(const ResultRow& row);
// Both, as far as the row has them: where it is compared with others.
std::vector<RowAtLength> headline_lengths(const ResultRow& row);

// The margin of equality: accuracies that differ by less than this, shown by an equivalence test, are called equal.
// (On 4000 examples, the usual test set, an accuracy of 0.5 has a 95 % interval of +-0.016 from the examples alone.)
// For texts, whose losses are compared, it is 0.02 nats: a perplexity that differs by 2 %.
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

// Whether every seed has a measure here: that of a text has none when its loss is NaN. Only such are compared.
bool is_measured(const ResultRow& row, const RowAtLength& at);

// Every seed is right in solved_accuracy of the answers: at this length; at the longest length trained on.
bool solves(const ResultRow& row, const RowAtLength& at);
bool solves(const ResultRow& row);
// Some seeds solved the task in training and some did not: the mean describes neither.
bool only_some_seeds_solve(const ResultRow& row);

// Whether it is shown that the row is no better at this length than a model that reaches `level` without knowing
// order: not above it by equivalence_margin or more, by a one-sided test at significance_level; with one seed nothing
// is shown. False for a level so high that order is hardly needed. A row far below the level is no better, either.
bool no_better_than(double level, const ResultRow& row, const RowAtLength& at);
// The same, for the order-blind ceiling; false where there is none.
bool no_better_than_order_blind(const ResultRow& row, const RowAtLength& at);
// Whether it is shown that the row is at this level within equivalence_margin, on both sides: an equivalence test.
bool is_shown_at(double level, const ResultRow& row, const RowAtLength& at);
// The most that any model can reach that is blind as the row's is: of none in an encoder the order-blind ceiling,
// of schemes that cannot tell left from right the mirror-blind one. Nothing for all others.
std::optional<double> own_ceiling(const ResultRow& row, const RowAtLength& at);
// Whether the mirror-blind ceiling is that of the row's scheme, and is known.
bool is_mirror_blind(const ResultRow& row);
// Whether it is shown that the row is on the mirror-blind ceiling (is_shown_at): more training makes it no better.
// False for a ceiling so high that no direction is needed.
bool is_on_mirror_blind_ceiling(const ResultRow& row, const RowAtLength& at);
// Whether a level, which is an accuracy of tokens, is one of measure_name(), too. A generated answer is right as a
// whole or wrong: there the ceiling of windows is one, the no-input baseline where the answer is a single label, and no
// other is.
bool is_of_measure(std::optional<double> RowAtLength::*level, const ResultRow& row);
// The measure that is reached without reading the input: the no-input baseline, or of a text that of counting its
// tokens (unigram). Nothing for generated answers, and where it is not known.
std::optional<double> unread_level(const ResultRow& row, const RowAtLength& at);
// The measure that is reached without seeing order, or without reading the input. A generated answer is right as a
// whole or wrong, so there it is what one whole answer to all inputs gets, and never a baseline of tokens.
double blind_level(const ResultRow& row, const RowAtLength& at);
// Which share of the way from blind_level to 1 it goes; negative below. Nothing where order is not needed. Of generated
// answers the share that is right.
std::optional<double> gain(const ResultRow& row, const RowAtLength& at);

// Where an accuracy stands beside blind_level: `above` and `below` are at least equivalence_margin away, and
// not by chance, corrected over everything that is judged together. Generated answers are `above` also when each
// seed by itself is above the level (tested.cpp).
enum class Standing { below, at, above };
struct Judged {
  const ResultRow* row;
  RowAtLength at;
  Standing standing = Standing::at;
};
std::vector<Judged> judged(std::vector<Judged> together);
// Those that get less than the no-input baseline, by equivalence_margin and not by chance, corrected over all of them:
// a model that always gave the most frequent answer would do better. Standing is `below` for these.
std::vector<Judged> below_reading_nothing(const std::vector<Judged>& together);

}  // namespace locus
