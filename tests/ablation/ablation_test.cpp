#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "../support/errors.h"
#include "../support/full_disk.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "ablation/trained_alike.h"

using namespace locus;

namespace {

std::vector<RunSettings> tiny_plan() {
  Grid grid{.tasks = {"before", "sort"},
            .schemes = {"none", "learned", "rope"},
            .seeds = 2,
            .settings = {tiny_settings("sort", "none", ModelKind::encoder, 5)}};
  return cells(grid);
}

// Runs the plan in the folder; fails after so many steps.
void run_all(const std::string& folder, const std::vector<RunSettings>& plan, int jobs,
             int most_steps = 1000) {
  Results results(folder, plan);
  std::atomic<int> steps = 0;
  run_cells(plan, results, jobs, {.worked = [&](double) {
              if (steps++ >= most_steps) fail("test", "enough");
            }});
}

std::string results_of(const TemporaryFolder& folder) {  // nothing before the first cell is done
  const std::string path = folder / "results.jsonl";
  return file_exists(path) ? read_file(path) : "";
}

// The bytes that the plan gives when nothing gets in the way.
const std::string& expected() {
  static const std::string bytes = [] {
    const TemporaryFolder folder;
    run_all(folder.path, tiny_plan(), 1);
    return results_of(folder);
  }();
  return bytes;
}

long lines(const std::string& bytes) { return std::count(bytes.begin(), bytes.end(), '\n'); }

}  // namespace

TEST_CASE("ablation: every cell of the plan is a line, in the plan's order, with everything that was run") {
  const auto plan = tiny_plan();
  REQUIRE(lines(expected()) ==
          static_cast<long>(plan.size()) + 2);  // a common line for each of the two tasks
  const TemporaryFolder folder;
  write_file_atomically(folder / "results.jsonl", expected());
  const std::vector<Result> results = read_records({folder.path}).results;
  REQUIRE(results.size() == plan.size());
  for (std::size_t i = 0; i < plan.size(); ++i) {
    CHECK(settings_key(results[i].settings) == settings_key(plan[i]));
    CHECK(results[i].outcome.steps == 5);
    CHECK(results[i].outcome.by_length.size() == 2);
  }
  for (const char* key : {"seconds", "threads", "jobs", "host", "date"})
    CHECK(expected().find(key) == std::string::npos);
}

TEST_CASE("ablation: the same bytes for 1, 2 and 5 jobs (threads)") {
  for (const int jobs : {1, 2, 5}) {
    const TemporaryFolder folder;
    run_all(folder.path, tiny_plan(), jobs);
    CHECK(results_of(folder) == expected());
    CHECK(lines(read_file(folder / "timings.jsonl")) == 12 + 2);
  }
}

TEST_CASE(
    "ablation: stopped anywhere and taken up again, it ends in the bytes of an uninterrupted one (threads)") {
  for (const int steps : {0, 1, 9, 23, 40}) {
    CAPTURE(steps);
    const TemporaryFolder folder;
    CHECK(error_of([&] { run_all(folder.path, tiny_plan(), 1 + steps % 2, steps); }) == "[test] enough");
    CHECK(lines(results_of(folder)) < 12 + 1);
    run_all(folder.path, tiny_plan(), 2);
    CHECK(results_of(folder) == expected());
  }
}

TEST_CASE("ablation: a model tested as another scheme was trained as without it, and answers otherwise") {
  Grid grid{.tasks = {"previous"},
            .schemes = {"rope", "rope:extend=pi,factor=4"},
            .seeds = 1,
            .settings = {tiny_settings("previous", "rope", ModelKind::encoder, 300)}};
  grid.settings[0].trained_as = "rope";
  const auto plan = cells(grid);
  const TemporaryFolder folder;
  run_all(folder.path, plan, 1);
  const auto [results, models] = read_records({folder.path});
  CHECK(models.empty());
  REQUIRE(results.size() == 2);
  CHECK(results[0].outcome.curve.loss == results[1].outcome.curve.loss);
  CHECK(results[1].settings.trained_as == "rope");
  CHECK(results[0].outcome.by_length[0].score.token_accuracy !=
        results[1].outcome.by_length[0].score.token_accuracy);
}

namespace {

// Rope in training, then rope and none, read at once and after 3 and 60 further steps.
std::vector<RunSettings> recalibrated_plan(int steps = 5) {
  Grid grid{.tasks = {"copy"},
            .schemes = {"rope", "none"},
            .seeds = 2,
            .settings = std::vector(3, tiny_settings("copy", "rope", ModelKind::decoder, steps))};
  for (RunSettings& settings : grid.settings) settings.trained_as = "rope";
  grid.settings[1].recalibrate = 3;
  grid.settings[2].recalibrate = 60;
  grid.settings[2].recalibrate_rate = 0.01;
  return cells(grid);
}

}  // namespace

TEST_CASE("ablation: recalibrated cells share a training, and give the bytes that each has alone (threads)") {
  const auto plan = recalibrated_plan();
  const TemporaryFolder together, two, apart;
  run_all(together.path, plan, 1);
  run_all(two.path, plan, 2);
  std::vector<std::string> folders;
  for (std::size_t cell = 0; cell < plan.size(); ++cell) {
    folders.push_back(apart / str(cell));
    run_all(folders.back(), {plan[cell]}, 1);
  }
  save_results(apart.path, read_records(folders).results);
  const std::string bytes = results_of(apart);
  CHECK(results_of(together) == bytes);
  CHECK(results_of(two) == bytes);
  for (const int steps : {0, 3, 7, 9, 70, 140}) {
    CAPTURE(steps);
    const TemporaryFolder stopped;
    CHECK(error_of([&] { run_all(stopped.path, plan, 1 + steps % 2, steps); }) == "[test] enough");
    CHECK(lines(results_of(stopped)) < 12 + 1);
    run_all(stopped.path, plan, 2);
    CHECK(results_of(stopped) == bytes);
  }
}

TEST_CASE("ablation: each seed is trained once, however many cells go on from it") {
  const auto plan = recalibrated_plan();
  const TemporaryFolder folder;
  Results results(folder.path, plan);
  int steps = 0;
  double work = 0;
  run_cells(plan, results, 1, {.worked = [&](double one) {
              steps += one > 0;
              work += one;
            }});
  CHECK(steps == 2 * (5 + 2 * (3 + 60)));  // for each seed: one training, then two schemes
  CHECK(work == doctest::Approx(work_of(plan)).epsilon(1e-9));
}

TEST_CASE("ablation: recalibration is a new run with other batches that begins with the trained parameters") {
  const auto plan = recalibrated_plan();
  const TemporaryFolder folder;
  {
    Results results(folder.path, plan);
    run_cells(plan, results, 1, {}, folder.path);
  }
  const RunSettings &read = plan[2], &gone_on = plan[10];  // none at once, and after 60 steps
  REQUIRE(read.model.scheme == "none");
  REQUIRE(gone_on.recalibrate == 60);
  Training training(in_training(gone_on));
  training.to_the_end();
  const Checkpoint kept = read_checkpoint(model_folder(folder.path, read)),
                   kept_later = read_checkpoint(model_folder(folder.path, gone_on));
  CHECK(checkpoint_parameters(kept, training.run.model()) == training.trainer.parameters());

  const Run none(gone_on);
  const TrainSettings settings = recalibration(gone_on);
  CHECK(settings.optimizer.learning_rate == 0.01);
  CHECK(settings.seed > limits::seed);
  Trainer again(none.model(), none.batcher(), settings, training.pool);
  Trainer::State state = again.state();
  state.parameters = training.trainer.parameters();
  again.restore(state);
  int steps = 0;
  while (again.train_step() == TrainStatus::running) ++steps;
  CHECK(steps == 59);  // all of them
  CHECK(checkpoint_parameters(kept_later, none.model()) == again.parameters());
  CHECK(kept_later.settings.recalibrate == 60);
  CHECK(checkpoint_state(kept_later, none).step == 65);

  const Records records = read_records({folder.path});
  CHECK(records.models.size() == plan.size());
  CHECK(records.results[10].outcome.steps == 65);
  CHECK(records.results[10].outcome.loss == again.loss());
  CHECK(records.results[10].outcome.curve.step == std::vector{55, 65});
  CHECK(records.results[6].outcome.curve.step == std::vector{8});
  CHECK(records.results[2].outcome.curve.step.empty());
  CHECK(records.results[10].outcome.by_length[0].score.token_accuracy ==
        none.test(6, again.parameters().data(), training.pool).score.token_accuracy);
}

TEST_CASE("ablation: a model that diverged in training is not recalibrated") {
  auto plan = recalibrated_plan(60);
  for (RunSettings& cell : plan) cell.train.optimizer.learning_rate = 1000;
  const TemporaryFolder folder;
  run_all(folder.path, plan, 1);
  for (const Result& result : read_records({folder.path}).results) {
    CHECK(result.outcome.status == TrainStatus::diverged);
    CHECK(result.outcome.steps <= 60);
  }
}

TEST_CASE("ablation: none in place of rope is rope with every cosine 1 and every sine 0, bit for bit") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const char* scheme : {"rope", "rope:layout=half,base=100"}) {
      Training training(tiny_settings("copy", scheme, kind, 20));
      training.to_the_end();
      const Real* parameters = training.trainer.parameters().data();
      const LengthScore as_trained = training.run.test(6, parameters, training.pool);
      RunSettings dropped = training.run.settings();
      dropped.model.scheme = "none";
      const Run none(dropped);
      training.run.tell(parse_position_change("constant"));  // all are told position 0, whose angles are 0
      const auto logits_of = [&](const Run& run) {
        Tape tape(parameters);
        const std::vector<int> tokens = {1, 2, 0, 2, 3, 1, 4};
        const Tensor logits =
            run.model().logits(tape, {tokens, 7, count_up(tape, 7), Random(1, Purpose::testing)});
        return Reals(logits.value(), logits.value() + logits.shape().count());
      };
      CHECK(logits_of(none) == logits_of(training.run));
      training.run.tell(parse_position_change("shift:0"));
      CHECK(logits_of(none) != logits_of(training.run));
    }
}

TEST_CASE("ablation: only what is missing runs again") {
  const TemporaryFolder folder;
  const auto plan = tiny_plan();
  {
    Results results(folder.path, plan);
    run_cells(plan, results, 1, {});
  }
  std::string some = expected();
  const std::size_t third = some.find("{\"scheme\":\"learned\",\"seed\":1,");
  REQUIRE(third != std::string::npos);
  some.erase(third, some.find('\n', third) + 1 - third);
  write_file_atomically(folder / "results.jsonl", some);
  std::vector<SettingsKey> started;
  {
    Results results(folder.path, plan);
    run_cells(plan, results, 1,
              {.started = [&](const RunSettings& cell) { started.push_back(settings_key(cell)); }});
  }
  CHECK(started == std::vector<SettingsKey>{settings_key(plan[2])});
  CHECK(results_of(folder) == expected());
}

TEST_CASE("ablation: what cells share in their tests is made once, before the first of them") {
  const TemporaryFolder folder;
  const auto plan = tiny_plan();
  std::multiset<std::string> prepared, expected;
  for (const char* task : {"before", "sort"})
    for (const int length : plan[0].test_lengths) expected.insert(str(task, " at ", length));
  bool started = false;
  Results results(folder.path, plan);
  run_cells(plan, results, 1,
            {.preparing =
                 [&](const std::string& task, int length) {
                   CHECK_FALSE(started);
                   prepared.insert(str(task, " at ", length));
                 },
             .started = [&](const RunSettings&) { started = true; }});
  CHECK(started);
  CHECK(prepared == expected);
}

TEST_CASE("ablation: the work of a cell is heard of in full, also when it ends early") {
  Grid grid{.tasks = {"copy"},
            .schemes = {"none"},
            .seeds = 1,
            .settings = {tiny_settings("copy", "none", ModelKind::encoder, 2000)}};
  grid.settings[0].train.optimizer.learning_rate = 0.02;
  const auto plan = cells(grid);
  const TemporaryFolder folder;
  Results results(folder.path, plan);
  double work = 0;
  int steps = 0;
  run_cells(plan, results, 1,
            {.worked = [&](double one) { work += one; },
             .finished = [&](const Result& result) { steps = result.outcome.steps; }});
  CHECK(steps < 2000);
  CHECK(work == doctest::Approx(work_of(plan)).epsilon(1e-9));
}

TEST_CASE("ablation: a full disk ends it with an error, keeps what is done, and the same command goes on") {
  const TemporaryFolder folder;
  std::string error;
  {
    const FullDisk full(expected().size() / 2);
    error = error_of([&] { run_all(folder.path, tiny_plan(), 1); });
  }
  CHECK(error == str("[", folder.path, "/results.jsonl] could not be extended: File too large"));
  const std::string kept = results_of(folder);
  CHECK(lines(kept) > 0);
  CHECK(kept.ends_with('\n'));
  run_all(folder.path, tiny_plan(), 1);
  CHECK(results_of(folder) == expected());
}
