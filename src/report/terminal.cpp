#include "report/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "base/error.h"
#include "base/utf8.h"

namespace locus {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string inked(const TableCell& cell, bool colour) {
  constexpr std::array<std::string_view, 5> codes = {"", "1", "2", "32", "31"};
  const std::string_view code = codes[static_cast<std::size_t>(cell.ink)];
  const std::string shown = printable(cell.text);
  return colour && !code.empty() && !shown.empty() ? text("\x1b[", code, 'm', shown, "\x1b[0m") : shown;
}

std::size_t width_of(const std::string& words) { return display_width(printable(words)); }

}  // namespace

bool is_lively_terminal(int descriptor) {
  return ::isatty(descriptor) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void TextTable::add_row(std::vector<TableCell> cells) {
  if (cells.size() > columns_.size())
    fail("table", text("a row has ", cells.size(), " cells, the table ", columns_.size(), " columns"));
  cells.resize(columns_.size(), TableCell(""));
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() { rows_.emplace_back(); }
void TextTable::add_heading(TableCell cell) { rows_.push_back({std::move(cell)}); }

std::vector<std::size_t> TextTable::column_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths.push_back(width_of(columns_[c].title));
    for (const auto& row : rows_)
      if (row.size() > 1) widths[c] = std::max(widths[c], width_of(row[c].text));
  }
  return widths;
}

std::size_t TextTable::width() const {
  const std::vector<std::size_t> widths = column_widths();
  return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + 2 * (widths.size() - 1);
}

std::string TextTable::to_text(bool colour) const {
  const std::vector<std::size_t> widths = column_widths();
  std::string out;
  const auto add_line = [&](const std::vector<TableCell>& cells) {
    std::size_t spaces = 0;  // written before the next text only, so that no line ends in spaces
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::size_t free = widths[c] - width_of(cells[c].text);
      if (columns_[c].align == Align::right) spaces += free;
      if (!cells[c].text.empty()) {
        out.append(spaces, ' ');
        out += inked(cells[c], colour);
        spaces = 0;
      }
      spaces += 2 + (columns_[c].align == Align::left ? free : 0);
    }
    out += '\n';
  };
  std::vector<TableCell> titles, rule;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back({columns_[c].title, Ink::bold});
    rule.push_back({"", Ink::faint});
    for (std::size_t i = 0; i < widths[c]; ++i) rule[c].text += "─";
  }
  add_line(titles);
  add_line(rule);
  for (const auto& row : rows_) {
    if (row.size() == 1)
      out += inked(row[0], colour) + '\n';
    else
      add_line(row.empty() ? rule : row);
  }
  return out;
}

}  // namespace locus
