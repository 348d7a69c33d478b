#include "tasks/support/table_rows.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "io/file.h"
#include "io/utf8.h"

namespace locus {

namespace {

constexpr std::size_t longest_line = 1'000'000;  // bytes
constexpr std::size_t largest_table =
    64'000'000;  // takes about thirty times as much memory as separate words

// `# key: value` -> {key, value}. A key is one lower-case word; other comments give {"", ""}.
std::pair<std::string, std::string> parse_header(std::string_view line) {
  const auto trim = [](std::string_view s) {
    while (s.starts_with(' ')) s.remove_prefix(1);
    while (s.ends_with(' ')) s.remove_suffix(1);
    return s;
  };
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view key = trim(line.substr(1, colon - 1));
  const bool is_key = colon < line.size() && !key.empty() &&
                      std::ranges::all_of(key, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
  if (!is_key) return {};
  return {std::string(key), std::string(trim(line.substr(colon + 1)))};
}

std::vector<std::string> split_tokens(const std::string& where, std::string_view side,
                                      std::string_view tokens) {
  const std::string single = "separate tokens by single spaces";
  if (tokens.empty())
    fail(where, str("the ", side, " is empty"), "write at least one token on each side of the tab");
  if (tokens.starts_with(' ')) fail(where, str("a space before the ", side), single);
  if (tokens.ends_with(' ')) fail(where, str("a space after the ", side), single);
  if (tokens.find("  ") != tokens.npos) fail(where, str("two spaces in a row in the ", side), single);
  return split(tokens, ' ');
}

TableRow parse_row(const std::string& where, int number, std::string_view line) {
  if (line.empty()) fail(where, "an empty line", "delete it, or make it a comment with #");
  const std::vector<std::string> sides = split(line, '\t');
  if (sides.size() == 1) fail(where, "no tab", "write input<TAB>target, with a real tab character");
  if (sides.size() > 2)
    fail(where, str(sides.size() - 1, " tabs"),
         "write input<TAB>target: one tab, single spaces between tokens");
  return {number, split_tokens(where, "input", sides[0]), split_tokens(where, "target", sides[1])};
}

bool has_form(Form form, const TableRow& row) {
  if (form == Form::classification) return row.target.size() == 1;
  if (form == Form::labelling) return row.target.size() == row.input.size();
  return true;
}

Form find_form(const std::string& path, const TableRows& table) {
  const std::string declared = table.header_value("form");
  std::vector<std::string> names;
  for (const Form form : all_forms) {
    if (form == Form::text) continue;  // no table has it
    names.push_back(to_string(form));
    if (!declared.empty() && declared != to_string(form)) continue;
    const auto misfit = std::ranges::find_if_not(table.rows, [&](auto& row) { return has_form(form, row); });
    if (misfit == table.rows.end()) return form;
    if (declared.empty()) continue;
    fail(str(path, ":", misfit->line),
         str("the header says form: ", declared, ", but the input has ", misfit->input.size(),
             " tokens and the target ", misfit->target.size()),
         form == Form::classification ? "a target of classification is one token"
                                      : "a target of labelling is as long as its input");
  }
  fail(path, str("the header says form: ", declared), nearest_names(declared, names));
}

// A line above the first row that begins with '#' and has a tab is a comment. But when each of its words, the first
// left out, is a word of the rows, it is itself a row, as in a sorted table with the word '#'.
void refuse_rows_among(const std::vector<std::pair<int, std::string_view>>& comments, const std::string& path,
                       const TableRows& table) {
  std::set<std::string_view> words;
  if (!comments.empty())
    for (const TableRow& row : table.rows)
      for (const auto* side : {&row.input, &row.target}) words.insert(side->begin(), side->end());
  for (const auto& [number, line] : comments) {
    std::string spaced(line);
    std::ranges::replace(spaced, '\t', ' ');
    const std::vector<std::string> all = split(spaced, ' ');
    if (std::all_of(all.begin() + 1, all.end(),
                    [&](const std::string& word) { return words.contains(word); }))
      fail(
          str(path, ":", number),
          "a comment, or a row that begins with '#'? It has a tab, and words of the rows",
          "if it is a row, move it below one that does not begin with '#'; if it is a comment, take the tab out");
  }
}

}  // namespace

std::string TableRows::header_value(std::string_view key) const {
  const auto found = std::ranges::find(header, key, &std::pair<std::string, std::string>::first);
  return found == header.end() ? "" : found->second;
}

TableRows read_table_rows(const std::string& path) {
  const std::string bytes = read_file(path, largest_table);
  const std::vector<std::string_view> lines = lines_in(bytes);
  if (lines.empty()) fail(path, "the file is empty", "write rows of input<TAB>target");

  TableRows table;
  std::vector<std::pair<int, std::string_view>> comments_with_a_tab;
  std::map<std::vector<std::string>, std::size_t> row_of_input;
  for (int number = 1; const std::string_view line : lines) {
    const int at = number++;
    const std::string where = str(path, ":", at);
    if (line.size() > longest_line)
      fail(where, str("a line longer than ", longest_line, " bytes"), "write one example a line");
    check_line(where, line);
    if (is_comment(line, table.rows.empty())) {
      auto entry = parse_header(line);
      if (table.rows.empty() && !entry.first.empty()) table.header.push_back(std::move(entry));
      if (line.find('\t') != line.npos) comments_with_a_tab.emplace_back(at, line);
      continue;
    }
    TableRow row = parse_row(where, at, line);
    const auto [same_input, is_new] = row_of_input.try_emplace(row.input, table.rows.size());
    if (is_new) {
      table.rows.push_back(std::move(row));
      continue;
    }
    const TableRow& earlier = table.rows[same_input->second];
    if (earlier.target != row.target)
      fail(where,
           str("the input of line ", earlier.line, " again, with the target '", join(row.target, " "),
               "' and not '", join(earlier.target, " "), "'"),
           "an input has one answer: keep one of the two lines");
    if (++table.repeated == 1) table.first_repeated = at;
  }
  if (table.rows.empty()) fail(path, "no rows, only comments", "write rows of input<TAB>target");
  refuse_rows_among(comments_with_a_tab, path, table);
  table.form = find_form(path, table);
  return table;
}

}  // namespace locus
