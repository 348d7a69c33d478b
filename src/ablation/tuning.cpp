#include "ablation/tuning.h"

#include <map>
#include <utility>

#include "base/error.h"

namespace locus {

namespace {

// How the runs at one rate ended, summed over seeds.
struct Ending {
  double accuracy = 0, loss = 0;
  int runs = 0;

  bool better_than(const Ending& other) const {
    const double here = accuracy / runs, there = other.accuracy / other.runs;
    return here != there ? here > there : loss / runs < other.loss / other.runs;
  }
};

using Search = std::map<double, Ending>;  // by rate

// The settings of a cell without the seed, and without the rate as well.
std::string but_for_rate(const Json& line, std::string_view where) {
  Json settings = line;
  settings.set("learning_rate", nullptr);
  return settings_text(settings, where, false);
}

double best_rate(const Search& search) {
  auto best = search.begin();
  for (auto one = search.begin(); one != search.end(); ++one)
    if (one->second.better_than(best->second)) best = one;
  return best->first;
}

}  // namespace

Tuned at_best_rates(const std::vector<Result>& results, const std::vector<CellCurve>& curves) {
  std::map<std::pair<std::string, long long>, const Curve*> curve_of;
  for (const CellCurve& one : curves) curve_of[{one.settings, one.seed}] = &one.curve;
  std::map<std::string, Search> searches;
  for (const auto& [json, where] : results)
    searches[but_for_rate(json, where)][json.number("learning_rate", where)] = {};
  for (const auto& [json, where] : results) {
    Search& search = searches.at(but_for_rate(json, where));
    if (search.size() == 1) continue;
    Ending& ending = search.at(json.number("learning_rate", where));
    const auto found = curve_of.find({settings_text(json, where, false), json.integer("seed", where)});
    ++ending.runs;
    if (found == curve_of.end() || found->second->step.empty())
      fail(where, "this run has no learning curve to choose its learning rate by",
           "train it again, for 50 steps or more");
    ending.accuracy += found->second->accuracy.back();
    ending.loss += found->second->loss.back();
  }

  Tuned tuned;
  std::map<std::string, bool> said;
  for (const Result& result : results) {
    const auto& [json, where] = result;
    const std::string key = but_for_rate(json, where);
    const double best = best_rate(searches.at(key));
    if (json.number("learning_rate", where) != best) continue;
    tuned.results.push_back(result);
    if (searches.at(key).size() > 1 && !std::exchange(said[key], true))
      tuned.chosen.push_back({json.string("task", where), json.string("scheme", where),
                              json.string("model", where), best, searches.at(key).size()});
  }
  if (tuned.chosen.empty())
    fail("report", "no runs differ in the learning rate alone, so there is none to choose",
         "`locus ablate --lr 0.001,0.003 ...` tries several");
  return tuned;
}

}  // namespace locus
