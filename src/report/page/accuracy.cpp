#include <algorithm>
#include <cmath>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/charts.h"
#include "ablation/judgement.h"
#include "report/figures.h"
#include "report/format.h"
#include "report/page/parts.h"

namespace locus {

// Scheme by task: at the length trained on, and beside it at the longest input.

namespace {

using Place = std::optional<LengthSummary> (*)(const Summary&);

// What schemes are held against.
struct Reference {
  const char* name;
  std::optional<double> LengthSummary::*value;
};
constexpr Reference known_references[] = {{"order-blind ceiling", &LengthSummary::order_blind_ceiling},
                                          {"no-input baseline", &LengthSummary::no_input_baseline}};

// The map as numbers: a line for each scheme, then one for each reference, a value for each task.
struct Map {
  struct Line {
    std::string name;
    std::vector<double> values;
  };
  std::vector<std::string> tasks;  // those with a value
  std::vector<Line> lines;

  double value(const std::string& name, const std::string& task) const {
    const auto line = std::ranges::find(lines, name, &Line::name);
    const auto column = static_cast<std::size_t>(std::ranges::find(tasks, task) - tasks.begin());
    return line == lines.end() || column == tasks.size() ? NAN : line->values[column];
  }
};

double accuracy_of(const Summary* row, Place place) {
  const auto at = row ? place(*row) : std::nullopt;
  return at ? mean(row->accuracy(*at)) : NAN;
}

double reference_of(const ModelRows& view, const std::string& task, Place place, const Reference& reference) {
  for (const Summary* row : view.of_task(task))
    if (const auto at = place(*row); at && (*at).*reference.value) return *((*at).*reference.value);
  return NAN;
}

Map map_of(const ModelRows& view, Place place) {
  Map map;
  std::ranges::copy_if(view.tasks, std::back_inserter(map.tasks), [&](const std::string& task) {
    return std::ranges::any_of(view.of_task(task),
                               [&](const Summary* row) { return place(*row).has_value(); });
  });
  for (const std::string& scheme : view.schemes) {
    map.lines.push_back({scheme, {}});
    for (const std::string& task : map.tasks)
      map.lines.back().values.push_back(accuracy_of(view.find(task, scheme), place));
  }
  if (view.generates) return map;
  for (const Reference& reference : known_references) {
    Map::Line line{reference.name, {}};
    for (const std::string& task : map.tasks)
      line.values.push_back(reference_of(view, task, place, reference));
    if (std::ranges::any_of(line.values, [](double v) { return std::isfinite(v); }))
      map.lines.push_back(line);
  }
  return map;
}

Figure figure_of(const ModelRows& view, const Map& map, const std::string& title) {
  double names = 0;
  for (const Map::Line& line : map.lines) names = std::max(names, text_width(line.name, 12));
  // Maps of one view are as wide, and there is room for a number in each cell.
  const double width = names + 32 * static_cast<double>(view.tasks.size()) + 110;
  HeatMap figure{.title = title,
                 .rows = map.lines.size(),
                 .columns = map.tasks.size(),
                 .values = {},
                 .row_axis = {"", {}},
                 .column_axis = {"", map.tasks},
                 .value_label = measure_name(*view.rows.front()),
                 .range = Range{0, 1},
                 .width = std::max(420.0, width)};
  for (const Map::Line& line : map.lines) {
    figure.row_axis.names.push_back(line.name);
    figure.values.insert(figure.values.end(), line.values.begin(), line.values.end());
  }
  return heat_map(figure);
}

std::string number(double v) { return std::isfinite(v) ? fixed(v, 2) : "–"; }

PageTable map_table(const ModelRows& view, const Map& trained, const Map& beyond) {
  PageTable out{.caption = text(measure_name(*view.rows.front()),
                                ", mean over seeds: at the length trained on / at the longest input"),
                .columns = {{"scheme", false}}};
  for (const std::string& task : view.tasks) out.columns.push_back({task});
  for (const Map::Line& line : trained.lines) {
    const bool scheme = std::ranges::count(view.schemes, line.name) > 0;
    out.rows.push_back({scheme ? line.name : "", {line.name}});
    for (const std::string& task : view.tasks)
      out.rows.back().cells.push_back(
          text(number(trained.value(line.name, task)), " / ", number(beyond.value(line.name, task))));
  }
  return out;
}

Html maps(const ModelRows& view, bool named) {
  const Map trained = map_of(view, in_distribution), beyond = map_of(view, out_of_distribution);
  const std::string of = named ? text(", ", view.model) : "";
  std::vector<Figure> figures;
  if (!trained.tasks.empty()) figures.push_back(figure_of(view, trained, "At the length trained on" + of));
  if (!beyond.tasks.empty()) figures.push_back(figure_of(view, beyond, "At the longest input" + of));
  Html out = chart_row(figures);
  out += as_tables({map_table(view, trained, beyond)});
  return out;
}

}  // namespace

Section map_section(const Study& study) {
  std::vector<Html> parts;
  for (const ModelRows& view : study.views) parts.push_back(maps(view, study.views.size() > 1));
  return {"map", "Scheme by task", parts};
}

// Accuracy by length of the input.

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
