#include "ablation/plan.h"

#include <set>

#include "base/error.h"

namespace locus {

std::vector<RunSettings> cells(const Grid& grid) {
  std::vector<RunSettings> cells;
  std::set<std::string> names, keys;
  for (const std::string& task : grid.tasks) {
    if (!names.insert(open_task(task).name).second)
      fail_usage("ablate", text("two tasks are called '", open_task(task).name, "'"),
                 "name each once; rename the table's file");
    for (const std::string& scheme : grid.schemes)
      for (int seed = 1; seed <= grid.seeds; ++seed) {
        RunSettings cell = grid.common;
        cell.task = task;
        cell.model.scheme = scheme;
        cell.train.seed = static_cast<std::uint64_t>(seed);
        cell = complete(cell);
        if (seed == 1) {
          const Run run(cell);
          require_training_memory(run.model(), run.encoding(), cell.train, 1);
        }
        if (!keys.insert(cell_key(cell)).second)
          fail_usage("ablate", text("'", scheme, "' on ", open_task(task).name, " is asked for twice"),
                     "name each scheme once");
        cells.push_back(std::move(cell));
      }
  }
  if (cells.empty())
    fail_usage("ablate", "there is nothing to run", "give at least one task, one scheme and one seed");
  return cells;
}

std::string cell_key(const RunSettings& settings) { return to_string(to_json(settings)); }

}  // namespace locus
