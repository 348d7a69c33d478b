#include "ablation/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/size.h"
#include "base/text.h"
#include "io/format.h"

namespace locus {

namespace {

// The control of a row: with the same settings; or else the same variant; or else the only one of its task and model,
// or of its width there.
std::optional<std::size_t> control_of(const std::vector<ResultRow>& rows, const ResultRow& row,
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

std::string to_string(Verdict verdict) {
  constexpr const char* names[] = {"worse", "cannot tell", "equal within ", "better", "one seed: no verdict"};
  return names[as_size(verdict)] + (verdict == Verdict::equal ? significant(equivalence_margin, 2) : "");
}

std::string verdict_text(const Comparison& one) {
  if (one.verdict != Verdict::cannot_tell) return to_string(one.verdict);
  if (!one.other_rates.empty())
    return str(to_string(one.verdict), ": other learning rates disagree (", one.other_rates, ')');
  if (!one.seeds_needed && std::abs(one.difference.mean) < 0.0005)
    return to_string(one.verdict) + "; no difference seen, more test inputs may show that there is none";
  return to_string(one.verdict) + (one.seeds_needed
                                       ? str("; about ", with_separators(*one.seeds_needed), " seeds would")
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

std::string usual_control(const std::vector<ResultRow>& rows) {
  if (rows.empty()) fail("report", "there are no results to compare");
  return std::ranges::count(rows, "none", &ResultRow::scheme) > 0 ? "none" : rows.front().scheme;
}

std::vector<Comparison> compare(const std::vector<ResultRow>& rows, const std::string& control) {
  std::set<std::string> schemes;
  for (const ResultRow& row : rows) schemes.insert(row.scheme);
  if (!schemes.contains(control))
    fail_usage("report", str("no result has the scheme '", control, "'"),
               nearest_names(control, {schemes.begin(), schemes.end()}));

  std::vector<Contest> found;
  const auto add = [&](std::size_t row, Seeds seeds, std::size_t other, Seeds other_seeds) {
    const std::size_t pairs = std::min(seeds.size(), other_seeds.size());
    if (pairs == 0) return;
    seeds.resize(pairs);
    other_seeds.resize(pairs);
    for (const RowAtLength& at : headline_lengths(rows[row]))
      if (const auto there = at_length(rows[other], at.length);
          there && is_measured(rows[row], at) && is_measured(rows[other], *there)) {
        const Difference apart = difference(seeds, rows[row], at, other_seeds, rows[other], *there);
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
