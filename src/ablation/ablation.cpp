#include "ablation/ablation.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <set>
#include <tuple>

#include "ablation/trained_alike.h"
#include "base/error.h"
#include "base/size.h"
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
    fail_usage("ablate", str("the control '", schemes.control, "' is not among the schemes"),
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
               str("a model trained as '", cell.trained_as, "' cannot ",
                   cell.recalibrate > 0 ? "go on" : "be tested", " as '", cell.model.scheme,
                   "': they have different parameters"),
               "schemes that differ only in keys without parameters can");
}

// Rates of recalibration are for settings that recalibrate; of those that do not, one without a rate is left.
std::vector<RunSettings> with_recalibration_checked(const std::vector<RunSettings>& given) {
  const bool any = std::ranges::any_of(given, [](const RunSettings& s) { return s.recalibrate > 0; });
  std::vector<RunSettings> checked;
  std::set<SettingsKey> read_only;
  for (RunSettings settings : given) {
    if (settings.recalibrate > 0 && settings.trained_as.empty())
      fail_usage("ablate", str("--recalibrate ", settings.recalibrate, " is given, but no --trained-as SPEC"),
                 "name the scheme that models are trained with before they go on with another");
    if (settings.recalibrate == 0 && settings.recalibrate_rate > 0) {
      if (!any)
        fail_usage("ablate",
                   str("--recalibrate-lr ", settings.recalibrate_rate, " is given, but no --recalibrate N"),
                   "say for how many steps: --recalibrate 100");
      settings.recalibrate_rate = 0;
      if (!read_only.insert(settings_key(settings)).second) continue;
    }
    checked.push_back(settings);
  }
  return checked;
}

}  // namespace

std::vector<std::string> usual_schemes(ModelKind kind) {
  if (is_recurrent(kind)) return {"none", "index", "sinusoidal", "learned"};
  return {"none", "index", "sinusoidal", "learned", "rope", "alibi", "t5"};
}

std::vector<RunSettings> cells(const Grid& grid) {
  const std::vector<RunSettings> settings_to_run = with_recalibration_checked(grid.settings);
  std::vector<RunSettings> plan;
  std::set<std::string> names;
  std::set<SettingsKey> keys;

  const auto add = [&](RunSettings cell, const std::string& scheme, int seeds) {
    cell.model.scheme = scheme;
    if (cell.trained_as == scheme && cell.recalibrate == 0) cell.trained_as = "";
    for (int seed = 0; seed < seeds; ++seed) {
      cell.train.seed = static_cast<std::uint64_t>(grid.first_seed + seed);
      plan.push_back(complete(cell));
      if (seed == 0) check_model(plan.back());
      if (!keys.insert(settings_key(plan.back())).second)
        fail_usage("ablate", str("'", scheme, "' on ", plan.back().task, " is asked for twice"),
                   "name each scheme and each setting once");
    }
  };
  const auto add_task = [&](std::string RunSettings::*kept_in, const std::string& task) {
    RunSettings of_task;
    of_task.*kept_in = task;
    if (const std::string name = task_of(of_task).name; !names.insert(name).second)
      fail_usage("ablate", str("two tasks are called '", name, "'"),
                 "name each once; rename the table's file");
    for (RunSettings settings : settings_to_run) {
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

RunSettings in_training(RunSettings cell) {
  if (!cell.trained_as.empty()) cell.model.scheme = std::exchange(cell.trained_as, "");
  cell.recalibrate = 0;
  cell.recalibrate_rate = 0;
  return cell;
}

std::pair<std::size_t, std::size_t> cells_of_part(std::size_t cells, std::size_t part, std::size_t parts) {
  return {cells * (part - 1) / parts, cells * part / parts};
}

namespace {

// Makes the test sets of these cells, the longest inputs first. Otherwise the first cells of a task would end
// at the same time and all wait for the first of them to make their test sets.
void prepare_tests(const std::vector<RunSettings>& plan, const Cells& queue, Pool& pool,
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
    const auto [settings, length] = needed[as_size(i)];
    events.preparing(settings->task, length);
    test_at(task_of(*settings), *settings, length);
  });
}

}  // namespace

double work_of(const std::vector<RunSettings>& cells) {
  double work = 0;
  Cells all(cells.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (const Cells& group : trained_alike(cells, all)) work += group_work(cells, group);
  return work;
}

bool cell_done(const RunSettings& cell, bool has_result, const std::string& keep_in) {
  return has_result && (keep_in.empty() || has_checkpoint(model_folder(keep_in, cell)));
}

void run_cells(const std::vector<RunSettings>& plan, Results& results, int jobs, const AblationEvents& events,
               const std::string& keep_in) {
  Cells queue;
  for (std::size_t cell = 0; cell < plan.size(); ++cell)
    if (!cell_done(plan[cell], results.done(cell), keep_in)) queue.push_back(cell);
  std::vector<Cells> groups = trained_alike(plan, queue);
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [&](const Cells& group) { return group_work(plan, group); });

  Pool pool(jobs);
  prepare_tests(plan, queue, pool, events);
  std::atomic<bool> failed = false;
  pool.run(static_cast<int>(groups.size()), [&](int i) {
    if (failed) return;
    try {
      run_group(plan, groups[as_size(i)], results, events, keep_in);
    } catch (...) {
      failed = true;  // for example a full disk: the other cells would fail as well
      throw;
    }
  });
  results.put_in_order();
}

}  // namespace locus
