// The syntax of a table: a header of `# key: value` comments, then rows of input<TAB>target. What the rows
// mean as a task is table.h's business.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tasks/task.h"

namespace locus {

struct TableRow {
  int line;  // from 1
  std::vector<std::string> input, target;
};

struct TableRows {
  std::vector<std::pair<std::string, std::string>> header;  // in the file's order
  std::vector<TableRow> rows;
  int repeated = 0;  // rows left out because an earlier row is the same
  Form form = Form::classification;

  std::string header_value(std::string_view key) const;  // "" if there is none
};

// Throws Error with file and line for whatever is malformed. An input has one answer: two rows with the same
// input and different targets are refused. The form is the header's `form`, or else found from the rows:
// every target has one token (classification), or as many as its input (labelling), or neither (generation).
TableRows read_table_rows(const std::string& path);

}  // namespace locus
