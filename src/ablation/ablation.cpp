#include "ablation/ablation.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/machine.h"
#include "io/file.h"
#include "train/answer.h"
#include "train/checkpoint.h"

namespace locus {

namespace {

// The schemes of one model, and which of them runs on more seeds.
struct Schemes {
  std::vector<std::string> names;
  std::string control;
};

Schemes schemes_of(const Grid& grid, ModelKind kind) {
  Schemes schemes{grid.schemes.empty() ? usual_schemes(kind) : grid.schemes, grid.control};
  const auto has = [&](const std::string& name) { return std::ranges::count(schemes.names, name) > 0; };
  if (schemes.control.empty()) schemes.control = has("none") ? "none" : schemes.names.front();
  if (!has(schemes.control))
    fail_usage("ablate", text("the control '", schemes.control, "' is not among the schemes"),
               nearest_names(schemes.control, schemes.names));
  // Without another scheme, or with a single seed, nothing is compared.
  if (!grid.aa || grid.seeds < 2 || schemes.names.size() < 2) schemes.control.clear();
  return schemes;
}

void check_model(const RunSettings& cell) {
  const Run tested(cell);
  if (cell.trained_as.empty()) return;
  const Run trained(in_training(cell));
  const auto same = [](const ParameterTable::Entry& a, const ParameterTable::Entry& b) {
    return a.name == b.name && a.where.shape == b.where.shape;
  };
  if (!std::ranges::equal(trained.model().parameters().entries(), tested.model().parameters().entries(),
                          same))
    fail_usage("ablate",
               text("a model trained as '", cell.trained_as, "' cannot be tested as '", cell.model.scheme,
                    "': they have different parameters"),
               "schemes that differ only in keys without parameters can");
}

}  // namespace

std::vector<std::string> usual_schemes(ModelKind kind) {
  if (is_recurrent(kind)) return {"none", "index", "sinusoidal", "learned"};
  return {"none", "index", "sinusoidal", "learned", "rope", "alibi", "t5"};
}

std::vector<RunSettings> cells(const Grid& grid) {
  std::vector<RunSettings> plan;
  std::set<std::string> names;
  std::set<SettingsKey> keys;

  const auto add = [&](RunSettings cell, const std::string& scheme, int seeds) {
    cell.model.scheme = scheme;
    if (cell.trained_as == scheme) cell.trained_as.clear();
    for (int seed = 1; seed <= seeds; ++seed) {
      cell.train.seed = static_cast<std::uint64_t>(seed);
      plan.push_back(complete(cell));
      if (seed == 1) check_model(plan.back());
      if (!keys.insert(settings_key(plan.back())).second)
        fail_usage("ablate", text("'", scheme, "' on ", plan.back().task, " is asked for twice"),
                   "name each scheme and each setting once");
    }
  };
  const auto add_task = [&](std::string RunSettings::*kept_in, const std::string& task) {
    RunSettings of_task;
    of_task.*kept_in = task;
    if (const std::string name = task_of(of_task).name; !names.insert(name).second)
      fail_usage("ablate", text("two tasks are called '", name, "'"),
                 "name each once; rename the table's file");
    for (RunSettings settings : grid.settings) {
      settings.*kept_in = task;
      const Schemes schemes = schemes_of(grid, settings.model.kind);
      for (const std::string& scheme : schemes.names)
        add(settings, scheme, scheme == schemes.control ? 2 * grid.seeds : grid.seeds);
    }
  };
  for (const std::string& task : grid.tasks) add_task(&RunSettings::task, task);
  for (const std::string& path : grid.datasets) add_task(&RunSettings::dataset, path);
  if (plan.empty())
    fail_usage("ablate", "there is nothing to run", "give at least one task, one scheme and one seed");
  return plan;
}

void require_memory_of(const std::vector<RunSettings>& plan, int jobs) {
  std::set<SettingsKey> models;
  std::set<std::pair<std::string, std::string>> test_sets;
  double sets = 0, largest = 0;
  for (const RunSettings& cell : plan) {
    if (!models.insert(group_key(cell)).second) continue;
    const Run run(cell);
    largest =
        std::max({largest, training_bytes(run.model(), run.batcher(), cell.train, 1), run.test_bytes(1)});
    if (test_sets.emplace(cell.task, text(cell.test_examples, ':', join(cell.test_lengths, ","))).second)
      sets += run.test_set_bytes();
  }
  const auto at_once = std::min(static_cast<std::size_t>(jobs), plan.size());
  require_memory("ablate",
                 text("training up to ", at_once, " of these models at once, with their test sets,"),
                 static_cast<double>(at_once) * largest + sets,
                 "give fewer --jobs, or make the models, the lengths or --test-examples smaller");
}

RunSettings in_training(RunSettings cell) {
  if (!cell.trained_as.empty()) cell.model.scheme = std::exchange(cell.trained_as, "");
  return cell;
}

std::pair<std::size_t, std::size_t> cells_of_part(std::size_t cells, std::size_t part, std::size_t parts) {
  return {cells * (part - 1) / parts, cells * part / parts};
}

namespace {

// What the model says to the first test inputs of each length, for the page of the results; of the first seed.
void add_answers(const Run& run, const Real* parameters, std::vector<LengthScore>& scores) {
  if (run.settings().train.seed != 1) return;
  for (LengthScore& at : scores) {
    const std::span<const Example> examples = test_at(run.task(), run.settings(), at.length).examples;
    for (std::size_t i = 0; i < std::min(shown_examples, examples.size()); ++i)
      at.answers.push_back(
          spell(ask(run, parameters, examples[i].input, run.draws_at(at.length).at(i)), run));
  }
}

// Trains and tests one cell.
void run_cell(const RunSettings& cell, std::size_t index, Results& results, const AblationEvents& events,
              const std::string& keep_in) {
  const double start = clock_seconds();
  double work_left = cell_work(cell);
  const double work_per_step = work_left / cell.train.steps;
  Pool pool(1);
  const Run run(in_training(cell)), tested(cell);  // alike, unless the tests have another scheme
  Trainer trainer(run.model(), run.batcher(), cell.train, pool);
  Curve curve;
  const double before_training = processor_seconds();
  while (trainer.train_step() == TrainStatus::running) {
    if (add_probe(trainer, run.batcher().generates(), curve)) events.probed(cell, curve);
    events.worked(work_per_step);
    work_left -= work_per_step;
  }
  const double training = processor_seconds() - before_training;
  add_probe(trainer, run.batcher().generates(), curve);
  const Real* parameters = trainer.parameters().data();
  std::vector<LengthScore> scores = tested.test(parameters, pool);
  add_answers(tested, parameters, scores);
  const Result result = result_of(tested, trainer, std::move(scores));
  if (!keep_in.empty()) {
    const std::string folder = model_folder(keep_in, cell);
    create_folders(folder);
    save_checkpoint(folder, run, trainer.state());
  }
  results.add(index, result, curve,
              {.steps = trainer.step(), .training = training, .all = clock_seconds() - start});
  events.worked(work_left);  // including what an early end saved
  events.finished(result);
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
    const auto [settings, length] = needed[static_cast<std::size_t>(i)];
    events.preparing(settings->task, length);
    test_at(task_of(*settings), *settings, length);
  });
}

}  // namespace

double cell_work(const RunSettings& cell) {
  const Batcher batcher(task_of(cell), cell.model.kind);
  const int length = batcher.model_length((cell.train.lengths.low + cell.train.lengths.high) / 2);
  return 3.0 * cell.train.steps * cell.train.batch *
         forward_operations(cell.model, batcher.task_shape(), length);
}

bool cell_done(const RunSettings& cell, bool has_result, const std::string& keep_in) {
  return has_result && (keep_in.empty() || has_checkpoint(model_folder(keep_in, cell)));
}

void run_cells(const std::vector<RunSettings>& plan, Results& results, int jobs, const AblationEvents& events,
               const std::string& keep_in) {
  std::vector<std::size_t> queue;
  for (std::size_t cell = 0; cell < plan.size(); ++cell)
    if (!cell_done(plan[cell], results.done(cell), keep_in)) queue.push_back(cell);
  std::ranges::stable_sort(queue, std::ranges::greater(),
                           [&](std::size_t cell) { return cell_work(plan[cell]); });

  Pool pool(jobs);
  prepare_tests(plan, queue, pool, events);
  std::atomic<bool> failed = false;
  pool.run(static_cast<int>(queue.size()), [&](int i) {
    if (failed) return;
    const std::size_t cell = queue[static_cast<std::size_t>(i)];
    events.started(plan[cell]);
    try {
      run_cell(plan[cell], cell, results, events, keep_in);
    } catch (...) {
      failed = true;  // for example a full disk: the other cells would fail as well
      throw;
    }
  });
  results.put_in_order();
}

}  // namespace locus
