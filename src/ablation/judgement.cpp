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

namespace {

using Seeds = std::vector<long long>;

// What these of the row's seeds are judged by.
std::vector<double> measures(const Seeds& seeds, const Summary& row, const LengthSummary& at) {
  const std::vector<double> all = row.measure(at);
  std::vector<double> values;
  for (std::size_t i = 0; i < row.seed.size(); ++i)
    if (std::ranges::count(seeds, row.seed[i])) values.push_back(all[i]);
  return values;
}

// The error of a mean measure from the test set alone. Of a loss only its rounding is known (it is kept to six digits),
// so what is said of a text holds for the part of it that is tested.
double test_error(const Summary& row, const std::vector<double>& measures, const LengthSummary& at) {
  return row.is_text ? 1e-6 : test_set_error(mean(measures), at.examples);
}

// Between as many seeds of one row and of another, in their order. The errors of both on the test set are added as if
// each had examples of its own. Both answer the same ones: where they tend to make the same mistakes, the sum is an
// upper bound, and fewer rows than could be are called different or equal.
Difference difference_on(const Seeds& seeds, const Summary& row, const LengthSummary& at,
                         const Seeds& other_seeds, const Summary& other, const LengthSummary& other_at) {
  const std::vector<double> here = measures(seeds, row, at), there = measures(other_seeds, other, other_at);
  return paired_difference(here, there,
                           std::hypot(test_error(row, here, at), test_error(other, there, other_at)));
}

std::optional<LengthSummary> at_length(const Summary& row, int length) {
  if (length == 0) return all_lengths(row);
  const auto found = std::ranges::find(row.by_length, length, &LengthSummary::length);
  return found == row.by_length.end() ? std::nullopt : std::optional(*found);
}

// The control of a row: with the same settings; or else the same variant; or else the only one of its task and model,
// or of its width there.
std::optional<std::size_t> control_of(const std::vector<Summary>& rows, const Summary& row,
                                      const std::string& control) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].again && rows[i].scheme == control && rows[i].task == row.task && rows[i].model == row.model)
      found.push_back(i);
  for (const std::size_t i : found)
    if (settings_apart(row, rows[i]).empty()) return i;
  for (const std::size_t i : found)
    if (rows[i].variant == row.variant) return i;
  if (found.size() > 1)  // a rate of its own for each scheme makes variants; the size is what must agree
    std::erase_if(
        found, [&](std::size_t i) { return rows[i].settings.model.d_model != row.settings.model.d_model; });
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace

const char* measure_name(const Summary& row) {
  return row.is_text ? "negative loss" : row.generates ? "exact match" : "token accuracy";
}

bool is_measured(const Summary& row, const LengthSummary& at) {
  return std::ranges::all_of(row.measure(at), [](double value) { return std::isfinite(value); });
}

std::optional<LengthSummary> in_distribution(const Summary& row) {
  if (row.is_table) return all_lengths(row);
  std::optional<LengthSummary> longest;
  for (const LengthSummary& at : row.by_length)
    if (at.trained && (!longest || at.length > longest->length)) longest = at;
  return longest;
}

std::optional<LengthSummary> out_of_distribution(const Summary& row) {
  if (row.is_table) return {};
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
  return !row.is_text && smallest(row.accuracy(at)) >= solved_accuracy;
}

bool solves(const Summary& row) {
  const auto at = in_distribution(row);
  return at && solves(row, *at);
}

bool only_some_seeds_solve(const Summary& row) {
  return !row.steps_to_solve.empty() && row.steps_to_solve.size() < row.seed.size();
}

bool no_better_than(double level, const Summary& row, const LengthSummary& at) {
  return level < needs_order &&
         difference(row, at, level).p_of_less_than(equivalence_margin) < significance_level;
}

bool is_shown_at(double level, const Summary& row, const LengthSummary& at) {
  return difference(row, at, level).p_of_equality(equivalence_margin) < significance_level;
}

bool no_better_than_order_blind(const Summary& row, const LengthSummary& at) {
  return at.order_blind_ceiling && no_better_than(*at.order_blind_ceiling, row, at);
}

std::optional<double> own_ceiling(const Summary& row, const LengthSummary& at) {
  if (at.mirror_blind_ceiling) return at.mirror_blind_ceiling;
  return row.scheme == "none" && row.model == "encoder" ? at.order_blind_ceiling : std::nullopt;
}

bool is_mirror_blind(const Summary& row) { return row.by_length.front().mirror_blind_ceiling.has_value(); }

bool is_on_mirror_blind_ceiling(const Summary& row, const LengthSummary& at) {
  const auto ceiling = at.mirror_blind_ceiling;
  return ceiling && *ceiling < needs_order && is_shown_at(*ceiling, row, at);
}

bool is_of_measure(std::optional<double> LengthSummary::*level, const Summary& row) {
  if (row.is_text) return false;
  if (!row.generates) return true;
  if (level != &LengthSummary::no_input_baseline) return false;
  const Task* task = task_if_there(row.settings);
  return task && task->form == Form::classification;
}

std::optional<double> unread_level(const Summary& row, const LengthSummary& at) {
  if (row.is_text) return at.text ? std::optional(-at.text->levels.unigram) : std::nullopt;
  return row.generates ? std::nullopt : at.no_input_baseline;
}

double blind_level(const Summary& row, const LengthSummary& at) {
  if (row.is_text) return unread_level(row, at).value_or(0);
  if (row.generates) return 0;
  return std::max(at.order_blind_ceiling.value_or(0), at.no_input_baseline.value_or(0));
}

std::optional<double> gain(const Summary& row, const LengthSummary& at) {
  const double blind = blind_level(row, at);
  if (blind >= needs_order || !is_measured(row, at)) return {};
  return (mean(row.measure(at)) - blind) / ((row.is_text ? 0 : 1) - blind);
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

std::optional<Difference> difference(const Summary& row, const LengthSummary& at, const Summary& other,
                                     const LengthSummary& other_at) {
  Seeds seeds;
  std::ranges::set_intersection(row.seed, other.seed, std::back_inserter(seeds));
  if (seeds.empty()) return {};
  return difference_on(seeds, row, at, seeds, other, other_at);
}

Difference difference(const Summary& row, const LengthSummary& at, double level) {
  const std::vector<double> values = row.measure(at);
  return paired_difference(values, std::vector<double>(values.size(), level), test_error(row, values, at));
}

namespace {

// A row at one of its rates: its own, or one near it. `length` is where it is tested.
struct AtRate {
  const Summary* row;
  LengthSummary at;

  // "rope 0.910 at learning rate 0.03"
  std::string to_text() const {
    const RunSettings& settings = row->settings;
    const double value = mean(row->measure(at));
    return text(row->scheme, ' ',
                row->is_text ? text("perplexity ", significant(std::exp(-value), 3)) : fixed(value, 3),
                " at learning rate ", settings.train.optimizer.learning_rate,
                settings.recalibrate > 0 ? text(" and ", settings.recalibrate_rate) : "");
  }
};

// The row itself comes first. Where it was trained, its own rate is the best; no other is looked at.
std::vector<AtRate> at_rates(const Summary& row, const LengthSummary& at) {
  std::vector<AtRate> all = {{&row, at}};
  if (at.trained) return all;
  for (const Summary& near : row.near_rates)
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

std::optional<Tested> tested(const Summary& row, const LengthSummary& at, const Summary& other,
                             const LengthSummary& other_at) {
  const auto chosen = difference(row, at, other, other_at);
  if (!chosen) return {};
  AgainstRates all(*chosen);
  for (const AtRate& here : at_rates(row, at))
    for (const AtRate& there : at_rates(other, other_at))
      if (here.row != &row || there.row != &other)
        if (const auto apart = difference(*here.row, here.at, *there.row, there.at))
          all.add(*apart, text(here.to_text(), ", ", there.to_text()));
  return all.found;
}

Tested tested(const Summary& row, const LengthSummary& at, double level) {
  AgainstRates all(difference(row, at, level));
  for (const AtRate& here : at_rates(row, at))
    if (here.row != &row) all.add(difference(*here.row, here.at, level), here.to_text());
  return all.found;
}

std::string to_string(Verdict verdict) {
  constexpr const char* names[] = {"worse", "cannot tell", "equal within ", "better", "one seed: no verdict"};
  return names[as_size(verdict)] + (verdict == Verdict::equal ? significant(equivalence_margin, 2) : "");
}

std::string verdict_text(const Comparison& one) {
  if (one.verdict != Verdict::cannot_tell) return to_string(one.verdict);
  if (!one.other_rates.empty())
    return text(to_string(one.verdict), ": other learning rates disagree (", one.other_rates, ')');
  return to_string(one.verdict) + (one.seeds_needed
                                       ? text("; about ", with_separators(*one.seeds_needed), " seeds would")
                                       : "; more seeds would not, more test inputs may");
}

namespace {

// A comparison with what it is worth at all rates.
struct Contest {
  Comparison comparison;
  Tested tested;
};

void judge(const std::vector<Contest*>& family) {
  std::vector<double> apart, equal, apart_as_chosen, equal_as_chosen;
  for (const Contest* one : family) {
    apart.push_back(one->tested.p);
    equal.push_back(one->tested.p_of_equality);
    apart_as_chosen.push_back(one->tested.difference.p);
    equal_as_chosen.push_back(one->tested.difference.p_of_equality(equivalence_margin));
  }
  for (auto* p : {&apart, &equal, &apart_as_chosen, &equal_as_chosen}) *p = holm(*p);
  for (std::size_t i = 0; i < family.size(); ++i) {
    auto& [one, tested] = *family[i];
    one.adjusted_p = apart[i];
    if (apart[i] < significance_level)
      one.verdict = one.difference.mean > 0 ? Verdict::better : Verdict::worse;
    else if (equal[i] < significance_level)
      one.verdict = Verdict::equal;
    else if (apart_as_chosen[i] < significance_level)
      one.other_rates = tested.against;
    else if (equal_as_chosen[i] < significance_level)
      one.other_rates = tested.farthest;
    else
      one.seeds_needed = one.difference.seeds_needed(equivalence_margin,
                                                     significance_level / static_cast<double>(family.size()));
  }
}

}  // namespace

std::string usual_control(const std::vector<Summary>& rows) {
  if (rows.empty()) fail("report", "there are no results to compare");
  return std::ranges::count(rows, "none", &Summary::scheme) > 0 ? "none" : rows.front().scheme;
}

std::vector<Comparison> compare(const std::vector<Summary>& rows, const std::string& control) {
  std::set<std::string> schemes;
  for (const Summary& row : rows) schemes.insert(row.scheme);
  if (!schemes.contains(control))
    fail_usage("report", text("no result has the scheme '", control, "'"),
               nearest_names(control, {schemes.begin(), schemes.end()}));

  std::vector<Contest> found;
  const auto add = [&](std::size_t row, Seeds seeds, std::size_t other, Seeds other_seeds) {
    const std::size_t pairs = std::min(seeds.size(), other_seeds.size());
    if (pairs == 0) return;
    seeds.resize(pairs);
    other_seeds.resize(pairs);
    for (const LengthSummary& at : headline_lengths(rows[row]))
      if (const auto there = at_length(rows[other], at.length);
          there && is_measured(rows[row], at) && is_measured(rows[other], *there)) {
        const Difference apart = difference_on(seeds, rows[row], at, other_seeds, rows[other], *there);
        const bool is_aa = rows[row].scheme == rows[other].scheme;
        const Tested alone{apart, apart.p, apart.p_of_equality(equivalence_margin)};
        found.push_back({{.row = row,
                          .control = other,
                          .length = at.length,
                          .trained = at.trained,
                          .pairs = static_cast<int>(pairs),
                          .difference = apart,
                          .adjusted_p = 1,
                          .verdict = pairs > 1 ? Verdict::cannot_tell : Verdict::none_with_one_seed,
                          .seeds_needed = {},
                          .other_rates = {},
                          .is_aa = is_aa},
                         is_aa ? alone : tested(rows[row], at, rows[other], *there).value_or(alone)});
      }
  };
  std::map<std::size_t, Seeds> compared;  // by control: its seeds that rows compared with it have
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto other = control_of(rows, rows[row], control);
    if (!other || *other == row) continue;
    if (rows[row].scheme == control && rows[row].again) {
      add(row, rows[row].seed, *other, rows[*other].seed);
      continue;
    }
    Seeds shared, all;
    std::ranges::set_intersection(rows[row].seed, rows[*other].seed, std::back_inserter(shared));
    std::ranges::set_union(shared, compared[*other], std::back_inserter(all));
    compared[*other] = all;
    add(row, shared, *other, shared);
  }
  for (const auto& [other, seeds] : compared) {  // with itself, on the seeds that no other row has
    Seeds rest;
    std::ranges::set_difference(rows[other].seed, seeds, std::back_inserter(rest));
    add(other, rest, other, seeds);
  }

  std::map<std::tuple<std::size_t, bool, bool>, std::vector<Contest*>> families;
  for (Contest& one : found)
    if (const Comparison& of = one.comparison; of.pairs > 1)
      families[{of.control, of.trained, of.is_aa}].push_back(&one);
  for (const auto& [of, family] : families) judge(family);
  std::vector<Comparison> comparisons;
  for (Contest& one : found) comparisons.push_back(std::move(one.comparison));
  return comparisons;
}

}  // namespace locus
