// The choice of a learning rate: of cells that differ only in it, those at the rate with the best result.
//
// Probes of all seeds decide (trainer.h): fresh examples of the training split, so the test set has no
// influence. Every rate gets the same steps and seeds, for every scheme: an equal budget. Rates at which every
// seed solves the task are better than all others; of these, the one that solves it in fewer steps. Their last
// probes say nothing: a run that solves its task ends there, at whatever rate.
#pragma once

#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

struct ChosenRate {
  RunSettings settings;      // with this rate, of one of the seeds
  std::size_t tried;         // number of rates
  double smallest, largest;  // of these

  // The best may lie beyond the rates that were tried.
  bool is_at_edge() const;
};

struct Tuned {
  std::vector<Result> results;  // at the chosen rates only
  std::vector<ChosenRate> chosen;
};

// Where some seed does not solve the task: by accuracy at the last probes; of equally accurate rates, by loss.
// Throws Error when no cells differ only in the learning rate, or one of those that do has no curve.
Tuned at_best_rates(const Records& records);

// The same choices without an error: none when there is nothing to choose, or a curve is missing.
std::vector<ChosenRate> chosen_rates(const Records& records);

// "warning: for 2 of 9 choices the best learning rate is the smallest or the largest that was tried: sort with rope
// (0.01), ...", with a hint; "" when every chosen rate lies between two others.
std::string edge_warning(const std::vector<ChosenRate>& chosen);

}  // namespace locus
