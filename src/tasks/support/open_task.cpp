#include "tasks/support/open_task.h"

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "base/error.h"
#include "tasks/support/registry.h"
#include "tasks/support/table.h"
#include "tasks/support/text_task.h"

namespace locus {

bool is_table_path(const std::string& name_or_path) { return name_or_path.ends_with(".tsv"); }
bool is_text_path(const std::string& name_or_path) { return name_or_path.ends_with(".txt"); }

const Task& open_task(const std::string& name_or_path, const Alphabet& known, const TextReading& reading) {
  const bool is_text = is_text_path(name_or_path);
  if (!is_text && !is_table_path(name_or_path)) {
    const Task& task = find_task(name_or_path);
    if (!known.empty() && known != task.alphabet)
      fail(task.name, "its tokens are not those that the model was trained with", "train a new model");
    return task;
  }
  using Key = std::tuple<std::string, Alphabet, std::string, int>;
  static std::mutex mutex;
  static std::map<Key, std::unique_ptr<const Task>> opened;
  std::lock_guard lock(mutex);
  auto& task = opened[is_text ? Key{name_or_path, known, reading.tokens, reading.min_count}
                              : Key{name_or_path, known, "", 0}];
  if (!task && is_text) task = std::make_unique<TextTask>(name_or_path, reading, known);
  if (!task) task = std::make_unique<Table>(name_or_path, known);
  return *task;
}

}  // namespace locus
