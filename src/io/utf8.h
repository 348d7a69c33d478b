// UTF-8: decoding and encoding characters, and the width of a text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: no valid character starts here
};

// The character that starts at byte `at` < text.size(). Overlong forms, surrogates and
// codes past U+10FFFF are invalid.
Utf8Character utf8_character(std::string_view text, std::size_t at);

// The position of the first byte that is not part of valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

// Some editors begin a file with a byte order mark (U+FEFF).
std::string_view without_byte_order_mark(std::string_view bytes);

// The lines of a user's file, without their ends: '\n', or '\r' and '\n'; the last line may lack it. A byte order mark
// is left out.
std::vector<std::string_view> lines_in(std::string_view bytes);

// Whether a line of a file with columns is a comment: it begins with '#', and it has no tab or stands above the first
// row. ('#' may be a word, and a row may begin with it.)
bool is_comment(std::string_view line, bool above_first_row);

// A line of a user's file. Throws Error, which begins with `where`, for what no text has: a NUL byte, bytes that are
// not UTF-8, and control characters other than tabs.
void check_line(const std::string& where, std::string_view line);

void append_utf8(std::string& out, char32_t code);

// The text, safe to print on a terminal: a '?' for each invalid byte, each control character, and each character
// that changes the direction of the text around it. Line breaks stay if there may be several lines, and so do
// the codes of colours if it is inked.
enum class Lines { one, several, inked };
std::string printable(std::string_view text, Lines lines = Lines::one);

// Terminal columns: 0 for combining marks, 2 for East Asian wide characters and emoji, 1
// for the rest (and for each invalid byte).
std::size_t display_width(std::string_view text);

// The longest beginning of the text that fits into this many columns, ending in "…" where something was cut.
std::string fit_to_width(std::string_view text, std::size_t columns);

}  // namespace locus
