// A run on disk: DIR/model.safetensors holds every parameter by name, the optimizer's two vectors and the
// settings of the run.
#pragma once

#include <string>
#include <vector>

#include "train/run.h"
#include "train/safetensors.h"

namespace locus {

bool has_checkpoint(const std::string& folder);

// Writes the file completely or not at all (base/file.h).
void save_checkpoint(const std::string& folder, const Run& run, const Trainer::State& state);

struct Checkpoint {
  RunSettings settings;
  SafetensorsFile file;
};

// Throws Error when there is no checkpoint, or Locus did not write it, or it is damaged.
Checkpoint read_checkpoint(const std::string& folder);

// The parameters in the checkpoint, in the order of `model`, which may have another scheme than the trained
// model if it has the same parameters. Throws Error naming the first tensor that is missing, unexpected or of
// another shape.
Reals checkpoint_parameters(const Checkpoint& checkpoint, const Model& model);

// The state of the run in the checkpoint, from which training continues. Throws Error as above.
Trainer::State checkpoint_state(const Checkpoint& checkpoint, const Run& run);

}  // namespace locus
