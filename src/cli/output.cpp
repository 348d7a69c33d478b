#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/machine.h"
#include "cli/interrupt.h"
#include "draw/html.h"
#include "draw/svg.h"
#include "io/file.h"
#include "io/format.h"
#include "io/utf8.h"

namespace locus {

std::string as_called(std::string words) {
  for (const std::string before : {"`", "\n  "}) {
    const std::string general = before + "locus ", called = before + shell_word(program_name) + ' ';
    for (std::size_t at = 0; (at = words.find(general, at)) != words.npos; at += called.size())
      words.replace(at, general.size(), called);
  }
  return words;
}

// Arguments may hold line breaks.
std::string complaint(std::string_view line) {
  const std::string words = str("locus: ", printable(as_called(std::string(line))));
  return ::isatty(STDERR_FILENO) == 1 ? wrapped(words, terminal_width(STDERR_FILENO)) : words + '\n';
}

void complain(std::string_view line) {
  const std::string shown = complaint(line);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

std::vector<TableColumn> columns(const std::vector<std::string>& words,
                                 const std::vector<std::string>& numbers) {
  std::vector<TableColumn> all;
  for (const std::string& title : words) all.push_back({title, Align::left});
  for (const std::string& title : numbers) all.push_back({title, Align::right});
  return all;
}

std::string shown(const TextTable& table) {
  return table.to_text(is_lively_terminal(STDOUT_FILENO), output_width());
}

void print(std::string_view text) {
  const std::string shown =
      printable(text, is_lively_terminal(STDOUT_FILENO) ? Lines::inked : Lines::several);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  fail("output", str("standard output cannot be written: ", std::strerror(errno)));
}

void print_fitted(std::string_view text) { print(fitted(text, output_width())); }

void require_savable(const std::string& path) {
  const bool page = path.ends_with(".html");
  if (!page && !path.ends_with(".svg"))
    fail_usage(path, "the name of a page ends in .html, that of a picture in .svg",
               str("name it ", path, ".html"));
  if (!file_exists(path)) return;
  const std::string there = read_file(path);
  if (there.empty() || (page ? is_html_document(there) : is_svg_document(there))) return;
  fail(path, str("a file of this name is there, and Locus did not write it as a ", page ? "page" : "picture"),
       "it is kept; choose another name, or move the file");
}

void save(const std::string& path, std::string_view bytes) {
  require_savable(path);
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0)
    create_folders(path.substr(0, slash));
  write_file_atomically(path, bytes);
}

}  // namespace locus
