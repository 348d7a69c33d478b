// A run: everything that decides one training, in one place. Two runs with equal settings end in equal bytes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "train/evaluate.h"
#include "train/trainer.h"

namespace locus {

struct RunSettings {
  std::string task;  // a toy task's name, or the path of a table ("datasets/x.tsv")
  std::string from;  // the folder of the run that goes on here under other settings; "": a new one
  // The scheme it is trained with, when the trained model is then read under another, that of `model`; "":
  // the same.
  std::string trained_as;
  ModelSettings model;  // what the task decides (vocabulary, pooling ...) is filled in by Run
  TrainSettings train;
  std::vector<int> test_lengths;
  int test_examples = 4000;  // per length, if there are as many
};

// The most that can be asked for: more than anyone trains, and too little for counts of tokens or numbers to
// overflow.
namespace most {
inline constexpr int layers = 1000, heads = 1000, d_model = 1 << 20, d_ff = 1 << 22, batch = 1 << 20,
                     steps = 1 << 30, length = 1'000'000, test_examples = 1'000'000;
}

// The task by name or path. Tables are read once and kept; the reference stays valid. Safe from any thread.
const Task& open_task(const std::string& name_or_path);

// Where a model trained at lengths up to `longest` is tested, when nobody says otherwise: there, at about
// half as much again and at twice as much, where the task has such lengths.
std::vector<int> usual_test_lengths(const Task& task, int longest);

// The settings with what was left at 0 or empty filled in: lengths, steps and learning rate suit the task and
// the kind of model. Then everything is checked that can be without building the model: sizes, and that the
// task has examples of every length. Throws UsageError.
RunSettings complete(RunSettings settings);

Json to_json(const RunSettings& settings);  // the part of a result line that says what was run
RunSettings run_settings(const Json& json,
                         std::string_view where);  // the way back; throws Error naming `where`

// What a run is tested on at one length, and what its score is compared with: the same for every scheme and
// seed. A toy task makes each once and keeps it; made ahead, no run waits until another has made it.
struct Test {
  std::span<const Example> examples;
  std::optional<double> order_blind_ceiling;
  double no_input_baseline;  // token accuracy
};
Test test_at(const RunSettings& settings, int length);

struct LengthScore {
  int length;
  Score score;
  std::optional<double> order_blind_ceiling;
  double no_input_baseline;
};

// One trained model, or one in training. `settings` must be complete.
class Run {
 public:
  // Throws UsageError when a length is past what the scheme can place, Error when testing at it could not fit
  // in memory.
  explicit Run(const RunSettings& settings);

  const RunSettings& settings() const { return settings_; }
  const Task& task() const { return task_; }
  const Encoding& encoding() const { return encoding_; }
  const Model& model() const { return *model_; }

  // The score at each test length.
  std::vector<LengthScore> test(const Real* parameters, Pool& pool) const;

 private:
  RunSettings settings_;
  const Task& task_;
  Encoding encoding_;
  std::unique_ptr<Model> model_;
};

// What a run came to, as a line of results.jsonl: the settings, then the outcome. Nothing in it depends on
// the clock, the machine's name or the number of threads.
Json result_json(const Run& run, const Trainer& trainer, const std::vector<LengthScore>& scores);

}  // namespace locus
