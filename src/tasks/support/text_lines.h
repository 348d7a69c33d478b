// A text file as lines, checked before anyone interprets them.
#pragma once

#include <string>
#include <vector>

namespace locus {

struct TextLine {
  int number;  // from 1
  std::string text;
};

// Accepts a byte order mark, CRLF line ends and a last line without one; all are stripped. Throws Error,
// naming file and line, if the file cannot be read or is larger than 64 MB, or if a line is longer than 1 MB,
// is not UTF-8 or holds a control character but tab.
std::vector<TextLine> read_text_lines(const std::string& path);

}  // namespace locus
