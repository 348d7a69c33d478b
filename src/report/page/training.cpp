// Two sections: accuracy during training, and the number of steps to solve each task.
#include <algorithm>

#include "ablation/judgement.h"
#include "ablation/statistics.h"
#include "base/text.h"
#include "report/charts.h"
#include "report/figures.h"
#include "report/page/parts.h"

namespace locus {

namespace {

// One per seed.
std::vector<double> accuracies_at(const std::vector<Curve>& curves, int step) {
  std::vector<double> values;
  for (const Curve& curve : curves) values.push_back(curve.accuracy_at(step));
  return values;
}

// The mean over seeds with the range of the seeds, to the end of the longest run.
Series series_of(const std::vector<Curve>& curves, const std::string& name, std::size_t style) {
  Series series{.name = name, .samples = {}, .style = style};
  const Curve& longest = std::ranges::max(curves, {}, [](const Curve& curve) { return curve.step.back(); });
  for (const int step : longest.step) {
    const std::vector<double> values = accuracies_at(curves, step);
    series.samples.push_back({static_cast<double>(step), mean(values), smallest(values), largest(values)});
  }
  return series;
}

// At four steps: a quarter of the longest run of the task, half of it ...
PageTable learning_table(const ModelRows& view, const std::string& task, int last_step) {
  PageTable out{.caption = text(task, ", ", view.model, ": ", measure_name(*view.rows.front()),
                                " while training, by step; mean and every seed"),
                .columns = {{"scheme", false}}};
  std::vector<int> steps;
  for (int quarter = 1; quarter <= 4; ++quarter)
    steps.push_back(static_cast<int>(quarter * (last_step / 4.0)));
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
  std::vector<Html> parts = {paragraph(
      "Accuracy on fresh examples of the longest length trained on: the mean over seeds, and a band from "
      "the worst to the best. A run that solved its task and ended is taken to stay where it was.")};
  std::vector<PageTable> tables;
  for (const ModelRows& view : study.views) {
    std::vector<Figure> figures;
    for (const std::string& task : view.tasks) {
      LineChart chart = accuracy_chart(task, "step", *view.rows.front());
      int last_step = 0;
      for (const Summary* row : view.of_task(task)) {
        for (const Curve& curve : row->curves) last_step = std::max(last_step, curve.step.back());
        if (!row->curves.empty())
          chart.series.push_back(series_of(row->curves, row->name(), study.place(row->name())));
      }
      if (chart.series.empty()) continue;
      figures.push_back(line_chart(chart));
      tables.push_back(learning_table(view, task, last_step));
    }
    if (!figures.empty()) parts.push_back(chart_row(figures));
  }
  if (tables.empty()) return {};
  parts.push_back(as_tables(tables));
  return {"learning", "Learning curves", parts};
}

Section steps_section(const Study& study) {
  if (std::ranges::all_of(study.rows, [](const Summary& row) { return row.steps_to_solve.empty(); }))
    return {};
  std::vector<Html> parts = {
      paragraph("A seed has solved a task when 99\u00a0% of fresh examples are answered without a mistake. "
                "Each mark is a seed, the upright their mean.")};
  std::vector<PageTable> tables;
  for (const ModelRows& view : study.views) {
    std::vector<Figure> figures;
    for (const std::string& task : view.tasks) {
      DotPlot plot{.title = task, .x_label = "steps", .note_label = "solved"};
      PageTable table{
          .caption = text(task, ", ", view.model, ": steps to solve, mean and every seed that did"),
          .columns = {{"scheme", false}, {"seeds that solve it"}, {"steps"}}};
      for (const Summary* row : view.of_task(task)) {
        const std::string name = row->name(), seeds = text(row->steps_to_solve.size(), " of ", row->seeds());
        plot.rows.push_back({name, study.place(name), row->steps_to_solve, seeds});
        table.rows.push_back({name, {name, seeds, with_seeds(row->steps_to_solve, 0)}});
      }
      figures.push_back(dot_plot(plot));
      tables.push_back(table);
    }
    parts.push_back(chart_row(figures));
  }
  parts.push_back(as_tables(tables));
  return {"steps", "Steps to solve", parts};
}

}  // namespace locus
