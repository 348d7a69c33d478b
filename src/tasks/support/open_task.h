// A task by what a user calls it: the name of a toy task, or the path of a table or text.
#pragma once

#include <string>
#include <vector>

#include "tasks/task.h"

namespace locus {

using Alphabet = std::vector<std::string>;

bool is_table_path(const std::string& name_or_path);  // it ends in .tsv
bool is_text_path(const std::string& name_or_path);   // it ends in .txt

// How a text is cut into tokens.
struct TextReading {
  std::string tokens = "char";  // or "word"
  int min_count = 1;            // what occurs less often in the part that is trained on is an unknown token
};

// Tables and texts are read once and kept; the reference stays valid. Safe from any thread. With the alphabet of a
// trained model, token ids are those of the model; throws Error when the model does not know a token of the task.
const Task& open_task(const std::string& name_or_path, const Alphabet& known = {},
                      const TextReading& reading = {});

}  // namespace locus
