// The choice of a learning rate: of cells that differ only in it, those at the rate with the best result.
//
// The last probes of all seeds decide (trainer.h): fresh examples of the training split, so the test set has
// no influence. Every rate gets the same steps and seeds, for every scheme: an equal budget.
#pragma once

#include <vector>

#include "ablation/results.h"

namespace locus {

struct ChosenRate {
  RunSettings settings;  // with this rate, of one of the seeds
  std::size_t tried;     // number of rates
};

struct Tuned {
  std::vector<Result> results;  // at the chosen rates only
  std::vector<ChosenRate> chosen;
};

// By accuracy; of equally accurate rates, by loss. Throws Error when no cells differ only in the learning
// rate, or one of those that do has no curve.
Tuned at_best_rates(const Records& records);

}  // namespace locus
