// What a command writes: tables and texts on standard output, complaints on standard error, files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/terminal.h"

namespace locus {

// The words with the program named as the user called it: "`locus help`" is "`build/locus help`" then, and so are
// examples, lines that begin with "  locus ".
std::string as_called(std::string words);

// "locus: TEXT": on one line, or for a terminal in lines that fit, broken between words; and that on standard error.
std::string complaint(std::string_view text);
void complain(std::string_view text);

// Tables for standard output: columns of words, then columns of numbers; and the table as text.
std::vector<TableColumn> columns(const std::vector<std::string>& words,
                                 const std::vector<std::string>& numbers);
std::string shown(const TextTable& table);

// To standard output, all of it: what could change the terminal is shown as '?', in whatever file it came. Throws
// Error when the output cannot be written; when its reader has gone, as in `locus tasks | head`, the program ends
// as by SIGPIPE.
void print(std::string_view text);

// The same with lines that are longer than the terminal is wide broken between words (io/format.h).
void print_fitted(std::string_view text);

// A picture is NAME.svg, a page NAME.html: UsageError for another name. Error when there is a file of that name that
// Locus did not write as one: it is not replaced. Call it before the work that the file shows.
void require_savable(const std::string& path);

// Writes a picture or a page where the user asks for it, if require_savable allows it; makes the folder if there is
// none.
void save(const std::string& path, std::string_view bytes);

}  // namespace locus
