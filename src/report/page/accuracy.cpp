// Accuracy by length of the input.
#include "ablation/statistics.h"
#include "base/text.h"
#include "report/accuracy_figure.h"
#include "report/format.h"
#include "report/measure.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

namespace {

PageTable::Row reference_row(const char* name, const Summary& row,
                             std::optional<double> LengthSummary::*value) {
  PageTable::Row out{"", {name}};
  for (const LengthSummary& at : row.by_length) out.cells.push_back(at.*value ? fixed(*(at.*value), 3) : "–");
  return out;
}

PageTable accuracy_table(const ModelRows& view, const std::string& task) {
  const std::vector<const Summary*> rows = view.of_task(task);
  const Summary& first = *rows.front();
  PageTable out{.caption = text(task, ", ", view.model, ": ", measure_name(first),
                                ", mean and every seed, by length of the input; * trained on"),
                .columns = {{"scheme", false}}};
  for (const LengthSummary& at : first.by_length)
    out.columns.push_back({text(at.length, at.trained ? "*" : "")});
  for (const Summary* row : rows) {
    out.rows.push_back({row->name(), {row->name()}});
    for (const LengthSummary& at : row->by_length)
      out.rows.back().cells.push_back(with_seeds(row->accuracy(at), 3));
  }
  if (!view.generates) {
    out.rows.push_back(reference_row("order-blind ceiling", first, &LengthSummary::order_blind_ceiling));
    out.rows.push_back(reference_row("no-input baseline", first, &LengthSummary::no_input_baseline));
  }
  return out;
}

}  // namespace

Section accuracy_section(const Study& study) {
  std::string words =
      "A line is the mean over seeds, a small dot one seed. The dotted upright marks the longest length "
      "trained on";
  if (study.has(&LengthSummary::order_blind_ceiling))
    words += "; the broad grey line is the order-blind ceiling";
  if (study.has(&LengthSummary::no_input_baseline))
    words += "; the fine dotted line is what can be had without reading the input";
  std::vector<Html> parts = {paragraph(words + '.')};
  std::vector<PageTable> tables;
  for (const ModelRows& view : study.views) {
    parts.push_back(chart_row(accuracy_panels(view.rows, study.schemes)));
    for (const std::string& task : view.tasks) tables.push_back(accuracy_table(view, task));
  }
  parts.push_back(as_tables(tables));
  return {"accuracy", "Accuracy by length of the input", parts};
}

}  // namespace locus
