#include "tasks/support/registry.h"

#include <map>

#include "base/error.h"
#include "base/named.h"
#include "tasks/support/toy.h"

namespace locus {

namespace {

// Local to a function, so that it exists before the first RegisterTask, whichever file is initialised first.
std::vector<Toy>& registered() {
  static std::vector<Toy> toys;
  return toys;
}

// Called on first use and not while registering: an error thrown before main() could not be reported.
std::vector<const Task*> build() {
  static std::map<std::string, std::unique_ptr<const Task>> by_name;
  std::vector<const Task*> tasks;
  for (const Toy& toy : registered()) {
    require_complete(toy);
    if (!by_name.try_emplace(toy.name, make_task(toy)).second)
      fail("tasks", str("two files register a task called '", toy.name, "'"), "rename one");
  }
  for (const auto& [name, task] : by_name) tasks.push_back(task.get());
  return tasks;
}

}  // namespace

bool RegisterTask::add(const Toy& toy) {
  registered().push_back(toy);
  return true;
}

const std::vector<const Task*>& all_tasks() {
  static const std::vector<const Task*> tasks = build();
  return tasks;
}

const Task& find_task(std::string_view name) {
  return *get_named("task", "task", all_tasks(), name, &Task::name);
}

}  // namespace locus
