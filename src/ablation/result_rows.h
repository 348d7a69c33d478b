// Results over seeds: the cells that differ only in the seed, taken together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/results.h"

namespace locus {

// Of windows of a text: the losses of evaluate.h in nats per token, one per seed; NaN of a seed whose loss is none.
struct TextSummary {
  std::vector<double> loss, sliding;
  std::vector<double> by_position;  // mean over the seeds whose loss is a number; may be empty
  TextLevels levels;
};

struct RowAtLength {
  int length;                          // 0: all lengths together
  bool trained;                        // within the training lengths
  std::vector<double> token_accuracy;  // one per seed
  std::vector<double> exact_match;
  std::optional<double> order_blind_ceiling;
  double examples;
  std::optional<double> no_input_baseline{};  // of token accuracy
  // What a model of these settings cannot pass (ceilings_of), where the task is there.
  std::optional<double> mirror_blind_ceiling{}, window_ceiling{};
  // Exact match of the one answer that is right most often when it is given to every test input, unread: of generated
  // answers, where the task is there.
  std::optional<double> constant_answer{};
  std::vector<std::string> answers{};  // to the first test inputs, of one seed; may be none
  std::optional<TextSummary> text{};
};

struct ResultRow {
  std::string task, scheme, model;
  bool is_table;  // of examples, whose rows have lengths of their own
  int parameters;
  std::vector<double> steps_to_solve{};  // of the seeds that solved the task
  int diverged = 0, memorised = 0;
  std::vector<int> steps{};  // one per seed: all, or until it had solved the task, if that ended its training
  std::vector<TableValidation> rows{};  // of those of its seeds that have them
  std::vector<RowAtLength> by_length{};
  std::vector<long long> seed{};  // ascending; accuracies are in this order
  bool generates = false;         // answers are generated: they are right as a whole or wrong
  bool is_text = false;           // judged by its loss, not by an accuracy
  RunSettings settings{};         // of all its cells; the seed is that of one of them
  std::vector<Curve> curves{};    // of those of its seeds that were validated
  int timed_steps = 0;            // of those of its seeds that were timed
  double training_seconds = 0;    // for these steps
  // What sets the row apart from others with the same task, scheme and model: "d_model=64", "from=runs/a".
  // Empty when there are none.
  std::string variant{};
  bool again = false;  // the second row of a control that was run twice (A/A)
  // The same cells at other learning rates that do nearly as well at the length trained on (tuning.h).
  std::vector<ResultRow> near_rates{};

  int seeds() const { return static_cast<int>(seed.size()); }
  // What the row is judged by, one per seed, higher is better: of a text the negative loss, in nats per token (NaN of a
  // seed without a loss); else the accuracy below.
  std::vector<double> measure(const RowAtLength& at) const;
  // For toy tasks and tables: the accuracy that counts, one per seed.
  const std::vector<double>& accuracy(const RowAtLength& at) const {
    return generates ? at.exact_match : at.token_accuracy;
  }
  // "rope"; of rope that is tested without positions "rope, taken away"
  std::string shown_scheme() const;
  std::string name(bool with_width = true) const;  // "rope", "rope (width 64)", "none (again)"
};

// A row for each group of seeds, in the order of first appearance. The seeds of a control that no other scheme has,
// which were run for A/A, are in a row of their own (ResultRow::again). Throws Error naming the line that repeats a
// cell or has other lengths than the other seeds, and where one text was read in two ways.
std::vector<ResultRow> summarise(const Records& records);

// The settings besides task, scheme and seed in which two rows differ. (An inner width of 4 x d_model follows from the
// width; two readings of one trained model have the same trained_as.)
std::vector<const Setting*> settings_apart(const ResultRow& row, const ResultRow& other);

// For one curve or more, at the last validation up to this step (Curve::accuracy_at).
double mean_accuracy(const std::vector<Curve>& curves, double step);

// The mean over seeds of what is right of a table at the end of training, in words; "" where that is not on record.
std::string rows_text(const ResultRow& row);

// All lengths of the row as one, in proportion to their examples.
RowAtLength all_lengths(const ResultRow& row);

}  // namespace locus
