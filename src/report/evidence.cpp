#include "report/evidence.h"

#include <algorithm>
#include <cmath>

namespace locus {

namespace {

std::optional<LengthSummary> longest(const Summary& row, bool trained) {
  std::optional<LengthSummary> found;
  for (const LengthSummary& at : row.by_length)
    if (at.trained == trained && (!found || at.length > found->length)) found = at;
  return found;
}

}  // namespace

const char* measure_name(const Summary& row) { return row.generates() ? "exact match" : "token accuracy"; }

std::optional<LengthSummary> in_distribution(const Summary& row) {
  return row.dataset ? all_lengths(row) : longest(row, true);
}

std::optional<LengthSummary> out_of_distribution(const Summary& row) {
  return row.dataset ? std::nullopt : longest(row, false);
}

namespace {

double test_error(const Summary& row, const LengthSummary& at) {
  return test_set_error(mean(row.accuracy(at)), at.examples);
}

}  // namespace

bool solves(const Summary& row) {
  const auto at = in_distribution(row);
  return at && smallest(row.accuracy(*at)) >= solved;
}

bool is_at_ceiling(const Summary& row, const LengthSummary& at) {
  return at.order_blind_ceiling && *at.order_blind_ceiling < needs_order &&
         std::abs(mean(row.accuracy(at)) - *at.order_blind_ceiling) < near_ceiling;
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
