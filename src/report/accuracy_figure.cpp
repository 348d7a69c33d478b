#include <algorithm>

#include "ablation/statistics.h"
#include "base/error.h"
#include "report/charts.h"
#include "ablation/judgement.h"
#include "report/figures.h"

namespace locus {

namespace {

// All rows of one task and model, in the order of the results.
struct Panel {
  std::string task, model;
  std::vector<const Summary*> rows;
};

std::vector<Panel> panels_of(const std::vector<const Summary*>& rows) {
  std::vector<Panel> found;
  for (const Summary* row : rows) {
    if (row->by_length.size() < 2 || row->dataset) continue;
    auto panel = std::ranges::find_if(
        found, [&](const Panel& p) { return p.task == row->task && p.model == row->model; });
    if (panel == found.end()) panel = found.insert(panel, {row->task, row->model, {}});
    panel->rows.push_back(row);
  }
  return found;
}

Series accuracy_of(const Summary& row, std::size_t style) {
  Series series{.name = row.name(), .samples = {}, .style = style};
  for (const LengthSummary& at : row.by_length) {
    const std::vector<double>& values = row.accuracy(at);
    const auto length = static_cast<double>(at.length);
    series.samples.push_back({length, mean(values)});
    for (const double value : values) series.dots.push_back({length, value});
  }
  return series;
}

LineChart chart_of(const Panel& panel, const std::vector<std::string>& schemes) {
  LineChart chart{.title = panel.task,
                  .x_label = "length of the input",
                  .y_label = measure_name(*panel.rows.front()),
                  .series = {},
                  .y_range = Range{0, 1},
                  .labels = LineChart::Labels::none,
                  .width = 360,
                  .height = 260};
  Series ceiling{.name = "order-blind ceiling", .samples = {}, .role = Series::Role::ceiling};
  Series baseline{.name = "no-input baseline", .samples = {}, .role = Series::Role::baseline};
  for (const LengthSummary& at : panel.rows.front()->by_length) {
    const auto length = static_cast<double>(at.length);
    if (at.order_blind_ceiling) ceiling.samples.push_back({length, *at.order_blind_ceiling});
    if (at.no_input_baseline && !panel.rows.front()->generates)
      baseline.samples.push_back({length, *at.no_input_baseline});
    if (at.trained) chart.vertical_lines = {{length, "trained"}};  // the longest such length
  }
  for (const Series& reference : {ceiling, baseline})  // behind the others
    if (!reference.samples.empty()) chart.series.push_back(reference);
  for (const Summary* row : panel.rows)
    chart.series.push_back(accuracy_of(
        *row, static_cast<std::size_t>(std::ranges::find(schemes, row->name()) - schemes.begin())));
  return chart;
}

std::vector<LineChart> charts_of(const std::vector<const Summary*>& rows,
                                 const std::vector<std::string>& schemes) {
  std::vector<LineChart> charts;
  for (const Panel& panel : panels_of(rows)) charts.push_back(chart_of(panel, schemes));
  return charts;
}

}  // namespace

std::vector<Figure> accuracy_panels(const std::vector<const Summary*>& rows,
                                    const std::vector<std::string>& schemes) {
  std::vector<Figure> figures;
  for (const LineChart& chart : charts_of(rows, schemes)) figures.push_back(line_chart(chart));
  return figures;
}

Figure accuracy_figure(const std::vector<Summary>& summaries) {
  std::vector<const Summary*> rows;
  std::vector<std::string> schemes;
  for (const Summary& row : summaries) {
    rows.push_back(&row);
    if (!std::ranges::count(schemes, row.name())) schemes.push_back(row.name());
  }
  const std::vector<LineChart> charts = charts_of(rows, schemes);
  if (charts.empty())
    fail("report", "no task was tested at two or more lengths, so there is no curve to draw");
  std::vector<Figure> figures;
  LineChart key{
      .title = "", .x_label = "", .y_label = "", .series = {}};  // of whatever is in any of the panels
  for (const LineChart& chart : charts) {
    for (const Series& series : chart.series)
      if (!std::ranges::count(key.series, series.name, &Series::name)) key.series.push_back(series);
    figures.push_back(line_chart(chart));
  }
  figures.push_back(line_chart_key(key, 360));
  return panels("Accuracy by length of the input, a dot for each seed; the marked length was trained on",
                figures, std::min<std::size_t>(3, figures.size()));
}

}  // namespace locus
