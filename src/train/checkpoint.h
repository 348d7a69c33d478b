// A run on disk: DIR/model.safetensors holds every parameter by name, the optimizer's two vectors, and in its
// metadata the settings of the run, the progress of training, and what the model needs of its task: the
// vocabulary, the form of its answers and the fingerprint of a table. src/model/README.md lists all keys.
#pragma once

#include <string>
#include <vector>

#include "io/safetensors.h"
#include "train/run.h"

namespace locus {

bool has_checkpoint(const std::string& folder);

// Writes the file completely or not at all (io/file.h).
void save_checkpoint(const std::string& folder, const Run& run, const Trainer::State& state);

struct Checkpoint {
  RunSettings settings;
  // For the task in training.
  Form form = Form::classification;
  Alphabet alphabet{};
  std::string table{};  // its fingerprint, if it was a table
  SafetensorsFile file;
};

// The folder, below this one but not below `except`, whose checkpoint was written last; "" when there is none.
std::string newest_run(const std::string& folder, const std::string& except = "");

// Throws Error when there is no checkpoint, or Locus did not write it, or it is damaged.
Checkpoint read_checkpoint(const std::string& folder);

// The model of the checkpoint in a run with these settings: those of the checkpoint, or others that suit its
// parameters, such as another scheme, other test lengths, or a table that was moved. Throws Error when the
// table is not found, has words that the model does not know, or asks for answers of another form.
Run run_of(const Checkpoint& checkpoint, const RunSettings& settings);

// Throws Error, with a hint, when there is no file where the run in `where` has its table.
void require_table(const std::string& where, const RunSettings& settings);

// What is to be said when this task is not exactly the one in training; else "".
std::string task_change(const Checkpoint& checkpoint, const Task& task);

// Which tensor first holds numbers that are not finite, and how many; "" when none does.
std::string not_finite(const Checkpoint& checkpoint);

// The parameters in the checkpoint, in the order of `model`, which may have another scheme than the trained
// model if it has the same parameters. Throws Error naming the first tensor that is missing, unexpected or of
// another shape.
Reals checkpoint_parameters(const Checkpoint& checkpoint, const Model& model);

// The state of the run in the checkpoint, from which training continues. Throws Error as above.
Trainer::State checkpoint_state(const Checkpoint& checkpoint, const Run& run);

}  // namespace locus
