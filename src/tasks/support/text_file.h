// A plain text as paragraphs of tokens, each on one side of the split. text_task.h makes a task of them.
//
// Paragraphs stand between blank lines; in a text without blank lines every line is one. A hash of its words
// decides where a paragraph belongs: two in ten are tested, one in ten is read by the validations of training, the
// others are trained on. So a paragraph that the text has twice is never on two sides.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "tasks/support/open_task.h"

namespace locus {

enum class TextPart { train, validation, test };
inline constexpr std::size_t text_parts = 3;

struct TextFile {
  std::vector<std::string> names;  // of the different tokens, in the order of their first occurrence
  // The tokens of each part, in the order of the text, as indices of `names`: as strings, the tokens of 30 MB would
  // take a gigabyte. A line end is a token, and so is that of a blank line.
  std::array<std::vector<int>, text_parts> tokens{};
  std::array<std::vector<double>, text_parts> surprisal{};  // of each token, if the text has a file of them
  int paragraphs = 0;
  std::string fingerprint;  // "1200 paragraphs, hash 3f2a..."

  const std::vector<int>& of(TextPart part) const { return tokens[as_size(part)]; }
};

// Throws Error with the file, and where there is one the line, for a text that is empty, larger than 64 MB or than the
// memory allows, not UTF-8, has a control character or a NUL byte, or has too few paragraphs for each part to get
// one. CRLF line ends, a byte order mark and a last line without an end are accepted.
//
// With tokens "char", every character is a token, a space shown as ␣ and a line end as ⏎. With "word", a token is
// a run of letters, digits and apostrophes, or any other character but a space; spaces are left out.
TextFile read_text_file(const std::string& path, const std::string& tokens);

// The tokens of a piece of text, as above. A run of spaces or line ends keeps each of them.
std::vector<std::string> cut_text(std::string_view piece, const std::string& tokens);

}  // namespace locus
