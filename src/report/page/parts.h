// The parts that sections of the page are put together from.
#pragma once

#include <string>
#include <vector>

#include "report/html.h"

namespace locus {

// Text in which names between backquotes are schemes: "`rope` is best".
Html prose(const std::string& words);

// A paragraph of it.
Html paragraph(const std::string& words);

// A part of the page under a heading of its own; left out when it is empty.
struct Section {
  std::string id, heading;
  std::vector<Html> content;
};

Html section_element(const Section& section);

// Figures side by side, as many as there is room for.
Html chart_row(const std::vector<Figure>& figures);

struct PageTable {
  struct Column {
    std::string name;
    bool numeric = true;
  };
  struct Row {
    std::string series;       // the scheme it is about, if any
    std::vector<Html> cells;  // the first names the row
  };
  std::string caption;
  std::vector<Column> columns = {};
  std::vector<Row> rows = {};
};

Html table(const PageTable& table);

// What a chart shows, as tables that open on demand.
Html as_tables(const std::vector<PageTable>& tables);

// A mean, and the seeds behind it in small.
Html with_seeds(const std::vector<double>& seeds, int decimals);

}  // namespace locus
