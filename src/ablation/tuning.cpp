#include "ablation/tuning.h"

#include <map>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

// The last probes of the cells at one rate, summed over seeds.
struct Ending {
  double accuracy = 0, loss = 0;
  int runs = 0;

  bool better_than(const Ending& other) const {
    const double here = accuracy / runs, there = other.accuracy / other.runs;
    return here != there ? here > there : loss / runs < other.loss / other.runs;
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

}  // namespace

Tuned at_best_rates(const Records& records) {
  std::map<SettingsKey, const Curve*> curve_of;
  for (const CellCurve& one : records.curves) curve_of[settings_key(one.settings)] = &one.curve;
  std::map<SettingsKey, Search> searches;
  for (const Result& result : records.results)
    searches[key_without_rates(result.settings)][rates_of(result)] = {};
  for (const Result& result : records.results) {
    Search& search = searches.at(key_without_rates(result.settings));
    if (search.size() == 1) continue;
    const auto found = curve_of.find(settings_key(result.settings));
    if (found == curve_of.end() || found->second->step.empty())
      fail(result.where, "this run has no learning curve to choose its learning rate by",
           "train it again, for 50 steps or more");
    Ending& ending = search.at(rates_of(result));
    ++ending.runs;
    ending.accuracy += found->second->accuracy.back();
    ending.loss += found->second->loss.back();
  }

  Tuned tuned;
  std::set<SettingsKey> reported;
  for (const Result& result : records.results) {
    const SettingsKey key = key_without_rates(result.settings);
    const Rates best = best_rates(searches.at(key));
    if (rates_of(result) != best) continue;
    tuned.results.push_back(result);
    if (searches.at(key).size() > 1 && reported.insert(key).second)
      tuned.chosen.push_back({result.settings, searches.at(key).size()});
  }
  if (tuned.chosen.empty())
    fail("report", "no runs differ in the learning rate alone, so there is none to choose",
         "`locus ablate --lr 0.001,0.003 ...` tries several");
  return tuned;
}

}  // namespace locus
