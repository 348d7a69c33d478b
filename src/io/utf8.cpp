#include "io/utf8.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/size.h"

namespace locus {

Utf8Character utf8_character(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  if (first < 0x80) return {first, 1};

  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + bytes > text.size()) return {};
  char32_t code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(at + i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_character(text, at).bytes;
    if (bytes == 0) return at;
    at += bytes;
  }
  return std::string_view::npos;
}

std::string_view without_byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return bytes;
}

std::vector<std::string_view> lines_in(std::string_view bytes) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = without_byte_order_mark(bytes); !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

bool is_comment(std::string_view line, bool above_first_row) {
  return line.starts_with('#') && (above_first_row || line.find('\t') == line.npos);
}

void check_line(const std::string& where, std::string_view line) {
  if (line.find('\0') != line.npos)
    fail(where, "a NUL byte", "save the file as plain UTF-8 text, not UTF-16 or binary");
  if (const auto at = find_invalid_utf8(line); at != line.npos)
    fail(where, str("byte ", at + 1, " of the line is not UTF-8"), "save the file as UTF-8");
  for (std::size_t at = 0; at < line.size();) {
    const auto [code, bytes] = utf8_character(line, at);
    if ((code < ' ' && code != '\t') ||
        (code >= 0x7F && code < 0xA0))  // terminals take U+0080 to U+009F for commands
      fail(where,
           str("a control character (code ", static_cast<int>(code), ") at byte ", at + 1, " of the line"),
           "take it out: tabs and line ends are the only ones that are allowed");
    at += bytes;
  }
}

void append_utf8(std::string& out, char32_t code) {
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first
  constexpr std::array<unsigned, 4> marks = {0, 0xC0, 0xE0, 0xF0};               // of the first byte
  out += static_cast<char>(marks[as_size(more)] | (code >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
}

namespace {

// Not for a terminal: controls, and what turns the direction of the text around it or breaks the line.
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

// The bytes of a code that colours text (io/terminal.h) and starts here; 0: none does.
std::size_t ink_bytes(std::string_view text) {
  for (const std::string_view ink : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m"})
    if (text.starts_with(ink)) return ink.size();
  return 0;
}

}  // namespace

std::string printable(std::string_view text, Lines lines) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = utf8_character(text, at);  // code is 0 at an invalid byte
    std::size_t kept = is_control(code) ? 0 : bytes;
    if (lines != Lines::one && text[at] == '\n') kept = 1;
    if (lines == Lines::inked) kept = std::max(kept, ink_bytes(text.substr(at)));
    out += kept ? text.substr(at, kept) : "?";
    at += std::max<std::size_t>({kept, bytes, 1});
  }
  return out;
}

namespace {

struct CodeRange {
  char32_t first, last;
};

// The common blocks, not the whole of Unicode's tables.
constexpr CodeRange zero_width[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
                                    {0x064B, 0x065F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
                                    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
constexpr CodeRange double_width[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                                      {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                                      {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

std::size_t character_width(char32_t code) {
  const auto holds = [code](const CodeRange& range) { return code >= range.first && code <= range.last; };
  return std::ranges::any_of(zero_width, holds) ? 0 : std::ranges::any_of(double_width, holds) ? 2 : 1;
}

struct Extent {
  std::size_t bytes = 0, columns = 0;
};

// The length of the longest beginning of the text that fits into so many columns.
Extent measure(std::string_view text, std::size_t most_columns) {
  Extent used;
  while (used.bytes < text.size()) {
    const Utf8Character character = utf8_character(text, used.bytes);
    const std::size_t width = character_width(character.code);
    if (used.columns + width > most_columns) break;
    used.columns += width;
    used.bytes += std::max<std::size_t>(character.bytes, 1);
  }
  return used;
}

}  // namespace

std::size_t display_width(std::string_view text) { return measure(text, text.npos).columns; }

std::string fit_to_width(std::string_view text, std::size_t columns) {
  if (measure(text, columns).bytes == text.size()) return std::string(text);
  if (columns == 0) return "";
  return std::string(text.substr(0, measure(text, columns - 1).bytes)) + "…";
}

}  // namespace locus
