#include "tasks/support/opened.h"

#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "tasks/support/registry.h"
#include "tasks/support/table.h"

namespace locus {

bool is_table_path(const std::string& name_or_path) { return name_or_path.ends_with(".tsv"); }

const Task& open_task(const std::string& name_or_path, const Alphabet& known) {
  if (!is_table_path(name_or_path)) {
    const Task& task = find_task(name_or_path);
    if (!known.empty() && known != task.alphabet)
      fail(task.name, "its tokens are not those that the model was trained with", "train a new model");
    return task;
  }
  static std::mutex mutex;
  static std::map<std::pair<std::string, Alphabet>, std::unique_ptr<Table>> tables;
  std::lock_guard lock(mutex);
  auto& table = tables[{name_or_path, known}];
  if (!table) table = std::make_unique<Table>(name_or_path, known);
  return *table;
}

const Task* task_if_there(const std::string& name_or_path) {
  try {
    return &open_task(name_or_path);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace locus
