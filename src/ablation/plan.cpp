#include "ablation/plan.h"

#include <algorithm>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

// The schemes of one model, and how many seeds each has.
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

// A run that can be made, and fits in memory.
Run checked(const RunSettings& settings) {
  Run run(settings);
  require_training_memory(run.model(), run.encoding(), settings.train, 1);
  return run;
}

void require_same_parameters(const Run& trained, const Run& read) {
  const auto same = [](const ParameterTable::Entry& a, const ParameterTable::Entry& b) {
    return a.name == b.name && a.where.shape == b.where.shape;
  };
  if (!std::ranges::equal(trained.model().parameters().entries(), read.model().parameters().entries(), same))
    fail_usage("ablate",
               text("a model trained as '", trained.settings().model.scheme, "' cannot be read as '",
                    read.settings().model.scheme, "': they have different parameters"),
               "one that only changes keys of the scheme can");
}

class Plan {
 public:
  explicit Plan(const Grid& grid) : grid_(grid) {
    for (const std::string& task : grid.tasks) {
      if (!names_.insert(open_task(task).name).second)
        fail_usage("ablate", text("two tasks are called '", open_task(task).name, "'"),
                   "name each once; rename the table's file");
      for (const RunSettings& settings : grid.settings) {
        const Schemes schemes = schemes_of(grid, settings.model.kind);
        for (const std::string& scheme : schemes.names)
          add(task, settings, scheme, scheme == schemes.control ? 2 * grid.seeds : grid.seeds);
      }
    }
    if (cells_.empty())
      fail_usage("ablate", "there is nothing to run", "give at least one task, one scheme and one seed");
  }

  std::vector<RunSettings> take() { return std::move(cells_); }

 private:
  void add(const std::string& task, RunSettings cell, const std::string& scheme, int seeds) {
    cell.task = task;
    cell.model.scheme = scheme;
    if (grid_.trained_as != scheme) cell.trained_as = grid_.trained_as;
    for (int seed = 1; seed <= seeds; ++seed) {
      cell.train.seed = static_cast<std::uint64_t>(seed);
      cells_.push_back(complete(cell));
      if (seed == 1) {
        const Run run = checked(cells_.back());
        if (!cell.trained_as.empty()) require_same_parameters(checked(in_training(cells_.back())), run);
      }
      if (!keys_.insert(cell_key(cells_.back())).second)
        fail_usage("ablate", text("'", scheme, "' on ", open_task(task).name, " is asked for twice"),
                   "name each scheme and each setting once");
    }
  }

  const Grid& grid_;
  std::vector<RunSettings> cells_;
  std::set<std::string> names_, keys_;
};

}  // namespace

std::vector<std::string> usual_schemes(ModelKind kind) {
  if (is_recurrent(kind)) return {"none", "index", "sinusoidal", "learned"};
  return {"none", "index", "sinusoidal", "learned", "rope", "alibi", "t5"};
}

std::vector<RunSettings> cells(const Grid& grid) { return Plan(grid).take(); }

RunSettings in_training(RunSettings cell) {
  if (!cell.trained_as.empty()) cell.model.scheme = std::exchange(cell.trained_as, "");
  return cell;
}

std::string cell_key(const RunSettings& settings) { return to_string(to_json(settings)); }

std::pair<std::size_t, std::size_t> cells_of_part(std::size_t cells, std::size_t part, std::size_t parts) {
  return {cells * (part - 1) / parts, cells * part / parts};
}

}  // namespace locus
