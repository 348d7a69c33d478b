#include "tasks/support/text_lines.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"

namespace locus {

namespace {

constexpr std::size_t longest_line = 1'000'000;   // bytes
constexpr std::size_t largest_file = 64'000'000;  // becomes some thirty times as much as separate words

bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7F; }

void check(const std::string& where, std::string_view line) {
  if (line.size() > longest_line)
    fail(where, text("a line longer than ", longest_line, " bytes"), "write one example a line");
  if (line.find('\0') != line.npos)
    fail(where, "a NUL byte", "save the file as plain UTF-8 text, not UTF-16 or binary");
  if (const auto at = find_invalid_utf8(line); at != line.npos)
    fail(where, text("byte ", at + 1, " of the line is not UTF-8"), "save the file as UTF-8");
  if (const auto at = std::find_if(line.begin(), line.end(), is_control); at != line.end())
    fail(where,
         text("a control character (code ", int{*at}, ") at byte ", at - line.begin() + 1, " of the line"),
         "the only one allowed is the tab between input and target");
}

}  // namespace

std::vector<TextLine> read_text_lines(const std::string& path) {
  const std::string bytes = read_file(path, largest_file);
  std::string_view rest = bytes;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);

  std::vector<TextLine> lines;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    check(text(path, ":", number), line);
    lines.push_back({number, std::string(line)});
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace locus
