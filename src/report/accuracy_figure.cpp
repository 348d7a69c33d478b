#include "report/accuracy_figure.h"

#include <algorithm>

#include "ablation/statistics.h"
#include "base/error.h"
#include "report/line_chart.h"

namespace locus {

namespace {

// All rows of one task and model, in the order of the results.
struct Panel {
  std::string task, model;
  std::vector<const Summary*> rows;
};

std::vector<Panel> panels_of(const std::vector<Summary>& summaries) {
  std::vector<Panel> found;
  for (const Summary& summary : summaries) {
    if (summary.by_length.size() < 2 || summary.dataset) continue;
    auto panel = std::ranges::find_if(
        found, [&](const Panel& p) { return p.task == summary.task && p.model == summary.model; });
    if (panel == found.end()) panel = found.insert(panel, {summary.task, summary.model, {}});
    panel->rows.push_back(&summary);
  }
  return found;
}

Series accuracy_of(const Summary& row, std::size_t style) {
  Series series{.name = row.name(), .samples = {}, .style = style};
  for (const LengthSummary& at : row.by_length) {
    const auto& values = row.accuracy(at);
    const double middle = mean(values), spread = sample_standard_deviation(values).value_or(0);
    series.samples.push_back({static_cast<double>(at.length), middle, middle - spread, middle + spread});
  }
  return series;
}

LineChart chart_of(const Panel& panel, const std::vector<std::string>& names) {
  LineChart chart{.title = panel.task,
                  .x_label = "length of the input",
                  .y_label = panel.rows.front()->generates() ? "exact match" : "token accuracy",
                  .series = {},
                  .y_range = Range{0, 1},
                  .spread = LineChart::Spread::bars,
                  .labels = LineChart::Labels::none,
                  .width = 360,
                  .height = 260};
  Series ceiling{.name = "order-blind ceiling", .samples = {}, .reference = true};
  for (const Summary* row : panel.rows)
    chart.series.push_back(
        accuracy_of(*row, static_cast<std::size_t>(std::ranges::find(names, row->name()) - names.begin())));
  for (const LengthSummary& at : panel.rows.front()->by_length) {
    if (at.order_blind_ceiling)
      ceiling.samples.push_back({static_cast<double>(at.length), *at.order_blind_ceiling});
    if (at.trained)
      chart.vertical_lines = {{static_cast<double>(at.length), "trained"}};  // the longest such length
  }
  if (!ceiling.samples.empty()) chart.series.insert(chart.series.begin(), ceiling);  // behind the others
  return chart;
}

}  // namespace

Figure accuracy_figure(const std::vector<Summary>& summaries) {
  const std::vector<Panel> found = panels_of(summaries);
  if (found.empty())
    fail("report", "no task was tested at two or more lengths, so there is no curve to draw");
  std::vector<std::string> names;
  for (const Panel& panel : found)
    for (const Summary* row : panel.rows)
      if (!std::ranges::count(names, row->name())) names.push_back(row->name());
  std::vector<Figure> figures;
  LineChart key{
      .title = "", .x_label = "", .y_label = "", .series = {}};  // of whatever is in any of the panels
  for (const Panel& panel : found) {
    const LineChart chart = chart_of(panel, names);
    for (const Series& series : chart.series)
      if (!std::ranges::count(key.series, series.name, &Series::name)) key.series.push_back(series);
    figures.push_back(line_chart(chart));
  }
  figures.push_back(line_chart_key(key, 360));
  return panels("Accuracy by length of the input: trained at the marked length, tested there and beyond",
                figures, std::min<std::size_t>(3, figures.size()));
}

}  // namespace locus
