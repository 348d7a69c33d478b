// How each scheme learned each task, and at what cost: a grid like that of the accuracies, over the steps of training.
#include <algorithm>
#include <cmath>

#include "ablation/statistics.h"
#include "base/text.h"
#include "io/format.h"
#include "report/page/parts.h"
#include "report/text_study.h"
#include "train/trainer.h"

namespace locus {

namespace {

int last_step(const ResultRow& row) {
  int last = std::ranges::max(row.steps);  // of seeds that did not solve it, too, as the number counts them
  for (const Curve& curve : row.curves) last = std::max(last, curve.step.back());
  return last;
}

// Of a text the loss, mean over seeds, as a share of the highest among these rows.
void add_text_training(const ResultRow& row, int end, double highest, ChartCell& cell) {
  if (row.curves.empty()) return;
  cell.x = {0, static_cast<double>(end)};
  for (std::size_t i = 0; i < row.curves.front().step.size(); ++i) {
    std::vector<double> losses;
    for (const Curve& curve : row.curves)
      if (i < curve.loss.size() && std::isfinite(curve.loss[i])) losses.push_back(curve.loss[i]);
    if (losses.empty()) break;  // all have diverged
    cell.line.push_back({static_cast<double>(row.curves.front().step[i]), mean(losses) / highest});
  }
  if (cell.line.empty()) return;
  const double last = highest * cell.line.back().y;
  cell.label = perplexity_text(std::exp(last));
  cell.says = str(row.name(), " on ", row.task, ": in the last steps of training loss ", fixed(last, 3),
                  ", perplexity ", cell.label);
}

void add_training(const ResultRow& row, int end, ChartCell& cell) {
  if (end == 0) return;
  cell.x = {0, static_cast<double>(end)};
  if (!row.curves.empty()) {
    const Curve& longest =
        std::ranges::max(row.curves, {}, [](const Curve& curve) { return curve.step.back(); });
    for (const int step : longest.step)
      cell.line.push_back({static_cast<double>(step), mean_accuracy(row.curves, step)});
  }
  for (const double steps : row.steps_to_solve) cell.dots.push_back({steps, row.curves.empty() ? 0.5 : 1});
  const std::size_t solved = row.steps_to_solve.size(), seeds = row.seed.size();
  cell.label = solved == 0      ? "–"
               : solved < seeds ? str(solved, " of ", seeds)
                                : with_separators(std::lround(mean(row.steps_to_solve)));
  std::vector<std::string> each;
  for (const double steps : row.steps_to_solve) each.push_back(fixed(steps, 0));
  cell.says = str(row.name(), " on ", row.task, ": solved in ", solved, " of ", counted(seeds, "seed"),
                  each.empty() ? "" : str(", after ", join(each, " "), " steps"));
}

// "26,122", or "26,122 to 42,506" when a scheme has other sizes on other tasks.
std::string parameters_text(const std::vector<const ResultRow*>& rows) {
  const auto [least, most] = std::ranges::minmax(rows, {}, &ResultRow::parameters);
  return from_to(with_separators(least->parameters), with_separators(most->parameters));
}

// Milliseconds per step, over all cells of these rows that were timed.
std::string pace_text(const std::vector<const ResultRow*>& rows) {
  double seconds = 0, steps = 0;
  for (const ResultRow* row : rows) {
    seconds += row->training_seconds;
    steps += row->timed_steps;
  }
  return steps > 0 ? fixed(1000 * seconds / steps, 2) : "–";
}

}  // namespace

Section training_section(const Study& study) {
  const bool texts = std::ranges::any_of(study.views, &ModelRows::is_text),
             tasks = !std::ranges::all_of(study.views, &ModelRows::is_text);
  std::vector<std::string> words;
  if (tasks && study.have_curves()) words.push_back("Line: accuracy by step of training.");
  if (tasks)
    words.push_back(str(
        "Dots, and the number: the steps until ", in_percent(solved_accuracy),
        "\u00a0% of fresh examples were answered without a mistake, for each seed and on average; \"4 of 5\" "
        "where only some seeds did."));
  if (texts && study.have_curves())
    words.push_back(
        "For texts, line: loss by step of training, from 0 to the highest; number: the perplexity of the last steps.");
  if (study.have_times())
    words.push_back("Milliseconds compare with each other only, within one machine and hour.");
  std::vector<Html> parts = {paragraph(join(words, " "))};
  bool shows_any = study.have_curves();
  for (const ResultRow& row : study.rows) shows_any |= !row.steps_to_solve.empty();
  if (!shows_any) return {};
  for (const ModelRows& view : study.views) {
    ChartGrid grid = empty_grid(view, study.control);
    for (const std::string& task : view.tasks) {
      int end = 0;
      for (const ResultRow* row : view.of_task(task)) end = std::max(end, last_step(*row));
      double highest = 0;  // loss
      for (const ResultRow* row : view.of_task(task))
        for (const Curve& curve : row->curves)
          for (const double loss : curve.loss)
            if (std::isfinite(loss)) highest = std::max(highest, loss);
      std::ranges::find(grid.columns, task, &ChartGrid::Name::name)->note =
          end > 0 ? str("0 to ", with_separators(end), " steps") : "";
      for (const ResultRow* row : view.of_task(task))
        if (row->is_text)
          add_text_training(*row, end, highest, cell_of(grid, *row));
        else
          add_training(*row, end, cell_of(grid, *row));
    }
    for (ChartGrid::Name& row : grid.rows) row.note.clear();
    std::vector<GridColumn> cost = {{"parameters", {}}, {"ms per step", {}}};
    for (const ChartGrid::Name& row : grid.rows) {
      cost[0].values.push_back(parameters_text(view.of_scheme(row.name)));
      cost[1].values.push_back(pace_text(view.of_scheme(row.name)));
    }
    if (!study.have_times()) cost.pop_back();
    parts.push_back(grid_table(grid, str("Training of ", view.model, "s by scheme and task"), cost));
  }
  return {"training", "Training and cost", parts};
}

}  // namespace locus
