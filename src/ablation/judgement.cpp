#include "ablation/judgement.h"

#include <algorithm>
#include <cmath>

#include "train/trainer.h"

namespace locus {

namespace {

double test_error(const Summary& row, const LengthSummary& at) {
  return test_set_error(mean(row.accuracy(at)), at.examples);
}

}  // namespace

const char* measure_name(const Summary& row) { return row.generates ? "exact match" : "token accuracy"; }

std::optional<LengthSummary> in_distribution(const Summary& row) {
  if (row.dataset) return all_lengths(row);
  std::optional<LengthSummary> longest;
  for (const LengthSummary& at : row.by_length)
    if (at.trained && (!longest || at.length > longest->length)) longest = at;
  return longest;
}

std::optional<LengthSummary> out_of_distribution(const Summary& row) {
  if (row.dataset) return {};
  const LengthSummary& longest = std::ranges::max(row.by_length, {}, &LengthSummary::length);
  return longest.trained ? std::nullopt : std::optional(longest);
}

std::vector<LengthSummary> headline_lengths(const Summary& row) {
  std::vector<LengthSummary> lengths;
  for (const auto& at : {in_distribution(row), out_of_distribution(row)})
    if (at) lengths.push_back(*at);
  return lengths;
}

bool solves(const Summary& row, const LengthSummary& at) {
  return smallest(row.accuracy(at)) >= solved_accuracy;
}

bool solves(const Summary& row) {
  const auto at = in_distribution(row);
  return at && solves(row, *at);
}

bool only_some_seeds_solve(const Summary& row) {
  return !row.steps_to_solve.empty() && row.steps_to_solve.size() < row.seed.size();
}

bool no_better_than(double level, const Summary& row, const LengthSummary& at) {
  return level < needs_order && mean(row.accuracy(at)) < level + accuracy_tolerance;
}

bool no_better_than_order_blind(const Summary& row, const LengthSummary& at) {
  return at.order_blind_ceiling && no_better_than(*at.order_blind_ceiling, row, at);
}

double blind_level(const Summary& row, const LengthSummary& at) {
  if (row.generates) return 0;
  return std::max(at.order_blind_ceiling.value_or(0), at.no_input_baseline.value_or(0));
}

std::optional<Difference> difference(const Summary& row, const LengthSummary& at, const Summary& other,
                                     const LengthSummary& other_at) {
  std::vector<double> values, others;
  for (std::size_t i = 0; i < row.seed.size(); ++i)
    for (std::size_t j = 0; j < other.seed.size(); ++j)
      if (row.seed[i] == other.seed[j]) {
        values.push_back(row.accuracy(at)[i]);
        others.push_back(other.accuracy(other_at)[j]);
      }
  if (values.empty()) return {};
  return paired_difference(values, others, std::hypot(test_error(row, at), test_error(other, other_at)));
}

Difference difference(const Summary& row, const LengthSummary& at, double level) {
  const std::vector<double>& values = row.accuracy(at);
  return paired_difference(values, std::vector<double>(values.size(), level), test_error(row, at));
}

bool is_above(const std::optional<Difference>& difference) {
  return difference && difference->interval && difference->interval->low > 0;
}

bool is_below(const std::optional<Difference>& difference) {
  return difference && difference->interval && difference->interval->high < 0;
}

}  // namespace locus
