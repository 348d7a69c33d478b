#include "playground/lane.h"

#include <algorithm>

#include "base/error.h"
#include "nn/parameters.h"
#include "tasks/support/registry.h"

namespace locus {

Lane::Lane(const std::string& task, const std::string& scheme, ModelKind kind, std::uint64_t seed)
    : task_(task), kind_(kind), seed_(seed), run_(std::make_unique<Run>(settings(scheme))) {
  trainer_ = std::make_unique<Trainer>(run_->model(), run_->batcher(), run_->settings().train, pool_);
}

RunSettings Lane::settings(const std::string& scheme) const {
  RunSettings settings;
  settings.task = find_task(task_).name;
  settings.model.kind = kind_;
  settings.model.scheme = scheme;
  settings.train.seed = seed_;
  return complete(settings);
}

bool Lane::takes(const std::string& scheme) {
  keep_parameters();
  const Run run(settings(scheme));
  return std::ranges::all_of(run.model().parameters().entries(), [&](const ParameterTable::Entry& entry) {
    const auto found = std::ranges::find(kept_, entry.name, &Kept::name);
    return found == kept_.end() || found->values.size() == entry.where.shape.count();
  });
}

void Lane::change_scheme(const std::string& scheme) {
  keep_parameters();
  auto run = std::make_unique<Run>(settings(scheme));
  auto trainer = std::make_unique<Trainer>(run->model(), run->batcher(), run->settings().train, pool_);
  Trainer::State state = trainer->state();
  state.parameters = moved(run->model());
  trainer->restore(std::move(state));
  steps_before_ += trainer_->step();
  trainer_ = std::move(trainer);
  run_ = std::move(run);
}

TrainStatus Lane::train(int steps) {
  for (int done = 0; done < steps && trainer_->status() == TrainStatus::running; ++done)
    trainer_->train_step();
  return trainer_->status();
}

LengthScore Lane::test(int length, int examples, std::optional<int> silent) {
  Reals values = parameters();
  if (const auto* model = dynamic_cast<const Transformer*>(&run_->model()); model && silent)
    model->silence(values, *silent / model->settings().heads, *silent % model->settings().heads);
  return {.length = length,
          .score = evaluate(run_->model(), values.data(), run_->batcher(),
                            run_->task().test_set(length, examples), run_->draws_at(length), pool_),
          .order_blind_ceiling = {},
          .no_input_baseline = 0};
}

void Lane::keep_parameters() {
  const Reals& values = trainer_->parameters();
  for (const ParameterTable::Entry& entry : run_->model().parameters().entries()) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(entry.where.offset);
    const auto found = std::ranges::find(kept_, entry.name, &Kept::name);
    Kept& kept = found == kept_.end() ? kept_.emplace_back(Kept{entry.name, {}}) : *found;
    kept.values.assign(first, first + static_cast<std::ptrdiff_t>(entry.where.shape.count()));
  }
}

Reals Lane::moved(const Model& to) const {
  Reals values = to.parameters().sample(seed_);
  for (const ParameterTable::Entry& entry : to.parameters().entries()) {
    const auto found = std::ranges::find(kept_, entry.name, &Kept::name);
    if (found == kept_.end()) continue;
    if (found->values.size() != entry.where.shape.count())
      fail_usage("playground",
                 str("'", entry.name, "' has ", found->values.size(), " numbers, and with '",
                     to.settings().scheme, "' it has ", entry.where.shape.count()),
                 "train this scheme from the start");
    std::ranges::copy(found->values, values.begin() + static_cast<std::ptrdiff_t>(entry.where.offset));
  }
  return values;
}

}  // namespace locus
