#include "ablation/tested.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "ablation/judgement.h"
#include "base/text.h"
#include "io/format.h"

namespace locus {

namespace {

// What these of the row's seeds are judged by.
std::vector<double> measures(const Seeds& seeds, const ResultRow& row, const RowAtLength& at) {
  const std::vector<double> all = row.measure(at);
  std::vector<double> values;
  for (std::size_t i = 0; i < row.seed.size(); ++i)
    if (std::ranges::count(seeds, row.seed[i])) values.push_back(all[i]);
  return values;
}

// The error of a mean measure from the test set alone. For a loss only its rounding is known (it is kept to six
// digits), so what is said of a text holds for the part of it that is tested.
double test_error(const ResultRow& row, const std::vector<double>& measures, const RowAtLength& at) {
  return row.is_text ? 1e-6 : test_set_error(mean(measures), at.examples);
}

}  // namespace

std::optional<RowAtLength> at_length(const ResultRow& row, int length) {
  if (length == 0) return all_lengths(row);
  const auto found = std::ranges::find(row.by_length, length, &RowAtLength::length);
  return found == row.by_length.end() ? std::nullopt : std::optional(*found);
}

Difference difference(const Seeds& seeds, const ResultRow& row, const RowAtLength& at,
                      const Seeds& other_seeds, const ResultRow& other, const RowAtLength& other_at) {
  const std::vector<double> here = measures(seeds, row, at), there = measures(other_seeds, other, other_at);
  return paired_difference(here, there,
                           std::hypot(test_error(row, here, at), test_error(other, there, other_at)));
}

std::optional<Difference> difference(const ResultRow& row, const RowAtLength& at, const ResultRow& other,
                                     const RowAtLength& other_at) {
  Seeds seeds;
  std::ranges::set_intersection(row.seed, other.seed, std::back_inserter(seeds));
  if (seeds.empty()) return {};
  return difference(seeds, row, at, seeds, other, other_at);
}

Difference difference(const ResultRow& row, const RowAtLength& at, double level) {
  const std::vector<double> values = row.measure(at);
  return paired_difference(values, std::vector<double>(values.size(), level), test_error(row, values, at));
}

namespace {

// A row at one of its rates: its own, or one near it. `length` is where it is tested.
struct AtRate {
  const ResultRow* row;
  RowAtLength at;

  // "rope 0.910 at learning rate 0.03"
  std::string to_text() const {
    const RunSettings& settings = row->settings;
    const double value = mean(row->measure(at));
    return str(row->scheme, ' ',
               row->is_text ? str("perplexity ", significant(std::exp(-value), 3)) : fixed(value, 3),
               " at learning rate ", settings.train.optimizer.learning_rate,
               settings.recalibrate > 0 ? str(" and ", settings.recalibrate_rate) : "");
  }
};

// The row itself comes first. Where it was trained, its own rate is the best; no other is looked at.
std::vector<AtRate> at_rates(const ResultRow& row, const RowAtLength& at) {
  std::vector<AtRate> all = {{&row, at}};
  if (at.trained) return all;
  for (const ResultRow& near : row.near_rates)
    if (const auto there = at_length(near, at.length); there && is_measured(near, *there))
      all.push_back({&near, *there});
  return all;
}

// What pairs at other rates say of the difference at the chosen ones.
struct AgainstRates {
  Tested found;
  double least, most;  // of the differences of all pairs: in the direction of the first; by size

  explicit AgainstRates(const Difference& chosen)
      : found{chosen, chosen.p, chosen.p_of_equality(equivalence_margin)},
        least(std::abs(chosen.mean)),
        most(std::abs(chosen.mean)) {}

  void add(const Difference& other, const std::string& words) {
    const double along = found.difference.mean < 0 ? -other.mean : other.mean, size = std::abs(other.mean);
    const bool is_small = std::abs(found.difference.mean) < equivalence_margin;
    if (along <= 0 || (along < equivalence_margin && !is_small)) found.p = 1;
    if (size >= equivalence_margin) found.p_of_equality = 1;
    if (along < least) found.against = words;
    if (size > most) found.farthest = words;
    least = std::min(least, along);
    most = std::max(most, size);
  }
};

}  // namespace

std::optional<Tested> tested(const ResultRow& row, const RowAtLength& at, const ResultRow& other,
                             const RowAtLength& other_at) {
  const auto chosen = difference(row, at, other, other_at);
  if (!chosen) return {};
  AgainstRates all(*chosen);
  for (const AtRate& here : at_rates(row, at))
    for (const AtRate& there : at_rates(other, other_at))
      if (here.row != &row || there.row != &other)
        if (const auto apart = difference(*here.row, here.at, *there.row, there.at))
          all.add(*apart, str(here.to_text(), ", ", there.to_text()));
  return all.found;
}

// Whether each seed's generated answers are above the level, as its own test set tells: the p value of the lowest. The
// level of one fixed answer is near 0, and no seed can be below that, so seeds that differ widely above it do not
// look like chance, while Student's interval around their mean takes them for one.
static double p_of_lowest_seed(const ResultRow& row, const RowAtLength& at, double level) {
  const double lowest = smallest(row.accuracy(at));
  if (!row.generates || row.seeds() < 2 || lowest <= level) return 1;
  return std::erfc((lowest - level) / test_set_error(lowest, at.examples) / std::numbers::sqrt2);
}

Tested tested(const ResultRow& row, const RowAtLength& at, double level) {
  AgainstRates all(difference(row, at, level));
  all.found.p = std::min(all.found.p, p_of_lowest_seed(row, at, level));
  for (const AtRate& here : at_rates(row, at))
    if (here.row != &row) all.add(difference(*here.row, here.at, level), here.to_text());
  return all.found;
}

namespace {

std::vector<bool> are_apart(const auto& all) {
  std::vector<double> p;
  for (const auto& one : all) p.push_back(one.p);
  std::vector<bool> apart;
  for (const double adjusted : holm(p)) apart.push_back(adjusted < significance_level);
  return apart;
}

}  // namespace

std::vector<bool> told_apart(const std::vector<Difference>& differences) { return are_apart(differences); }
std::vector<bool> told_apart(const std::vector<Tested>& tests) { return are_apart(tests); }

}  // namespace locus
