#include "ablation/judgement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "tasks/task.h"
#include "train/trainer.h"

namespace locus {

const char* measure_name(const ResultRow& row) {
  return row.is_text ? "negative loss" : row.generates ? "exact match" : "token accuracy";
}

bool is_measured(const ResultRow& row, const RowAtLength& at) {
  return std::ranges::all_of(row.measure(at), [](double value) { return std::isfinite(value); });
}

std::optional<RowAtLength> in_distribution(const ResultRow& row) {
  if (row.is_table) return all_lengths(row);
  std::optional<RowAtLength> longest;
  for (const RowAtLength& at : row.by_length)
    if (at.trained && (!longest || at.length > longest->length)) longest = at;
  return longest;
}

std::optional<RowAtLength> out_of_distribution(const ResultRow& row) {
  if (row.is_table) return {};
  const RowAtLength& longest = std::ranges::max(row.by_length, {}, &RowAtLength::length);
  return longest.trained ? std::nullopt : std::optional(longest);
}

std::vector<RowAtLength> headline_lengths(const ResultRow& row) {
  std::vector<RowAtLength> lengths;
  for (const auto& at : {in_distribution(row), out_of_distribution(row)})
    if (at) lengths.push_back(*at);
  return lengths;
}

bool solves(const ResultRow& row, const RowAtLength& at) {
  return !row.is_text && smallest(row.accuracy(at)) >= solved_accuracy;
}

bool solves(const ResultRow& row) {
  const auto at = in_distribution(row);
  return at && solves(row, *at);
}

bool only_some_seeds_solve(const ResultRow& row) {
  return !row.steps_to_solve.empty() && row.steps_to_solve.size() < row.seed.size();
}

bool no_better_than(double level, const ResultRow& row, const RowAtLength& at) {
  return level < needs_order &&
         difference(row, at, level).p_of_less_than(equivalence_margin) < significance_level;
}

bool is_shown_at(double level, const ResultRow& row, const RowAtLength& at) {
  return difference(row, at, level).p_of_equality(equivalence_margin) < significance_level;
}

bool no_better_than_order_blind(const ResultRow& row, const RowAtLength& at) {
  return at.order_blind_ceiling && is_of_measure(&RowAtLength::order_blind_ceiling, row) &&
         no_better_than(*at.order_blind_ceiling, row, at);
}

std::optional<double> own_ceiling(const ResultRow& row, const RowAtLength& at) {
  if (at.mirror_blind_ceiling) return at.mirror_blind_ceiling;
  return row.scheme == "none" && row.model == "encoder" ? at.order_blind_ceiling : std::nullopt;
}

bool is_mirror_blind(const ResultRow& row) { return row.by_length.front().mirror_blind_ceiling.has_value(); }

bool is_on_mirror_blind_ceiling(const ResultRow& row, const RowAtLength& at) {
  const auto ceiling = at.mirror_blind_ceiling;
  return ceiling && *ceiling < needs_order && is_shown_at(*ceiling, row, at);
}

bool is_of_measure(std::optional<double> RowAtLength::*level, const ResultRow& row) {
  if (row.is_text) return false;
  if (!row.generates || level == &RowAtLength::window_ceiling) return true;
  if (level != &RowAtLength::no_input_baseline) return false;
  const Task* task = task_if_there(row.settings);
  return task && task->form == Form::classification;
}

std::optional<double> unread_level(const ResultRow& row, const RowAtLength& at) {
  if (row.is_text) return at.text ? std::optional(-at.text->levels.unigram) : std::nullopt;
  return row.generates ? std::nullopt : at.no_input_baseline;
}

double blind_level(const ResultRow& row, const RowAtLength& at) {
  if (row.is_text) return unread_level(row, at).value_or(0);
  if (row.generates)
    return (is_of_measure(&RowAtLength::no_input_baseline, row) ? at.no_input_baseline : at.constant_answer)
        .value_or(0);
  return std::max(at.order_blind_ceiling.value_or(0), at.no_input_baseline.value_or(0));
}

std::optional<double> gain(const ResultRow& row, const RowAtLength& at) {
  const double blind = blind_level(row, at);
  if (blind >= needs_order || !is_measured(row, at)) return {};
  if (row.generates) return mean(at.exact_match);
  return (mean(row.measure(at)) - blind) / ((row.is_text ? 0 : 1) - blind);
}

std::vector<Judged> judged(std::vector<Judged> together) {
  std::vector<Tested> tests;
  for (const auto& [row, at, standing] : together) tests.push_back(tested(*row, at, blind_level(*row, at)));
  const std::vector<bool> apart = told_apart(tests);
  for (std::size_t i = 0; i < apart.size(); ++i)
    if (const double by = tests[i].difference.mean; apart[i] && std::abs(by) >= equivalence_margin)
      together[i].standing = by > 0 ? Standing::above : Standing::below;
  return together;
}

std::vector<Judged> below_reading_nothing(const std::vector<Judged>& together) {
  std::vector<Judged> found;
  std::vector<Tested> tests;
  for (const Judged& one : together)
    if (const auto level = unread_level(*one.row, one.at)) {
      found.push_back({one.row, one.at, Standing::below});
      tests.push_back(tested(*one.row, one.at, *level));
    }
  const std::vector<bool> apart = told_apart(tests);
  std::vector<Judged> below;
  for (std::size_t i = 0; i < apart.size(); ++i)
    if (apart[i] && tests[i].difference.mean <= -equivalence_margin) below.push_back(found[i]);
  return below;
}

}  // namespace locus
