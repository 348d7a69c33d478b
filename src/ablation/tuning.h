// A search for the learning rate: of cells that differ in it alone, those at the rate that did best.
//
// The last probes of all seeds decide (results.h): fresh examples of the training split, so the test set has
// no say. Every rate gets the same steps and seeds, for every scheme: an equal budget.
#pragma once

#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

struct ChosenRate {
  std::string task, scheme, model;
  double rate;
  std::size_t tried;  // so many rates
};

struct Tuned {
  std::vector<Result> results;  // at the chosen rates only
  std::vector<ChosenRate> chosen;
};

// By accuracy, and of equally accurate rates, by loss. Throws Error when nothing differs in the learning rate
// alone, or a run that does has no curve.
Tuned at_best_rates(const std::vector<Result>& results, const std::vector<CellCurve>& curves);

}  // namespace locus
