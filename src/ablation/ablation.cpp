#include "ablation/ablation.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <tuple>

#include "ablation/plan.h"
#include "base/machine.h"

namespace locus {

namespace {

void add_probe(const Trainer& trainer, bool generates, Curve& curve) {
  curve.step.push_back(trainer.step());
  curve.loss.push_back(trainer.loss());
  curve.accuracy.push_back(trainer.probed().accuracy(generates));
}

// Trains and tests one cell. Returns false when stopped before its end.
bool run_cell(const RunSettings& cell, std::size_t index, Results& results, const AblationEvents& events) {
  const double start = clock_seconds();
  double work_left = cell_work(cell);
  const double work_per_step = work_left / cell.train.steps;
  Pool pool(1);
  const Run run(in_training(cell)), tested(cell);  // alike, unless the tests have another scheme
  Trainer trainer(run.model(), run.task(), cell.train, pool);
  Curve curve;
  const double before_training = processor_seconds();
  while (trainer.train_step() == TrainStatus::running) {
    if (trainer.step() % probe_every == 0) {
      add_probe(trainer, run.batcher().generates(), curve);
      events.probed(cell, curve);
    }
    events.worked(work_per_step);
    work_left -= work_per_step;
    if (events.stop()) return false;
  }
  const double training = processor_seconds() - before_training;
  if (trainer.status() != TrainStatus::diverged && trainer.step() % probe_every == 0)
    add_probe(trainer, run.batcher().generates(), curve);
  const Result result = result_of(tested, trainer, tested.test(trainer.parameters().data(), pool));
  results.add(index, result, curve,
              {.steps = trainer.step(), .training = training, .all = clock_seconds() - start});
  events.worked(work_left);  // including what an early end saved
  events.finished(result);
  return true;
}

// Makes the test sets of these cells, the longest inputs first. Otherwise the first cells of a task would end
// at the same time and all wait for the first of them to make their test sets.
void prepare_tests(const std::vector<RunSettings>& plan, const std::vector<std::size_t>& queue, Pool& pool,
                   const AblationEvents& events) {
  struct Needed {
    const RunSettings* settings;
    int length;
  };
  std::vector<Needed> needed;
  std::set<std::tuple<std::string, ModelKind, int, int>> seen;
  for (const std::size_t cell : queue)
    for (const int length : plan[cell].test_lengths)
      if (seen.emplace(plan[cell].task, plan[cell].model.kind, plan[cell].test_examples, length).second)
        needed.push_back({&plan[cell], length});
  std::ranges::stable_sort(needed, std::ranges::greater(), &Needed::length);
  pool.run(static_cast<int>(needed.size()), [&](int i) {
    if (events.stop()) return;
    const auto [settings, length] = needed[static_cast<std::size_t>(i)];
    events.preparing(settings->task, length);
    test_at(*settings, length);
  });
}

}  // namespace

double cell_work(const RunSettings& cell) {
  const Batcher batcher = batcher_of(cell);
  const int length = batcher.model_length((cell.train.lengths.low + cell.train.lengths.high) / 2);
  return 3.0 * cell.train.steps * cell.train.batch *
         forward_operations(batcher.model_settings(cell.model), length);
}

bool run_cells(const std::vector<RunSettings>& plan, Results& results, int jobs,
               const AblationEvents& events) {
  std::vector<std::size_t> queue;
  for (std::size_t cell = 0; cell < plan.size(); ++cell)
    if (!results.done(cell)) queue.push_back(cell);
  std::ranges::stable_sort(queue, std::ranges::greater(),
                           [&](std::size_t cell) { return cell_work(plan[cell]); });

  Pool pool(jobs);
  prepare_tests(plan, queue, pool, events);
  std::atomic<bool> stopped = false;
  pool.run(static_cast<int>(queue.size()), [&](int i) {
    const std::size_t cell = queue[static_cast<std::size_t>(i)];
    if (stopped || events.stop()) {
      stopped = true;
      return;
    }
    events.started(plan[cell]);
    try {
      if (!run_cell(plan[cell], cell, results, events)) stopped = true;
    } catch (...) {
      stopped = true;  // for example a full disk: the other cells would fail as well
      throw;
    }
  });
  if (!stopped) results.put_in_order();
  return !stopped;
}

}  // namespace locus
