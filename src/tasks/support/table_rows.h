// The syntax of a table: a header of `# key: value` comments, then rows of
// input<TAB>target. Below the first row, a line that begins with '#' is a comment when it has no tab, else a row.
// table.h makes a task of the rows.
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
  int repeated = 0;        // rows left out because an earlier row is the same
  int first_repeated = 0;  // the line of the first of them
  Form form = Form::classification;

  std::string header_value(std::string_view key) const;  // "" if there is none
};

// Throws Error with file and line for anything malformed, such as two rows with the same input
// and different targets, a line longer than 1 MB, text that is not UTF-8, or a file larger
// than 64 MB. A byte order mark, CRLF line ends and a last line without an end are accepted.
// The form is the header's `form`, or else it is found from the rows: every target has one
// token (classification), or as many as its input (labelling), or neither (generation).
TableRows read_table_rows(const std::string& path);

}  // namespace locus
