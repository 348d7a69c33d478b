// The toy tasks of this build: every RegisterTask object that was linked.
#pragma once

#include <string_view>
#include <vector>

#include "tasks/task.h"

namespace locus {

const std::vector<const Task*>& all_tasks();   // sorted by name
const Task& find_task(std::string_view name);  // throws UsageError with the nearest names

}  // namespace locus
