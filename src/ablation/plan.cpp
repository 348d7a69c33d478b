#include "ablation/plan.h"

#include <algorithm>
#include <set>

#include "base/error.h"

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

// A run that can be built, and fits in memory.
Run checked(const RunSettings& settings) {
  Run run(settings);
  require_training_memory(run.model(), run.batcher(), settings.train, 1);
  return run;
}

void check_model(const RunSettings& cell) {
  const Run tested = checked(cell);
  if (cell.trained_as.empty()) return;
  const Run trained = checked(in_training(cell));
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
    if (!names.insert(task_of(of_task).name).second)
      fail_usage("ablate", text("two tasks are called '", task_of(of_task).name, "'"),
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

RunSettings in_training(RunSettings cell) {
  if (!cell.trained_as.empty()) cell.model.scheme = std::exchange(cell.trained_as, "");
  return cell;
}

std::pair<std::size_t, std::size_t> cells_of_part(std::size_t cells, std::size_t part, std::size_t parts) {
  return {cells * (part - 1) / parts, cells * part / parts};
}

}  // namespace locus
