// Runs so small that a test can train dozens of them.
#pragma once

#include <string>
#include <utility>

#include "io/file.h"
#include "train/checkpoint.h"
#include "train/result.h"

namespace locus {

inline RunSettings tiny_settings(std::string task, std::string scheme, ModelKind kind = ModelKind::encoder,
                                 int steps = 12) {
  RunSettings settings;
  settings.task = std::move(task);
  settings.model.scheme = std::move(scheme);
  settings.model.kind = kind;
  settings.model.layers = 1;
  if (!is_recurrent(kind)) settings.model.heads = 2;
  settings.model.d_model = 8;
  settings.train.steps = steps;
  settings.train.batch = 13;  // no multiple of the shards
  settings.train.lengths = kind == ModelKind::decoder ? LengthRange{3, 5} : LengthRange{6, 6};
  settings.test_lengths = {6, 9};
  settings.test_examples = 16;
  return complete(settings);
}

// Of an encoder, on the lengths that the table has.
inline RunSettings tiny_table_settings(std::string path, std::string scheme = "learned") {
  RunSettings settings = tiny_settings("before", std::move(scheme));
  settings.dataset = std::move(path);
  settings.train.lengths = {};
  settings.test_lengths.clear();
  return complete(settings);
}

// A run with all it takes to train it.
struct Training {
  explicit Training(const RunSettings& settings, int threads = 1)
      : run(settings), pool(threads), trainer(run.model(), run.batcher(), settings.train, pool) {}

  void steps(int count) {
    for (int i = 0; i < count; ++i) trainer.train_step();
  }
  void to_the_end() {
    while (trainer.train_step() == TrainStatus::running) {
    }
  }

  Run run;
  Pool pool;
  Trainer trainer;
};

// The bytes of the checkpoint that holds this state.
inline std::string checkpoint_bytes(const std::string& folder, const Training& training) {
  save_checkpoint(folder, training.run, training.trainer.state());
  return read_file(folder + "/model.safetensors");
}

}  // namespace locus
