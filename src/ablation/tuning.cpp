#include "ablation/tuning.h"

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

// What the cells at one rate came to, summed over seeds.
struct Ending {
  double accuracy = 0, loss = 0;  // at the last validations
  int runs = 0, solved = 0, steps_to_solve = 0;
  bool is_text = false;

  bool solves() const { return solved == runs; }
  // Less is better. Where both solve the task, their last validations are left out. A text is judged by its loss.
  std::array<double, 3> measures(bool both_solve) const {
    if (is_text) return {loss / runs, 0.0, 0.0};
    return both_solve ? std::array{1.0 * steps_to_solve / runs, loss / runs, 0.0}
                      : std::array{solves() ? 0.0 : 1.0, -accuracy / runs, loss / runs};
  }
  bool better_than(const Ending& other) const {
    const bool both_solve = solves() && other.solves();
    return measures(both_solve) < other.measures(both_solve);
  }
  bool is_near(const Ending& best) const {
    if (is_text) return loss / runs <= best.loss / best.runs + std::log(1 + near_best);
    return accuracy / runs >= (1 - near_best) * best.accuracy / best.runs;
  }
};

using Rates = std::pair<double, double>;  // of the training and of the recalibration
using Search = std::map<Rates, Ending>;

Rates rates_of(const Result& result) {
  return {result.settings.train.optimizer.learning_rate, result.settings.recalibrate_rate};
}

SettingsKey key_without_rates(RunSettings settings) {
  settings.train.optimizer.learning_rate = 0;
  settings.recalibrate_rate = 0;
  return group_key(settings);
}

Rates best_rates(const Search& search) {
  auto best = search.begin();
  for (auto one = search.begin(); one != search.end(); ++one)
    if (one->second.better_than(best->second)) best = one;
  return best->first;
}

// By the settings without the rate. `curve_missing` is called with a result whose search needs its curve.
std::map<SettingsKey, Search> searches_of(const Records& records,
                                          const std::function<void(const Result&)>& curve_missing) {
  std::map<SettingsKey, Search> searches;
  for (const Result& result : records.results)
    searches[key_without_rates(result.settings)][rates_of(result)] = {};
  for (const Result& result : records.results) {
    Search& search = searches.at(key_without_rates(result.settings));
    if (search.size() == 1) continue;
    const Curve& curve = result.outcome.curve;
    if (curve.step.empty()) {
      curve_missing(result);
      continue;
    }
    Ending& ending = search.at(rates_of(result));
    ++ending.runs;
    ending.is_text = is_text_path(result.settings.dataset);
    ending.solved += result.outcome.steps_to_solve.has_value();
    ending.steps_to_solve += result.outcome.steps_to_solve.value_or(0);
    ending.accuracy += curve.accuracy.back();
    ending.loss += curve.loss.back();
  }
  return searches;
}

Tuned at_best(const std::vector<Result>& results, const std::map<SettingsKey, Search>& searches) {
  Tuned tuned;
  std::map<SettingsKey, std::size_t> chosen_of;
  for (const Result& result : results) {
    const SettingsKey key = key_without_rates(result.settings);
    const Search& search = searches.at(key);
    if (rates_of(result) != best_rates(search)) continue;
    tuned.results.push_back(result);
    if (search.size() == 1 || !chosen_of.try_emplace(key, tuned.chosen.size()).second) continue;
    const auto again = std::views::keys(search) | std::views::values;  // the rates of the recalibration
    tuned.chosen.push_back({result.settings, search.size(), search.begin()->first.first,
                            search.rbegin()->first.first, std::ranges::min(again), std::ranges::max(again)});
  }
  for (const Result& result : results) {
    const SettingsKey key = key_without_rates(result.settings);
    const Search& search = searches.at(key);
    const Rates best = best_rates(search);
    const auto found = chosen_of.find(key);
    if (found != chosen_of.end() && rates_of(result) != best &&
        search.at(rates_of(result)).is_near(search.at(best)))
      tuned.chosen[found->second].near.push_back(result);
  }
  return tuned;
}

}  // namespace

Tuned at_best_rates(const Records& records) {
  const Tuned tuned =
      at_best(records.results, searches_of(records, [](const Result& result) {
                fail(result.where, "this run has no learning curve to choose its learning rate by",
                     "train it again, for 50 steps or more");
              }));
  if (tuned.chosen.empty())
    fail("report", "no runs differ in the learning rate alone, so there is none to choose",
         "`locus ablate --lr 0.001,0.003 ...` tries several");
  return tuned;
}

std::vector<ChosenRate> chosen_rates(const Records& records) {
  bool complete = true;
  const auto searches = searches_of(records, [&](const Result&) { complete = false; });
  return complete ? at_best(records.results, searches).chosen : std::vector<ChosenRate>{};
}

std::vector<ResultRow> summarise(const Records& at_best, const std::vector<ChosenRate>& chosen) {
  std::vector<ResultRow> rows = summarise(at_best);
  for (const ChosenRate& one : chosen) {
    const std::vector<ResultRow> near = summarise(Records{.results = one.near});
    for (ResultRow& row : rows)
      if (group_key(row.settings) == group_key(one.settings)) row.near_rates = near;
  }
  return rows;
}

namespace {

std::string edge_of(double rate, double smallest, double largest) {
  return smallest == largest ? "" : rate == smallest ? "smallest" : rate == largest ? "largest" : "";
}

}  // namespace

std::string ChosenRate::edge() const {
  return edge_of(settings.train.optimizer.learning_rate, smallest, largest);
}

std::string ChosenRate::edge_again() const {
  return edge_of(settings.recalibrate_rate, smallest_again, largest_again);
}

std::string tried_text(const std::vector<ChosenRate>& chosen) {
  const auto [fewest, most] = std::ranges::minmax(chosen | std::views::transform(&ChosenRate::tried));
  return fewest == most ? str(most) : str(fewest, " to ", most);
}

std::string edge_warning(const std::vector<ChosenRate>& chosen) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> at_edge;
  std::set<std::string> options;
  for (const ChosenRate& one : chosen) {
    if (!one.is_at_edge()) continue;
    std::vector<std::string> rates;
    if (!one.edge().empty()) rates.push_back(str(one.settings.train.optimizer.learning_rate));
    if (!one.edge_again().empty()) rates.push_back(str("recalibrated at ", one.settings.recalibrate_rate));
    if (!one.edge().empty()) options.insert("--lr");
    if (!one.edge_again().empty()) options.insert("--recalibrate-lr");
    at_edge.push_back(
        str(one.settings.task, " with ", one.settings.model.scheme, " (", join(rates, ", "), ")"));
  }
  if (at_edge.empty()) return "";
  const std::size_t count = at_edge.size();
  if (count > most_named) at_edge.resize(most_named);
  return str("warning: for ", count, " of ", chosen.size(), " choices the best learning rate is the ",
             "smallest or the largest that was tried: ", join(at_edge, ", "),
             count > most_named ? " ..." : "", ". Hint: a better one may lie beyond; more rates in ",
             join(options, " and "), " until each best has one on either side");
}

}  // namespace locus
