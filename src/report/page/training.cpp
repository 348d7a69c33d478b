#include <algorithm>
#include <map>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/charts.h"
#include "ablation/judgement.h"
#include "report/format.h"
#include "report/page/parts.h"

namespace locus {

// How accuracy grew while the models were trained.

namespace {

std::vector<double> accuracies_at(const std::vector<Curve>& curves, int step) {
  std::vector<double> values;
  for (const Curve& curve : curves) values.push_back(curve.accuracy_at(step));
  return values;
}

// To the end of its longest run.
Series series_of(const std::vector<Curve>& curves, const std::string& name, std::size_t style) {
  Series series{.name = name, .samples = {}, .style = style};
  const Curve& longest = std::ranges::max(curves, {}, [](const Curve& curve) { return curve.step.back(); });
  for (const int step : longest.step) {
    const std::vector<double> values = accuracies_at(curves, step);
    series.samples.push_back({static_cast<double>(step), mean(values), smallest(values), largest(values)});
  }
  return series;
}

std::optional<Figure> figure_of(const Study& study, const ModelRows& view, const std::string& task) {
  LineChart chart{.title = task,
                  .x_label = "step",
                  .y_label = measure_name(*view.rows.front()),
                  .series = {},
                  .y_range = Range{0, 1},
                  .labels = LineChart::Labels::none,
                  .width = 360,
                  .height = 260};
  for (const Summary* row : view.of_task(task))
    if (!row->curves.empty())
      chart.series.push_back(series_of(row->curves, row->name(), study.place(row->name())));
  if (chart.series.empty()) return {};
  return line_chart(chart);
}

// At a quarter of the way, at half ... of the longest run of the task.
std::optional<PageTable> learning_table(const ModelRows& view, const std::string& task) {
  int last = 0;
  for (const Summary* row : view.of_task(task))
    for (const Curve& curve : row->curves) last = std::max(last, curve.step.back());
  if (last == 0) return {};
  PageTable out{.caption = text(task, ", ", view.model, ": ", measure_name(*view.rows.front()),
                                " while training, by step; mean and every seed"),
                .columns = {{"scheme", false}}};
  std::vector<int> steps;
  for (int quarter = 1; quarter <= 4; ++quarter) steps.push_back(static_cast<int>(quarter * (last / 4.0)));
  for (const int step : steps) out.columns.push_back({text(step)});
  for (const Summary* row : view.of_task(task)) {
    if (row->curves.empty()) continue;
    out.rows.push_back({row->name(), {row->name()}});
    for (const int step : steps)
      out.rows.back().cells.push_back(with_seeds(accuracies_at(row->curves, step), 2));
  }
  return out;
}

}  // namespace

Section learning_section(const Study& study) {
  std::vector<Html> rows;
  std::vector<PageTable> tables;
  for (const ModelRows& view : study.views) {
    std::vector<Figure> figures;
    for (const std::string& task : view.tasks) {
      if (const auto figure = figure_of(study, view, task)) figures.push_back(*figure);
      if (const auto one = learning_table(view, task)) tables.push_back(*one);
    }
    if (!figures.empty()) rows.push_back(chart_row(figures));
  }
  if (rows.empty()) return {};
  std::vector<Html> parts = {paragraph(
      "Accuracy on fresh examples of the longest length trained on: the mean over seeds, and a band from "
      "the worst to the best. A run that solved its task and ended is taken to stay where it was.")};
  parts.insert(parts.end(), rows.begin(), rows.end());
  parts.push_back(as_tables(tables));
  return {"learning", "Learning curves", parts};
}

// How many steps it took to solve each task.

namespace {

std::string solved_text(const Summary& row) { return text(row.steps_to_solve.size(), " of ", row.seeds()); }

Figure plot_of(const Study& study, const ModelRows& view, const std::string& task) {
  DotPlot plot{.title = task, .x_label = "steps", .note_label = "solved"};
  for (const Summary* row : view.of_task(task))
    plot.rows.push_back({row->name(), study.place(row->name()), row->steps_to_solve, solved_text(*row)});
  return dot_plot(plot);
}

PageTable steps_table(const ModelRows& view, const std::string& task) {
  PageTable out{.caption = text(task, ", ", view.model, ": steps to solve, mean and every seed that did"),
                .columns = {{"scheme", false}, {"seeds that solve it"}, {"steps"}}};
  for (const Summary* row : view.of_task(task))
    out.rows.push_back({row->name(), {row->name(), solved_text(*row), with_seeds(row->steps_to_solve, 0)}});
  return out;
}

}  // namespace

Section steps_section(const Study& study) {
  const bool any =
      std::ranges::any_of(study.rows, [](const Summary& row) { return !row.steps_to_solve.empty(); });
  if (!any) return {};
  std::vector<Html> parts = {
      paragraph("A seed has solved a task when 99\u00a0% of fresh examples are answered without a mistake. "
                "Each mark is "
                "a seed, the upright their mean.")};
  std::vector<PageTable> tables;
  for (const ModelRows& view : study.views) {
    std::vector<Figure> figures;
    for (const std::string& task : view.tasks) {
      figures.push_back(plot_of(study, view, task));
      tables.push_back(steps_table(view, task));
    }
    parts.push_back(chart_row(figures));
  }
  parts.push_back(as_tables(tables));
  return {"steps", "Steps to solve", parts};
}

}  // namespace locus
