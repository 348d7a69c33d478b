// How many steps it took to solve each task.
#include <algorithm>

#include "base/text.h"
#include "report/dot_plot.h"
#include "report/measure.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

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
