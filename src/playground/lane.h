// A lane of the playground: one model in training, whose positions can be taken away and put back.
//
// It begins as `locus train --task T --scheme S --seed N` does, with every default of that command, and gives the same
// numbers. Taking positions away from now on begins what `locus train --from RUN --scheme none` begins: the parameters
// stay, the optimizer and its schedule are new.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "examine/answer.h"
#include "examine/attention_maps.h"
#include "train/run.h"
#include "train/trainer.h"

namespace locus {

class Lane {
 public:
  // Throws UsageError when there is no such task or scheme, or they do not go together.
  Lane(const std::string& task, const std::string& scheme, ModelKind kind, std::uint64_t seed);

  // Whether the parameters fit this scheme: those that both have must have one shape.
  bool takes(const std::string& scheme);

  // From here on the model has this scheme. Parameters that both schemes have keep their values; those of the scheme
  // that is left are kept, and are there again when it is put back. Throws UsageError when a parameter of the new
  // scheme has another shape.
  void change_scheme(const std::string& scheme);

  // At most so many steps; fewer when the training ends. Returns its status.
  TrainStatus train(int steps);

  const Trainer& trainer() const { return *trainer_; }
  int steps() const { return steps_before_ + trainer_->step(); }  // since the lane began
  const Run& run() const { return *run_; }
  const Reals& parameters() const { return trainer_->parameters(); }

  // On the test inputs that `--test-examples` takes of this length; with a head silenced, counted through all layers.
  LengthScore test(int length, int examples, std::optional<int> silent = {});
  Answer answer(const Tokens& input) { return ask(run(), parameters().data(), input); }

 private:
  struct Kept {  // a parameter of a scheme that the lane has had
    std::string name;
    std::vector<Real> values;
  };
  RunSettings settings(const std::string& scheme) const;
  Reals moved(const Model& to) const;  // the parameters of the lane, in the order of another model
  void keep_parameters();

  std::string task_;
  ModelKind kind_;
  std::uint64_t seed_;
  Pool pool_{1};
  int steps_before_ = 0;
  std::vector<Kept> kept_;
  std::unique_ptr<Run> run_;
  std::unique_ptr<Trainer> trainer_;
};

}  // namespace locus
