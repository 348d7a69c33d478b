// A run: one training and its tests. Two runs with equal settings end in equal bytes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "train/evaluate.h"
#include "train/settings.h"
#include "train/trainer.h"

namespace locus {

// What a run is tested on at one length, and what its score is compared with: the same for every scheme and
// seed. A toy task makes its test set once and keeps it.
struct Test {
  std::span<const Example> examples;
  std::optional<double> order_blind_ceiling;  // none where answers are generated
  double no_input_baseline;                   // the best token accuracy without reading
  std::optional<TextLevels> text{};           // of a text
};
Test test_at(const Task& task, const RunSettings& settings, int length);

// What a model cannot pass, whatever its parameters: that which cannot tell left from right, the mirror-blind ceiling;
// that which sees no farther than its windows, that of its task (Task::window_ceiling).
struct ModelCeilings {
  std::optional<double> mirror_blind{}, window{};
};
ModelCeilings ceilings_of(const Model& model, const Task& task, int length);

struct LengthScore {
  int length;
  Score score;
  std::optional<double> order_blind_ceiling;
  double no_input_baseline;
  // What the model says to the first test inputs, to be shown; of one seed of an ablation only.
  std::vector<std::string> answers{};
  std::optional<double> mirror_blind_ceiling{}, window_ceiling{};  // of ceilings_of(); files lack them
  std::optional<TextLevels> text{};                                // as in Test
};

// All of a run but its weights, which its functions are given: task, model and settings. `settings` must be complete.
class Run {
 public:
  // Throws UsageError when a length exceeds the positions of the scheme, Error when testing, even on one
  // thread, could not fit in memory. `known` is the alphabet of a model that is trained (settings.h).
  explicit Run(const RunSettings& settings, const Alphabet& known = {});

  const RunSettings& settings() const { return settings_; }
  const Task& task() const { return task_; }
  const Batcher& batcher() const { return batcher_; }
  const Model& model() const { return *model_; }

  // From here on the scheme of the model is told changed positions (model/position_change.h). Throws UsageError when
  // it looks at none.
  void tell(const PositionChange& change);

  const std::optional<PositionChange>& change() const { return change_; }

  // Throws Error when the test sets, and testing on so many threads, do not fit in memory, by an estimate.
  void require_test_memory(int threads) const;

  // The score at one length, and at each test length; schemes that draw positions draw them there from
  // draws_at(length).
  LengthScore test(int length, const Real* parameters, Pool& pool) const;
  std::vector<LengthScore> test(const Real* parameters, Pool& pool) const;
  Draws draws_at(int length) const;

 private:
  RunSettings settings_;
  const Task& task_;
  Batcher batcher_;
  std::unique_ptr<Model> model_;
  std::optional<PositionChange> change_;
};

// The name without spaces and slashes; the end of a long one is replaced by a hash, as file systems allow 255 bytes.
std::string folder_name(std::string name);
// "sort/rope-decoder-seed1_d-model=16_full": task, scheme, model, seed and all other settings of the training that
// differ from their defaults.
std::string run_name(const RunSettings& settings);

}  // namespace locus
