// Two sections: accuracy by scheme and task, at the length trained on and at the longest input; and
// accuracy by length of the input.
#include <algorithm>
#include <cmath>

#include "ablation/judgement.h"
#include "ablation/statistics.h"
#include "base/text.h"
#include "report/charts.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/page/parts.h"

namespace locus {

namespace {

using LengthOf = std::optional<LengthSummary> (*)(const Summary&);

// The mean accuracy of this scheme, or the value of the reference of this name; NaN when there is none.
double value(const ModelRows& view, const std::string& name, const std::string& task, LengthOf length_of) {
  for (const Summary* row : view.of_task(task))
    if (const auto at = length_of(*row)) {
      if (row->name() == name) return mean(row->accuracy(*at));
      for (const Reference& reference : references)
        if (name == reference.name && *at.*reference.value) return *(*at.*reference.value);
    }
  return NAN;
}

std::vector<double> values(const ModelRows& view, const std::string& name,
                           const std::vector<std::string>& tasks, LengthOf length_of) {
  std::vector<double> found;
  for (const std::string& task : tasks) found.push_back(value(view, name, task, length_of));
  return found;
}

// The schemes, then the references that have a value on any task.
std::vector<std::string> names_of(const ModelRows& view, LengthOf length_of) {
  std::vector<std::string> names = view.schemes;
  if (view.generates) return names;
  for (const Reference& reference : references)
    if (std::ranges::any_of(values(view, reference.name, view.tasks, length_of),
                            [](double v) { return std::isfinite(v); }))
      names.push_back(reference.name);
  return names;
}

// Nothing when no row was tested at such a length.
void add_map(std::vector<Figure>& figures, const ModelRows& view, LengthOf length_of,
             const std::string& title) {
  std::vector<std::string> tasks = view.tasks;
  std::erase_if(tasks, [&](const std::string& task) {
    return std::ranges::none_of(view.of_task(task),
                                [&](const Summary* row) { return length_of(*row).has_value(); });
  });
  if (tasks.empty()) return;
  const std::vector<std::string> names = names_of(view, length_of);
  // Both maps of a view have this width, which leaves room for a number in each cell.
  const double width = widest(names) + 32 * static_cast<double>(view.tasks.size()) + 110;
  HeatMap map{.title = title,
              .rows = names.size(),
              .columns = tasks.size(),
              .values = {},
              .row_axis = {"", names},
              .column_axis = {"", tasks},
              .value_label = measure_name(*view.rows.front()),
              .range = Range{0, 1},
              .width = std::max(420.0, width)};
  for (const std::string& name : names)
    for (const double v : values(view, name, tasks, length_of)) map.values.push_back(v);
  figures.push_back(heat_map(map));
}

PageTable map_table(const ModelRows& view) {
  PageTable out{.caption = text(measure_name(*view.rows.front()),
                                ", mean over seeds: at the length trained on / at the longest input"),
                .columns = {{"scheme", false}}};
  const auto number = [](double v) { return std::isfinite(v) ? fixed(v, 2) : "–"; };
  for (const std::string& task : view.tasks) out.columns.push_back({task});
  for (const std::string& name : names_of(view, in_distribution)) {
    out.rows.push_back({std::ranges::count(view.schemes, name) > 0 ? name : "", {name}});
    for (const std::string& task : view.tasks)
      out.rows.back().cells.push_back(text(number(value(view, name, task, in_distribution)), " / ",
                                           number(value(view, name, task, out_of_distribution))));
  }
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
  if (view.generates) return out;
  for (const Reference& reference : references) {
    out.rows.push_back({"", {reference.name}});
    for (const LengthSummary& at : first.by_length)
      out.rows.back().cells.push_back(at.*reference.value ? fixed(*(at.*reference.value), 3) : "–");
  }
  return out;
}

}  // namespace

Section map_section(const Study& study) {
  std::vector<Html> parts;
  for (const ModelRows& view : study.views) {
    const std::string of = study.views.size() > 1 ? text(", ", view.model) : "";
    std::vector<Figure> maps;
    add_map(maps, view, in_distribution, "At the length trained on" + of);
    add_map(maps, view, out_of_distribution, "At the longest input" + of);
    parts.push_back(chart_row(maps));
    parts.push_back(as_tables({map_table(view)}));
  }
  return {"map", "Scheme by task", parts};
}

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
