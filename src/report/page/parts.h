// The sections of the page, and their building blocks.
#pragma once

#include <string>
#include <vector>

#include "ablation/result_rows.h"
#include "draw/html.h"
#include "report/grid.h"
#include "report/study.h"

namespace locus {

// Text in which schemes stand between backquotes: "`rope` is best".
Html prose(const std::string& words);
Html paragraph(const std::string& words);

// A part of the page with a heading. It is left out when it has no content.
struct Section {
  std::string id, heading;
  std::vector<Html> content;
};
Html section_element(const Section& section);

// For content that may be wider than the screen: it scrolls, by keyboard as well.
std::vector<Attribute> scrolling(const std::string& label);
Html scrolling_table(const std::string& caption, const std::vector<Attribute>& attributes,
                     const std::vector<Html>& heads, const std::vector<Html>& rows);

struct PageTable {
  struct Column {
    std::string name;
    bool numeric = true;
  };
  struct Row {
    std::string series;       // its scheme, if any
    std::vector<Html> cells;  // the first is the row's name
  };
  std::string caption;
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
};
Html table(const PageTable& table);

// What the reader can open: anything, or tables such as the numbers of a chart.
Html folded(const std::string& summary, const Html& content);
Html as_tables(const std::string& summary, const std::vector<PageTable>& tables);

// What every page of Locus looks like, and what the page of an ablation does in a browser: page.css and page.js, which
// the Makefile puts into the program.
std::string page_style();        // CSS, with the colours of figures as variables and their dark counterparts
std::string_view page_script();  // values on hover, one scheme brought forward, other lengths, a guess

// For sentences.
std::string list_of(const std::vector<std::string>& items);  // "a", "a and b", "a, b and c"
// "a, b, c, d and 4 more"; never "and 1 more", which would be no shorter than the name.
std::string some_of(const std::vector<std::string>& items, std::size_t most = 4);
std::string some_clauses(const std::vector<std::string>& items);       // "a on b; c on d; 3 more"
std::string counted(std::size_t count, const std::string& thing);      // "1 task", "3 tasks"
std::string code(const std::string& name);                             // "`rope`"
std::string percent(double share);                                     // "52 %", "−11 %"
std::string from_to(const std::string& low, const std::string& high);  // "2 to 12"; "12" when both are
std::string tokens(const RowAtLength& at);  // "12 tokens"; of a table of examples, "held-out rows"

// A column of text beside a grid.
struct GridColumn {
  std::string name;
  std::vector<Html> values;  // row by row
};
Html grid_table(const ChartGrid& grid, const std::string& label, const std::vector<GridColumn>& more);

Section perplexity_section(const Study& study);  // of texts
Html accuracy_grids(const Study& study);         // the picture of the page, and its numbers

// The sections below it. Each is empty when there are no numbers for it.
Section training_section(const Study& study);  // learning curves, steps to solve, size and speed
Section control_section(const Study& study);   // every difference from the control, with its interval
Section settings_section(const Study& study);  // and how to make it again

}  // namespace locus
