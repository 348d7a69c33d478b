#include "io/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "io/utf8.h"

namespace locus {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::size_t width_of(const std::string& words) { return display_width(printable(words)); }

std::vector<std::string> lines_of(const std::string& words, std::size_t columns) {
  return lines_that_fit(words, [&](std::string_view line) { return width_of(std::string(line)) <= columns; });
}

}  // namespace

std::string inked(const TableCell& cell, bool colour) {
  constexpr std::array<std::string_view, 5> codes = {"", "1", "2", "32", "31"};
  const std::string_view code = codes[as_size(cell.ink)];
  const std::string shown = printable(cell.text);
  return colour && !code.empty() && !shown.empty() ? str("\x1b[", code, 'm', shown, "\x1b[0m") : shown;
}

bool is_lively_terminal(int descriptor) {
  return ::isatty(descriptor) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

std::size_t output_width() {
  return ::isatty(STDOUT_FILENO) == 1 ? terminal_width(STDOUT_FILENO) : std::string::npos;
}

void TextTable::add_row(std::vector<TableCell> cells) {
  if (cells.size() > columns_.size())
    fail("table", str("a row has ", cells.size(), " cells, the table ", columns_.size(), " columns"));
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

// The column that is widest beyond its longest word gives way, until the table fits or no column can.
std::vector<std::size_t> TextTable::widths_that_fit(std::size_t columns) const {
  constexpr std::size_t narrowest = 16;  // a column of texts
  std::vector<std::size_t> widths = column_widths(), least = widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool whole = columns_[c].align == Align::right;  // its cells, but not its title
    least[c] = whole ? 1 : std::min(widths[c], narrowest);
    for (const std::string& word : split(columns_[c].title, ' '))
      least[c] = std::max(least[c], width_of(word));
    for (const auto& row : rows_)
      if (row.size() > 1)
        for (const std::string& word : whole ? std::vector{row[c].text} : split(row[c].text, ' '))
          least[c] = std::max(least[c], width_of(word));
  }
  for (std::size_t sum = width(); sum > columns; --sum) {
    std::size_t widest = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (widths[c] > least[c] && (widest == columns_.size() || widths[c] > widths[widest])) widest = c;
    if (widest == columns_.size()) return {};
    --widths[widest];
  }
  return widths;
}

std::string TextTable::as_lists(bool colour, std::size_t columns) const {
  std::size_t indent = 0;
  for (std::size_t c = 1; c < columns_.size(); ++c)
    indent = std::max(indent, width_of(columns_[c].title) + 4);
  std::string out;
  for (const auto& row : rows_) {
    if (row.empty()) continue;
    const bool number = columns_[0].align == Align::right;
    out += inked({number ? str(columns_[0].title, ' ', row[0].text) : row[0].text, Ink::bold}, colour) + '\n';
    for (std::size_t c = 1; c < row.size(); ++c) {
      if (row[c].text.empty()) continue;
      std::string before = "  " + columns_[c].title;
      for (const std::string& line : lines_of(row[c].text, columns > indent ? columns - indent : 1)) {
        out +=
            before + std::string(indent - width_of(before), ' ') + inked({line, row[c].ink}, colour) + '\n';
        before.clear();
      }
    }
  }
  return out;
}

std::string TextTable::as_table(bool colour, const std::vector<std::size_t>& widths) const {
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
  const auto add_wrapped = [&](const std::vector<TableCell>& cells) {
    std::vector<std::vector<std::string>> lines;
    std::size_t most = 1;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      lines.push_back(lines_of(cells[c].text, widths[c]));
      most = std::max(most, lines.back().size());
    }
    for (std::size_t i = 0; i < most; ++i) {
      std::vector<TableCell> part;
      for (std::size_t c = 0; c < cells.size(); ++c)
        part.push_back({i < lines[c].size() ? lines[c][i] : "", cells[c].ink});
      add_line(part);
    }
  };
  std::vector<TableCell> titles, rule;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    titles.push_back({columns_[c].title, Ink::bold});
    rule.push_back({"", Ink::faint});
    for (std::size_t i = 0; i < widths[c]; ++i) rule[c].text += "─";
  }
  add_wrapped(titles);
  add_line(rule);
  for (const auto& row : rows_) {
    if (row.size() == 1)
      out += inked(row[0], colour) + '\n';
    else if (row.empty())
      add_line(rule);
    else
      add_wrapped(row);
  }
  return out;
}

std::string TextTable::to_text(bool colour) const { return as_table(colour, column_widths()); }

std::string TextTable::to_text(bool colour, std::size_t columns) const {
  const std::vector<std::size_t> widths = widths_that_fit(columns);
  return widths.empty() ? as_lists(colour, columns) : as_table(colour, widths);
}

}  // namespace locus
