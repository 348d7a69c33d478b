#include "tasks/support/table_rows.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "tasks/support/text_lines.h"

namespace locus {

namespace {

// `# key: value` -> {key, value}. A key is one lower-case word, so that prose is not taken for one.
std::pair<std::string, std::string> parse_header(std::string_view line) {
  const auto trim = [](std::string_view s) {
    while (s.starts_with(' ')) s.remove_prefix(1);
    while (s.ends_with(' ')) s.remove_suffix(1);
    return s;
  };
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view key = trim(line.substr(1, colon - 1));
  const bool is_key = colon < line.size() && !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
                        return (c >= 'a' && c <= 'z') || c == '_';
                      });
  if (!is_key) return {};
  return {std::string(key), std::string(trim(line.substr(colon + 1)))};
}

std::vector<std::string> split_tokens(const std::string& where, std::string_view side,
                                      std::string_view tokens) {
  const std::string single = "separate tokens by single spaces";
  if (tokens.empty())
    fail(where, text("the ", side, " is empty"), "write at least one token on each side of the tab");
  if (tokens.starts_with(' ')) fail(where, text("a space before the ", side), single);
  if (tokens.ends_with(' ')) fail(where, text("a space after the ", side), single);
  if (tokens.find("  ") != tokens.npos) fail(where, text("two spaces in a row in the ", side), single);
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= tokens.size();) {
    const std::size_t end = std::min(tokens.find(' ', begin), tokens.size());
    words.emplace_back(tokens.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

TableRow parse_row(const std::string& where, const TextLine& line) {
  if (line.text.empty()) fail(where, "an empty line", "delete it, or make it a comment with #");
  const auto tabs = std::count(line.text.begin(), line.text.end(), '\t');
  if (tabs == 0) fail(where, "no tab", "write input<TAB>target, with a real tab character");
  if (tabs > 1)
    fail(where, text(tabs, " tabs"), "write input<TAB>target: one tab, single spaces between tokens");
  const std::string_view row = line.text;
  const std::size_t tab = row.find('\t');
  return {line.number, split_tokens(where, "input", row.substr(0, tab)),
          split_tokens(where, "target", row.substr(tab + 1))};
}

bool has_form(Form form, const TableRow& row) {
  if (form == Form::classification) return row.target.size() == 1;
  if (form == Form::labelling) return row.target.size() == row.input.size();
  return true;
}

Form find_form(const std::string& path, const TableRows& table) {
  const std::vector<Form> forms = {Form::classification, Form::labelling, Form::generation};
  const std::string declared = table.header_value("form");
  for (const Form form : forms) {
    const auto misfit = std::find_if_not(table.rows.begin(), table.rows.end(),
                                         [&](const TableRow& row) { return has_form(form, row); });
    if (declared.empty() && misfit == table.rows.end()) return form;
    if (declared != to_string(form)) continue;
    if (misfit == table.rows.end()) return form;
    fail(text(path, ":", misfit->line),
         text("the header says form: ", declared, ", but the input has ", misfit->input.size(),
              " tokens and the target ", misfit->target.size()),
         form == Form::classification ? "a target of classification is one token"
                                      : "a target of labelling is as long as its input");
  }
  fail(path, text("the header says form: ", declared),
       nearest_names(declared, {"classification", "labelling", "generation"}));
}

}  // namespace

std::string TableRows::header_value(std::string_view key) const {
  const auto found =
      std::find_if(header.begin(), header.end(), [&](const auto& entry) { return entry.first == key; });
  return found == header.end() ? "" : found->second;
}

TableRows read_table_rows(const std::string& path) {
  const std::vector<TextLine> lines = read_text_lines(path);
  if (lines.empty()) fail(path, "the file is empty", "write rows of input<TAB>target");

  TableRows table;
  std::map<std::vector<std::string>, std::size_t> row_of_input;
  for (const TextLine& line : lines) {
    const std::string where = text(path, ":", line.number);
    if (line.text.starts_with('#')) {
      auto entry = parse_header(line.text);
      if (table.rows.empty() && !entry.first.empty()) table.header.push_back(std::move(entry));
      continue;
    }
    TableRow row = parse_row(where, line);
    const auto [same_input, is_new] = row_of_input.try_emplace(row.input, table.rows.size());
    if (is_new) {
      table.rows.push_back(std::move(row));
      continue;
    }
    const TableRow& earlier = table.rows[same_input->second];
    if (earlier.target != row.target)
      fail(where,
           text("the input of line ", earlier.line, " again, with the target '", join(row.target, " "),
                "' and not '", join(earlier.target, " "), "'"),
           "an input has one answer: keep one of the two lines");
    ++table.repeated;
  }
  if (table.rows.empty()) fail(path, "no rows, only comments", "write rows of input<TAB>target");
  table.form = find_form(path, table);
  return table;
}

}  // namespace locus
