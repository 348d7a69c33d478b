// The choice of a learning rate: of cells that differ only in it, or in that of the recalibration, those at the rates
// with the best result.
//
// Validations of all seeds decide (trainer.h): fresh examples of the training split, so the test set has no
// influence. Every rate gets the same steps and seeds, for every scheme: an equal budget. Rates at which every
// seed solves the task are better than all others; of these, the one that solves it in fewer steps. Their last
// validations say nothing: a run that solves its task ends there, at whatever rate. A text is judged by its loss.
//
// That choice says nothing of a length not trained on, where another rate may do far better. So the rates that do
// nearly as well at the lengths trained on are kept beside it, and what is said of a longer length must hold at each
// of them (tested() in judgement.h).
#pragma once

#include <string>
#include <vector>

#include "ablation/result_rows.h"
#include "ablation/results.h"

namespace locus {

// Rates whose last validations are within this share of those of the best rate are near it: by accuracy, or perplexity.
inline constexpr double near_best = 0.2;

struct ChosenRate {
  RunSettings settings;      // with this rate, of one of the seeds
  std::size_t tried;         // number of rates; of models that are recalibrated, of pairs of rates
  double smallest, largest;  // of the rates of training
  double smallest_again = 0, largest_again = 0;  // of those of the recalibration
  std::vector<Result> near = {};                 // at other rates that are near the best

  // "smallest" or "largest" of the rates that were tried, or "": the best may lie beyond.
  std::string edge() const, edge_again() const;
  bool is_at_edge() const { return !edge().empty() || !edge_again().empty(); }
};

// The numbers of rates: "3", "2 to 6".
std::string tried_text(const std::vector<ChosenRate>& chosen);

struct Tuned {
  std::vector<Result> results;  // at the chosen rates only
  std::vector<ChosenRate> chosen;
};

// Where some seed does not solve the task: by accuracy at the last validations (a text: by loss); of equally accurate
// rates, by loss.
// Throws Error when no cells differ only in the learning rate, or one of those that do has no curve.
Tuned at_best_rates(const Records& records);

// The same choices without an error: none when there is nothing to choose, or a curve is missing.
std::vector<ChosenRate> chosen_rates(const Records& records);

// The rows of results at chosen rates, each with those at the rates near its own (ResultRow::near_rates).
std::vector<ResultRow> summarise(const Records& at_best, const std::vector<ChosenRate>& chosen);

// "warning: for 2 of 9 choices the best learning rate is the smallest or the largest that was tried: sort with rope
// (0.01), ...", with a hint; "" when every chosen rate lies between two others, or was the only one.
std::string edge_warning(const std::vector<ChosenRate>& chosen);

}  // namespace locus
