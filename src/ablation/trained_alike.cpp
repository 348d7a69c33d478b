#include "ablation/trained_alike.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/machine.h"
#include "examine/answer.h"
#include "io/file.h"
#include "train/checkpoint.h"

namespace locus {

namespace {

constexpr std::uint64_t recalibration_seeds = std::uint64_t{1}
                                              << 32;  // above all that can be given (limits::seed)

double work_per_step(const RunSettings& cell) {
  const Batcher batcher(task_of(cell), cell.model.kind);
  const int length = batcher.model_length((cell.train.lengths.low + cell.train.lengths.high) / 2);
  return 3.0 * cell.train.batch * forward_operations(cell.model, batcher.task_shape(), length);
}

// Tells of work as it is done; and, at the end, of what an early end saved.
struct Work {
  Work(const AblationEvents& e, double step, int steps) : events(e), per_step(step), left(step * steps) {}
  void step() {
    events.worked(per_step);
    left -= per_step;
  }
  void end() { events.worked(std::exchange(left, 0)); }

  const AblationEvents& events;
  double per_step, left;
};

// A model in training.
struct Training {
  Training(const RunSettings& of, const TrainSettings& settings, Pool& pool)
      : run(of), trainer(run.model(), run.batcher(), settings, pool) {}

  void train(const RunSettings& cell, const AblationEvents& events, Work work) {
    const double start = processor_seconds();
    const Curve& curve = trainer.state().curve;
    for (std::size_t validations = curve.step.size(); trainer.train_step() == TrainStatus::running;
         work.step())
      if (curve.step.size() > validations) {
        events.validated(cell, curve);
        validations = curve.step.size();
      }
    work.end();
    seconds += processor_seconds() - start;
  }

  Run run;
  Trainer trainer;
  double seconds = 0;
};

// What the model says to the first test inputs of each length, for the page of the results; of the first seed. A model
// that continues a text has no answer to a window of it.
void add_answers(const Run& run, const Real* parameters, std::vector<LengthScore>& scores) {
  if (run.settings().train.seed != 1 || run.batcher().continues()) return;
  for (LengthScore& at : scores) {
    const std::span<const Example> examples = test_at(run.task(), run.settings(), at.length).examples;
    for (std::size_t i = 0; i < std::min(shown_examples, examples.size()); ++i)
      at.answers.push_back(
          spell(ask(run, parameters, examples[i].input, run.draws_at(at.length).at(i)), run));
  }
}

// Goes on with the parameters of `trained`, whose curve comes first.
std::unique_ptr<Training> recalibrated(const RunSettings& cell, const Training& trained, Pool& pool,
                                       const AblationEvents& events) {
  auto again = std::make_unique<Training>(cell, recalibration(cell), pool);
  Trainer::State state = again->trainer.state();
  state.parameters = trained.trainer.parameters();
  state.curve = trained.trainer.state().curve;
  state.steps_before = trained.trainer.step();
  again->trainer.restore(std::move(state));
  again->seconds = trained.seconds;
  again->train(cell, events, {events, work_per_step(cell), cell.recalibrate});
  return again;
}

void finish_cell(const RunSettings& cell, std::size_t index, const Training& trained, Pool& pool,
                 Results& results, const AblationEvents& events, const std::string& keep_in) {
  // A model that diverged in training is beyond repair: it is tested as it is.
  const bool goes_on = cell.recalibrate > 0 && trained.trainer.status() != TrainStatus::diverged;
  const auto again = goes_on ? recalibrated(cell, trained, pool, events) : nullptr;
  if (!goes_on) events.worked(work_per_step(cell) * cell.recalibrate);
  const Training& last = again ? *again : trained;
  const auto read_otherwise = again || cell.trained_as.empty() ? nullptr : std::make_unique<Run>(cell);
  const Run& tested = read_otherwise ? *read_otherwise : last.run;
  const Real* parameters = last.trainer.parameters().data();
  std::vector<LengthScore> scores = tested.test(parameters, pool);
  add_answers(tested, parameters, scores);
  Result result = result_of(tested, last.trainer, std::move(scores));
  if (!keep_in.empty()) {
    const std::string folder = model_folder(keep_in, cell);
    create_folders(folder);
    Trainer::State state = last.trainer.state();
    state.step = last.trainer.step();  // with those before the recalibration
    state.steps_to_solve = last.trainer.steps_to_solve();
    save_checkpoint(folder, last.run, state);
  }
  result.outcome.training_seconds = last.seconds;
  results.add(index, result);
  events.finished(result);
}

}  // namespace

TrainSettings recalibration(const RunSettings& cell) {
  TrainSettings settings = cell.train;
  settings.steps = cell.recalibrate;
  settings.optimizer.learning_rate = cell.recalibrate_rate;
  settings.stop_when_solved = false;
  settings.validate_at_the_end = true;  // 20 steps have no other validation
  settings.seed += recalibration_seeds;
  return settings;
}

std::vector<Cells> trained_alike(const std::vector<RunSettings>& plan, const Cells& cells) {
  std::vector<Cells> groups;
  std::map<SettingsKey, std::size_t> group_of;
  for (const std::size_t cell : cells) {
    const auto [found, is_new] = group_of.try_emplace(settings_key(in_training(plan[cell])), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(cell);
  }
  return groups;
}

double group_work(const std::vector<RunSettings>& plan, const Cells& group) {
  const RunSettings training = in_training(plan[group.front()]);
  double work = work_per_step(training) * training.train.steps;
  for (const std::size_t cell : group) work += work_per_step(plan[cell]) * plan[cell].recalibrate;
  return work;
}

void run_group(const std::vector<RunSettings>& plan, const Cells& group, Results& results,
               const AblationEvents& events, const std::string& keep_in) {
  Pool pool(1);
  const RunSettings &first = plan[group.front()], settings = in_training(first);
  events.started(first);
  Training trained(settings, settings.train, pool);
  trained.train(first, events, {events, work_per_step(settings), settings.train.steps});
  for (const std::size_t cell : group) {
    if (cell != group.front()) events.started(plan[cell]);
    finish_cell(plan[cell], cell, trained, pool, results, events, keep_in);
  }
}

}  // namespace locus
