// A run on disk: DIR/model.safetensors holds every parameter by name, the optimizer's two vectors, and the
// settings.
#pragma once

#include <string>
#include <vector>

#include "train/run.h"
#include "train/safetensors.h"

namespace locus {

bool has_checkpoint(const std::string& folder);

// Written whole or not at all (base/file.h).
void save_checkpoint(const std::string& folder, const Run& run, const Trainer::State& state);

struct Checkpoint {
  RunSettings settings;
  SafetensorsFile file;
};

// Throws Error when there is no checkpoint, or it was not written by Locus, or is damaged.
Checkpoint read_checkpoint(const std::string& folder);

// The parameters in the checkpoint, in the order of `model`: the one that was trained, or the same one under
// another scheme with the same parameters. Throws Error naming the first tensor that is missing, too many or
// of another shape.
Reals checkpoint_parameters(const Checkpoint& checkpoint, const Model& model);

// The state of the run in the checkpoint, to go on with. Throws Error as above.
Trainer::State checkpoint_state(const Checkpoint& checkpoint, const Run& run);

}  // namespace locus
