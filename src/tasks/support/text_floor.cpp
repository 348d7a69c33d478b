#include "tasks/support/text_floor.h"

#include <array>
#include <optional>

#include "base/error.h"
#include "io/file.h"
#include "io/utf8.h"

namespace locus {

namespace {

std::string surprisal_path(const std::string& text_path) {
  return text_path.substr(0, text_path.rfind('.')) + ".surprisal";
}

std::size_t characters_in(std::string_view line) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < line.size(); at += utf8_character(line, at).bytes) ++count;
  return count;
}

}  // namespace

bool has_surprisal(const std::string& text_path) { return file_exists(surprisal_path(text_path)); }

std::vector<std::vector<double>> read_surprisal(const std::string& text_path,
                                                const std::vector<std::string_view>& text_lines) {
  const std::string path = surprisal_path(text_path);
  if (!has_surprisal(text_path)) return {};
  const std::string hint = "make it anew with the text, or remove it";
  const std::string bytes = read_file(path);
  const std::vector<std::string_view> lines = lines_in(bytes);
  if (lines.empty() || !lines[0].starts_with("# "))
    fail(path, "the first line should say what the symbols mean", hint);
  std::array<std::optional<double>, 256> value{};
  value['.'] = 0;
  for (const std::string& entry : split(lines[0].substr(2), ' ')) {
    const auto number = entry.size() > 2 && entry[1] == '=' ? parse_double(entry.substr(2)) : std::nullopt;
    if (!number || *number < 0) fail(str(path, ":1"), str("'", entry, "' gives no symbol a value"), hint);
    value[static_cast<unsigned char>(entry[0])] = *number;
  }
  if (lines.size() - 1 != text_lines.size())
    fail(path, str("it is of ", lines.size() - 1, " lines, and the text has ", text_lines.size()), hint);
  std::vector<std::vector<double>> surprisal;
  for (std::size_t i = 0; i < text_lines.size(); ++i) {
    const std::string where = str(path, ":", i + 2);
    const std::string_view symbols = lines[i + 1];
    if (const std::size_t wanted = characters_in(text_lines[i]) + 1; symbols.size() != wanted)
      fail(where, str(symbols.size(), " symbols, but the line of the text has ", wanted, " with its end"),
           hint);
    std::vector<double>& line = surprisal.emplace_back();
    for (const char symbol : symbols) {
      const auto known = value[static_cast<unsigned char>(symbol)];
      if (!known) fail(where, str("the symbol '", symbol, "' has no value"), hint);
      line.push_back(*known);
    }
  }
  return surprisal;
}

}  // namespace locus
