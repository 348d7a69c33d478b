// The terminal: what it can show, and tables for it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace locus {

// Whether to use colour and move the cursor: the descriptor is a terminal, not a dumb one, and NO_COLOR
// (no-color.org) is not set.
bool is_lively_terminal(int descriptor);

// In columns; 80 when the terminal does not say.
std::size_t terminal_width(int descriptor);
// Of standard output if it is a terminal; otherwise no line is too long.
std::size_t output_width();

// A table for the terminal:
//
//   TextTable table({{"scheme"}, {"accuracy", Align::right}});
//   table.add_row({"rope", {"99.8", Ink::good}});
//   std::string out = table.to_text(is_lively_terminal(STDOUT_FILENO));
//
//   scheme  accuracy
//   ──────  ────────
//   rope        99.8

enum class Align { left, right };
enum class Ink { plain, bold, faint, good, bad };

struct TableColumn {
  std::string title;
  Align align = Align::left;
};

struct TableCell {
  std::string text;
  Ink ink = Ink::plain;

  TableCell(const char* t) : text(t) {}
  TableCell(std::string t, Ink i = Ink::plain) : text(std::move(t)), ink(i) {}
};

// The text of the cell, printable; with `colour` in its ink.
std::string inked(const TableCell& cell, bool colour);

class TextTable {
 public:
  // At least two columns.
  explicit TextTable(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

  // Missing cells at the end stay empty. Throws Error when there are more cells than columns.
  void add_row(std::vector<TableCell> cells);
  void add_rule();                   // a line between the rows before and after
  void add_heading(TableCell cell);  // a line of its own, of any length

  // Each column is as wide as its widest text; control characters print as '?'. No line ends in spaces.
  // Without `colour`, inks have no effect.
  std::string to_text(bool colour) const;

  // The same in at most this many columns: titles, and texts in left columns, are wrapped between words; where that is
  // not enough, each row becomes a list of titles and texts. Words and the cells of right columns are never broken.
  std::string to_text(bool colour, std::size_t columns) const;

  std::size_t width() const;  // of the longest line, headings aside

 private:
  std::vector<std::size_t> column_widths() const;
  std::vector<std::size_t> widths_that_fit(std::size_t columns) const;
  std::string as_lists(bool colour, std::size_t columns) const;
  std::string as_table(bool colour, const std::vector<std::size_t>& widths) const;

  std::vector<TableColumn> columns_;
  std::vector<std::vector<TableCell>> rows_;  // an empty row is a rule; one of a single cell, a heading
};

}  // namespace locus
