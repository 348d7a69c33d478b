#include "ablation/comparison.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ablation/judgement.h"
#include "base/error.h"

namespace locus {

namespace {

// An accuracy per seed.
struct Sample {
  std::vector<double> accuracy;
  double examples = 1;

  double error() const { return test_set_error(mean(accuracy), examples); }
};

// The row at this length, on these of its seeds; nothing when it was not tested at that length.
std::optional<Sample> sample(const Summary& row, int length, const std::vector<long long>& seeds) {
  for (const LengthSummary& at : length == 0 ? std::vector{all_lengths(row)} : row.by_length) {
    if (at.length != length) continue;
    Sample sample{.accuracy = {}, .examples = at.examples};
    for (std::size_t i = 0; i < row.seed.size(); ++i)
      if (std::ranges::count(seeds, row.seed[i])) sample.accuracy.push_back(row.accuracy(at)[i]);
    return sample;
  }
  return std::nullopt;
}

std::optional<std::size_t> control_of(const std::vector<Summary>& summaries, std::size_t row,
                                      const std::string& control) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < summaries.size(); ++i)
    if (!summaries[i].again && summaries[i].scheme == control && summaries[i].task == summaries[row].task &&
        summaries[i].model == summaries[row].model)
      found.push_back(i);
  for (const std::size_t i : found)
    if (summaries[i].variant == summaries[row].variant) return i;
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

std::vector<long long> shared_seeds(const Summary& a, const Summary& b) {
  std::vector<long long> shared;
  std::ranges::set_intersection(a.seed, b.seed, std::back_inserter(shared));
  return shared;
}

class Comparisons {
 public:
  Comparisons(const std::vector<Summary>& summaries, const std::string& control)
      : summaries_(summaries), shared_with_others_(summaries.size()) {
    for (std::size_t row = 0; row < summaries.size(); ++row)
      if (const auto found = control_of(summaries, row, control); found && *found != row)
        compare_with(row, *found);
    for (std::size_t row = 0; row < summaries.size(); ++row)
      if (!shared_with_others_[row].empty()) compare_with_itself(row);
  }

  std::vector<Comparison> take() {
    std::vector<double> p;
    for (const Comparison& one : comparisons_) p.push_back(one.difference.p);
    const std::vector<double> adjusted = holm(p);
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      comparisons_[i].adjusted_p = adjusted[i];
      if (adjusted[i] < significance_level)
        comparisons_[i].verdict = comparisons_[i].difference.mean > 0 ? Verdict::better : Verdict::worse;
    }
    return std::move(comparisons_);
  }

 private:
  void compare_with(std::size_t row, std::size_t control) {
    if (summaries_[row].again && summaries_[row].scheme == summaries_[control].scheme)
      return add(row, control, summaries_[row].seed, summaries_[control].seed);
    const std::vector<long long> seeds = shared_seeds(summaries_[row], summaries_[control]);
    std::vector<long long>& all = shared_with_others_[control];
    for (const long long seed : seeds)
      if (!std::ranges::count(all, seed)) all.push_back(seed);
    add(row, control, seeds, seeds);
  }

  void compare_with_itself(std::size_t control) {
    std::vector<long long> first = shared_with_others_[control], second;
    std::ranges::sort(first);
    std::ranges::set_difference(summaries_[control].seed, first, std::back_inserter(second));
    add(control, control, second, first);
  }

  void add(std::size_t row, std::size_t control, std::vector<long long> seeds,
           std::vector<long long> control_seeds) {
    const std::size_t pairs = std::min(seeds.size(), control_seeds.size());
    if (pairs == 0) return;
    seeds.resize(pairs);
    control_seeds.resize(pairs);
    for (const LengthSummary& at : headline_lengths(summaries_[row])) {
      const auto here = sample(summaries_[row], at.length, seeds),
                 there = sample(summaries_[control], at.length, control_seeds);
      if (!there) continue;
      const double error = std::hypot(here->error(), there->error());
      comparisons_.push_back({.row = row,
                              .control = control,
                              .length = at.length,
                              .trained = at.trained,
                              .pairs = static_cast<int>(pairs),
                              .difference = paired_difference(here->accuracy, there->accuracy, error),
                              .adjusted_p = 1,
                              .verdict = Verdict::not_distinguishable,
                              .is_aa = summaries_[row].scheme == summaries_[control].scheme});
    }
  }

  const std::vector<Summary>& summaries_;
  std::vector<std::vector<long long>>
      shared_with_others_;  // by row: its seeds that rows compared with it have
  std::vector<Comparison> comparisons_;
};

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::worse:
      return "worse";
    case Verdict::not_distinguishable:
      return "not distinguishable";
    case Verdict::better:
      return "better";
  }
  return "";
}

std::string usual_control(const std::vector<Summary>& summaries) {
  if (summaries.empty()) fail("report", "there are no results to compare");
  const bool has_none = std::ranges::count(summaries, "none", &Summary::scheme) > 0;
  return has_none ? "none" : summaries.front().scheme;
}

std::vector<Comparison> compare(const std::vector<Summary>& summaries, const std::string& control) {
  std::set<std::string> schemes;
  for (const Summary& row : summaries) schemes.insert(row.scheme);
  if (!schemes.contains(control))
    fail_usage("report", text("no result has the scheme '", control, "'"),
               nearest_names(control, {schemes.begin(), schemes.end()}));
  return Comparisons(summaries, control).take();
}

}  // namespace locus
