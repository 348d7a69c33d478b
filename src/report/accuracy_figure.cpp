#include <algorithm>

#include "ablation/judgement.h"
#include "ablation/statistics.h"
#include "base/error.h"
#include "report/charts.h"
#include "report/figures.h"

namespace locus {

namespace {

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

// `rows`: all of one task and model.
LineChart chart_of(const std::vector<const Summary*>& rows, const std::vector<std::string>& schemes) {
  const Summary& first = *rows.front();
  LineChart chart = accuracy_chart(first.task, "length of the input", first);
  Series ceiling{.name = "order-blind ceiling", .samples = {}, .role = Series::Role::ceiling};
  Series baseline{.name = "no-input baseline", .samples = {}, .role = Series::Role::baseline};
  for (const LengthSummary& at : first.by_length) {
    const auto length = static_cast<double>(at.length);
    if (at.order_blind_ceiling) ceiling.samples.push_back({length, *at.order_blind_ceiling});
    if (at.no_input_baseline && !first.generates) baseline.samples.push_back({length, *at.no_input_baseline});
    if (at.trained) chart.vertical_lines = {{length, "trained"}};  // the longest such length
  }
  for (const Series& reference : {ceiling, baseline})  // drawn first, behind the others
    if (!reference.samples.empty()) chart.series.push_back(reference);
  for (const Summary* row : rows)
    chart.series.push_back(accuracy_of(
        *row, static_cast<std::size_t>(std::ranges::find(schemes, row->name()) - schemes.begin())));
  return chart;
}

// One for each task and model, in the order of the rows.
std::vector<LineChart> charts_of(const std::vector<const Summary*>& rows,
                                 const std::vector<std::string>& schemes) {
  std::vector<std::vector<const Summary*>> groups;
  for (const Summary* row : rows) {
    if (row->by_length.size() < 2 || row->dataset) continue;
    auto group = std::ranges::find_if(groups, [&](const auto& one) {
      return one.front()->task == row->task && one.front()->model == row->model;
    });
    if (group == groups.end()) group = groups.emplace(group);
    group->push_back(row);
  }
  std::vector<LineChart> charts;
  for (const auto& group : groups) charts.push_back(chart_of(group, schemes));
  return charts;
}

}  // namespace

LineChart accuracy_chart(const std::string& title, const std::string& x_label, const Summary& row) {
  return {.title = title,
          .x_label = x_label,
          .y_label = measure_name(row),
          .series = {},
          .y_range = Range{0, 1},
          .labels = LineChart::Labels::none,
          .width = 360,
          .height = 260};
}

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
  std::vector<Figure> figures = accuracy_panels(rows, schemes);
  if (figures.empty())
    fail("report", "no task was tested at two or more lengths, so there is no curve to draw");
  std::vector<Series> series;  // of all panels together
  for (const LineChart& chart : charts_of(rows, schemes))
    for (const Series& one : chart.series)
      if (!std::ranges::count(series, one.name, &Series::name)) series.push_back(one);
  figures.push_back(line_chart_key(series, 360));
  return panels("Accuracy by length of the input, a dot for each seed; the marked length was trained on",
                figures, std::min<std::size_t>(3, figures.size()));
}

}  // namespace locus
