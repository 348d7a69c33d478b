// Accuracy by length of the input.
#include <cmath>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/accuracy_figure.h"
#include "report/format.h"
#include "report/measure.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

namespace {

Table table_of(const View& view, const std::string& task) {
  const std::vector<const Summary*> rows = view.of_task(task);
  const Summary& first = *rows.front();
  Table out{.caption = text(task, ", ", view.model, ": ", measure_name(first),
                            ", mean and every seed, by length of the input; * trained on"),
            .columns = {{"scheme", false}}};
  for (const LengthSummary& at : first.by_length)
    out.columns.push_back({text(at.length, at.trained ? "*" : "")});
  Table::Row ceilings{"", {"order-blind ceiling"}};
  for (const LengthSummary& at : first.by_length)
    ceilings.cells.push_back(at.order_blind_ceiling ? fixed(*at.order_blind_ceiling, 3) : "–");
  for (const Summary* row : rows) {
    out.rows.push_back({row_name(*row), {row_name(*row)}});
    for (const LengthSummary& at : row->by_length)
      out.rows.back().cells.push_back(with_seeds(accuracy(*row, at), 3));
  }
  if (!view.generates) out.rows.push_back(ceilings);
  return out;
}

}  // namespace

Html accuracy_section(const Study& study) {
  std::vector<Html> parts = {paragraph(
      "A line is the mean over seeds, a small dot one seed. The dotted upright marks the longest length "
      "trained on; the broad grey line is the order-blind ceiling.")};
  std::vector<Table> tables;
  for (const View& view : study.views) {
    parts.push_back(chart_row(accuracy_panels(view.rows, study.schemes)));
    for (const std::string& task : view.tasks) tables.push_back(table_of(view, task));
  }
  parts.push_back(as_tables(tables));
  return section("accuracy", "Accuracy by length of the input", parts);
}

}  // namespace locus
