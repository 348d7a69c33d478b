// Results over seeds: the cells that differ in nothing but the seed, taken together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

struct LengthSummary {
  int length;                          // 0: all lengths together
  bool trained;                        // within the training lengths
  std::vector<double> token_accuracy;  // one per seed
  std::vector<double> exact_match;
  std::optional<double> order_blind_ceiling;
  double examples;
  std::optional<double> no_input_baseline{};  // of token accuracy; older files lack it
};

struct Summary {
  std::string task, scheme, model;
  bool dataset;
  int parameters;
  std::vector<double> steps_to_solve{};  // of the seeds that solved the task
  int diverged = 0;
  std::vector<LengthSummary> by_length{};
  std::vector<long long> seed{};  // ascending; accuracies are in this order
  std::string settings{};         // as of curves and durations (results.h)
  // What sets it apart from others of the same task, scheme and model: "d_model=64", "from=runs/a". Empty
  // when there are none.
  std::string variant{};

  // Answers that are generated are right as a whole or not, and no order-blind ceiling applies to them.
  bool generates() const { return !by_length.empty() && !by_length.front().order_blind_ceiling; }
  int seeds() const {
    return by_length.empty() ? 0 : static_cast<int>(by_length.front().token_accuracy.size());
  }
  // Some seeds solved the task and some did not: a mean is then that of neither kind, and how many is what
  // counts.
  bool seeds_disagree() const {
    return !steps_to_solve.empty() && static_cast<int>(steps_to_solve.size()) < seeds();
  }
  // The accuracy that counts, one per seed.
  const std::vector<double>& accuracy(const LengthSummary& at) const {
    return generates() ? at.exact_match : at.token_accuracy;
  }
  bool again = false;  // the second row of a control that was run twice (A/A)

  // "rope", "rope (d_model=64)", "none (again)"
  std::string name() const {
    const std::string more = variant + (again && !variant.empty() ? ", " : "") + (again ? "again" : "");
    return more.empty() ? scheme : scheme + " (" + more + ")";
  }
};

// What to do with the seeds of a control that no other scheme has, which were run for A/A.
enum class ExtraSeeds { together, in_a_row_of_their_own };

// In the order of first appearance. Throws Error naming the line when it lacks a key, holds a wrong type or
// no length, or repeats a cell.
std::vector<Summary> summarise(const std::vector<Result>& results, ExtraSeeds extra = ExtraSeeds::together);

// All lengths of the row as one, in proportion to their examples: what is said of a table of examples, whose
// lengths are all trained on.
LengthSummary all_lengths(const Summary& row);

// Where a row is compared with others: at the longest length that was trained on and at the longest of all;
// a table of examples, at all lengths together.
std::vector<LengthSummary> headline_lengths(const Summary& row);

}  // namespace locus
