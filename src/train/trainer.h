// Training: one batch after another through the model, backward, and one AdamW update each.
//
// A batch is cut into a fixed number of slices, whatever the number of threads. Each slice has its own
// gradient vector, and the vectors are added in slice order; so one thread and many threads give the same
// bits. Each thread has one tape, on which it runs a few examples at a time, in memory that stays in its
// cache.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pool.h"
#include "model/model.h"
#include "tasks/task.h"
#include "train/batch.h"
#include "train/evaluate.h"
#include "train/settings.h"

namespace locus {

// solved: a validation (below) was right in 99 % of its examples. memorised, of a table only: all steps are done, none
// was, and the last validation had 90 % or more of the rows trained on right, and of the rows kept from training at
// least 20 percentage points fewer. (Not 99 %: a model without positions cannot learn two orders of the same words by
// heart.)
// finished: all steps are done, and neither holds.
// diverged: the loss or the gradient was not a finite number, which ends the run; or the run ended, after 50
// steps or more, with a running loss above diverged_above times that of a uniform guess over the model's V
// output tokens, ln V.
//
// Why 2: models begin at 1.0 to 1.7 times ln V, and one that learns nothing comes down to about 1, however
// slowly, so no healthy run ends above it. A learning rate of 100 ends at 2.1 times and more (reverse, none,
// sinusoidal and rope: 2.9, 2.3 and 2.1).
enum class TrainStatus { running, finished, solved, memorised, diverged };
inline constexpr double diverged_above = 2;
std::string to_string(TrainStatus);
TrainStatus parse_train_status(std::string_view name, std::string_view where);  // unknown: Error

inline constexpr int slices = 4;  // of a batch: at most so many threads work on it, while one draws the next

// A validation tests the model every 50 steps on inputs that it does not train on: fresh examples of a toy task, or the
// validation rows of a table (Task::validation_rows). A task counts as solved when a validation has an exact match of
// 0.99: of 128 examples one may be wrong, since a model that answers nearly all of them seldom gets every one right in
// the same validation. Fewer than 8 rows can be right by luck: such a table is not called solved.
inline constexpr int validate_every = 50, validation_examples = 128, fewest_validation_rows = 8;
inline constexpr double solved_accuracy = 0.99, memorised_accuracy = 0.9, memorised_gap = 0.2;

// Exact match on the rows of a table, at the last validation: on examples of those trained on, and on all of those kept
// from training for the validations.
struct TableValidation {
  double trained_on, kept;
};

// The validations of a run.
struct Curve {
  std::vector<int> step;
  std::vector<double> loss;      // mean over the last steps
  std::vector<double> accuracy;  // exact match of generated answers, else token accuracy

  // At the last validation up to this step; before the first validation, at the first. A run that has ended keeps its
  // last accuracy.
  double accuracy_at(double step) const;
};

// "99 % of the rows trained on are right, and 38 % of rows never trained on".
std::string to_string(const TableValidation&);

class Trainer {
 public:
  // Draws the initial parameters. Model, batcher and pool must outlive the trainer. Throws Error when the run
  // cannot fit in this machine's memory, before allocating any.
  Trainer(const Model& model, const Batcher& batcher, const TrainSettings& settings, Pool& pool);

  TrainStatus train_step();  // one step; call while it returns running

  int step() const { return state_.steps_before + state_.step; }  // steps done
  // The step of the first validation that was solved; 0: none was.
  int steps_to_solve() const {
    return state_.steps_to_solve > 0 ? state_.steps_before + state_.steps_to_solve : 0;
  }
  double loss() const { return state_.loss; }            // running mean, the last 20 steps count most
  const Score& validated() const { return validated_; }  // at the last validation
  // For a table with rows for validation: at the last validation, at the end, or when the run was restored.
  const std::optional<TableValidation>& validated_rows() const { return validated_rows_; }
  TrainStatus status() const { return state_.status; }
  const Reals& parameters() const { return state_.parameters; }

  // All that training depends on: saved in checkpoints, enough to continue as if never interrupted.
  struct State {
    Reals parameters;
    OptimizerState optimizer;
    int step = 0, steps_to_solve = 0;
    double loss = 0;
    TrainStatus status = TrainStatus::running;
    Curve curve{};
    int steps_before =
        0;  // of an earlier training, which are not in `step`; its validations come first in the curve
  };
  const State& state() const { return state_; }
  void profile(Profile* profile);  // times the ops of the next steps; the pool must have one thread
  void restore(State state);       // throws Error unless the sizes are this model's

 private:
  static constexpr int chunks = 16;  // of the parameter vector, for the update
  struct Slice {
    Reals gradient;
    double loss = 0;
  };

  Batch sample_batch(int step) const;
  // The parts of a step.
  double forward_and_backward(const Batch& batch);  // loss; leaves a gradient in each slice
  std::size_t chunk_start(int chunk) const;
  double sum_gradients();
  void update_parameters(double norm);
  void watch();
  bool is_over() const;
  void validate();
  Score validate_trained_on() const;  // on the training split: of a toy task, fresh examples
  bool reads_table() const { return !task_.fixed_lengths().empty(); }
  TrainStatus status_at_the_end() const;
  bool ends_above_a_guess() const;  // by diverged_above

  const Model& model_;
  const Batcher& batcher_;
  const Task& task_;
  TrainSettings settings_;
  Pool& pool_;
  std::vector<Slice> slices_;
  std::deque<Tape> tapes_;  // one per thread of the pool
  Profile* profile_ = nullptr;
  State state_;
  Score validated_;
  std::optional<TableValidation> validated_rows_;
  Batch next_batch_;  // drawn in advance, for the step next_step_
  int next_step_ = -1;
};

}  // namespace locus
