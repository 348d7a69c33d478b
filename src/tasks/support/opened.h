// A task by what a user calls it: the name of a toy task, or the path of a table.
#pragma once

#include <string>
#include <vector>

#include "tasks/task.h"

namespace locus {

using Alphabet = std::vector<std::string>;

bool is_table_path(const std::string& name_or_path);  // it ends in .tsv

// Tables are read once and kept; the reference stays valid. Safe from any thread. With the alphabet of a trained model,
// token ids are those of the model; throws Error when the model does not know a token of the task.
const Task& open_task(const std::string& name_or_path, const Alphabet& known = {});

// The same; nullptr when there is no such task, or the table cannot be read.
const Task* task_if_there(const std::string& name_or_path);

}  // namespace locus
