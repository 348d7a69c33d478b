#include "tasks/support/registry.h"

#include <algorithm>

#include "base/error.h"
#include "tasks/support/toy.h"

namespace locus {

namespace {

// Local to a function, so it exists before the first RegisterTask, whatever file is initialised first.
std::vector<Toy>& registered() {
  static std::vector<Toy> toys;
  return toys;
}

// Built on first use and not while registering: an error raised before main() could not be reported.
std::vector<const Task*> build() {
  static std::vector<std::unique_ptr<const Task>> owner;
  std::vector<const Task*> tasks;
  for (const Toy& toy : registered()) tasks.push_back(owner.emplace_back(make_task(toy)).get());
  std::sort(tasks.begin(), tasks.end(), [](const Task* a, const Task* b) { return a->name < b->name; });
  for (std::size_t i = 1; i < tasks.size(); ++i)
    if (tasks[i]->name == tasks[i - 1]->name)
      fail("tasks", text("two files register a task called '", tasks[i]->name, "'"), "rename one");
  return tasks;
}

}  // namespace

RegisterTask::RegisterTask(Toy toy) { registered().push_back(std::move(toy)); }

const std::vector<const Task*>& all_tasks() {
  static const std::vector<const Task*> tasks = build();
  return tasks;
}

const Task& find_task(std::string_view name) {
  std::vector<std::string> names;
  for (const Task* task : all_tasks()) {
    if (task->name == name) return *task;
    names.push_back(task->name);
  }
  fail_usage("task", text("no task is called '", name, "'"), nearest_names(name, names));
}

}  // namespace locus
