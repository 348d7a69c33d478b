#include "ablation/ablation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "../support/errors.h"
#include "../support/full_disk.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"

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

std::string results_of(const TemporaryFolder& folder) { return read_file(folder / "results.jsonl"); }

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
  REQUIRE(lines(expected()) == static_cast<long>(plan.size()));
  std::size_t start = 0;
  for (const RunSettings& cell : plan) {
    const std::size_t end = expected().find('\n', start);
    const Json result = parse_json(expected().substr(start, end - start), "");
    CHECK(settings_key(read_result(result, "").settings) == settings_key(cell));
    CHECK(result.integer("steps", "") == 5);
    CHECK(result.array("by_length", "").size() == 2);
    for (const char* key : {"seconds", "threads", "jobs", "host", "date"}) CHECK(result.find(key) == nullptr);
    start = end + 1;
  }
}

TEST_CASE("ablation: the same bytes for 1, 2 and 5 jobs (threads)") {
  for (const int jobs : {1, 2, 5}) {
    const TemporaryFolder folder;
    run_all(folder.path, tiny_plan(), jobs);
    CHECK(results_of(folder) == expected());
    CHECK(lines(read_file(folder / "timings.jsonl")) == 12);
  }
}

TEST_CASE(
    "ablation: stopped anywhere and taken up again, it ends in the bytes of an uninterrupted one (threads)") {
  for (const int steps : {0, 1, 9, 23, 40}) {
    CAPTURE(steps);
    const TemporaryFolder folder;
    CHECK(error_of([&] { run_all(folder.path, tiny_plan(), 1 + steps % 2, steps); }) == "[test] enough");
    CHECK(lines(results_of(folder)) < 12);
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
  const auto [results, curves, durations, models] = read_records({folder.path});
  CHECK(models.empty());
  REQUIRE(results.size() == 2);
  CHECK(curves[0].curve.loss == curves[1].curve.loss);
  CHECK(results[1].settings.trained_as == "rope");
  CHECK(results[0].outcome.by_length[0].score.token_accuracy !=
        results[1].outcome.by_length[0].score.token_accuracy);
}

TEST_CASE("ablation: only what is missing runs again") {
  const TemporaryFolder folder;
  std::string some = expected();
  const std::size_t third = some.find('\n', some.find('\n') + 1) + 1;
  some.erase(third, some.find('\n', third) + 1 - third);
  write_file_atomically(folder / "results.jsonl", some);
  std::vector<SettingsKey> started;
  const auto plan = tiny_plan();
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
    for (const int length : plan[0].test_lengths) expected.insert(text(task, " at ", length));
  bool started = false;
  Results results(folder.path, plan);
  run_cells(plan, results, 1,
            {.preparing =
                 [&](const std::string& task, int length) {
                   CHECK_FALSE(started);
                   prepared.insert(text(task, " at ", length));
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
  CHECK(error == text("[", folder.path, "/results.jsonl] could not be extended: File too large"));
  const std::string kept = results_of(folder);
  CHECK(lines(kept) > 0);
  CHECK(kept.ends_with('\n'));
  run_all(folder.path, tiny_plan(), 1);
  CHECK(results_of(folder) == expected());
}
