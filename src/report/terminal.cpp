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

}  // namespace

bool is_lively_terminal(int descriptor) {
  return ::isatty(descriptor) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

std::size_t terminal_width(int descriptor) {
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

namespace {

std::string inked(const std::string& text, Ink ink, bool colour) {
  constexpr std::array<std::string_view, 5> codes = {"", "1", "2", "32", "31"};
  const std::string_view code = codes[static_cast<std::size_t>(ink)];
  if (!colour || code.empty() || text.empty()) return text;
  return locus::text("\x1b[", code, 'm', text, "\x1b[0m");
}

// Collects the cells of one line. Spaces are put in front of the next text only, so none are left at the end.
class Line {
 public:
  Line(std::string& out, bool colour) : out_(out), colour_(colour) {}

  void add(const TableCell& cell, std::size_t width, Align align) {
    if (!first_) spaces_ += 2;
    first_ = false;
    const std::string shown = printable(cell.text);
    const std::size_t space = width - display_width(shown);
    if (align == Align::right) spaces_ += space;
    if (!shown.empty()) {
      out_.append(spaces_, ' ');
      out_ += inked(shown, cell.ink, colour_);
      spaces_ = 0;
    }
    if (align == Align::left) spaces_ += space;
  }

 private:
  std::string& out_;
  bool colour_;
  bool first_ = true;
  std::size_t spaces_ = 0;
};

}  // namespace

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
    std::size_t width = display_width(printable(columns_[c].title));
    for (const auto& row : rows_)
      if (row.size() > 1) width = std::max(width, display_width(printable(row[c].text)));
    widths.push_back(width);
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
  const auto add_line = [&](auto cell_of_column) {
    Line line(out, colour);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      line.add(cell_of_column(c), widths[c], columns_[c].align);
    out += '\n';
  };
  const auto rule = [&](std::size_t c) {
    std::string dashes;
    for (std::size_t i = 0; i < widths[c]; ++i) dashes += "─";
    return TableCell(dashes, Ink::faint);
  };
  add_line([&](std::size_t c) { return TableCell(columns_[c].title, Ink::bold); });
  add_line(rule);
  for (const auto& row : rows_) {
    if (row.empty())
      add_line(rule);
    else if (row.size() == 1)
      out += inked(printable(row[0].text), row[0].ink, colour) + '\n';
    else
      add_line([&](std::size_t c) { return row[c]; });
  }
  return out;
}

}  // namespace locus
