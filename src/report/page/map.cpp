// Scheme by task: at the length trained on, and beside it at the longest input.
#include <algorithm>
#include <cmath>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/format.h"
#include "report/heat_map.h"
#include "report/measure.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

namespace {

using Place = std::optional<LengthSummary> (*)(const Summary&);

// What schemes are held against.
struct Reference {
  const char* name;
  std::optional<double> LengthSummary::*value;
};
constexpr Reference references[] = {{"order-blind ceiling", &LengthSummary::order_blind_ceiling},
                                    {"no-input baseline", &LengthSummary::no_input_baseline}};

double value(const Summary* row, Place place) {
  const auto at = row ? place(*row) : std::nullopt;
  return at ? mean(row->accuracy(*at)) : NAN;
}

double reference(const View& view, const std::string& task, Place place,
                 std::optional<double> LengthSummary::*value) {
  for (const Summary* row : view.of_task(task))
    if (const auto at = place(*row); at && (*at).*value) return *((*at).*value);
  return NAN;
}

// The rows of the map: a value for each task, and how they are called.
struct Line {
  std::string name;
  std::vector<double> values;
};

bool has_value(const Line& line) {
  return std::ranges::any_of(line.values, [](double v) { return std::isfinite(v); });
}

std::vector<Line> lines(const View& view, Place place) {
  std::vector<Line> all;
  for (const std::string& scheme : view.schemes) {
    all.push_back({scheme, {}});
    for (const std::string& task : view.tasks)
      all.back().values.push_back(value(view.find(task, scheme), place));
  }
  if (view.generates) return all;
  for (const auto& [name, value] : references) {
    Line line{name, {}};
    for (const std::string& task : view.tasks) line.values.push_back(reference(view, task, place, value));
    if (has_value(line)) all.push_back(line);
  }
  return all;
}

Figure map_of(const View& view, const std::vector<Line>& all, const std::string& title) {
  HeatMap map{.title = title,
              .rows = all.size(),
              .columns = view.tasks.size(),
              .values = {},
              .row_axis = {"", {}},
              .column_axis = {"", view.tasks},
              .value_label = measure_name(*view.rows.front()),
              .range = Range{0, 1},
              .width = 530};
  for (const Line& line : all) {
    map.row_axis.names.push_back(line.name);
    map.values.insert(map.values.end(), line.values.begin(), line.values.end());
  }
  return heat_map(map);
}

std::string number(double v) { return std::isfinite(v) ? fixed(v, 2) : "–"; }

double value_of(const std::vector<Line>& all, const std::string& name, std::size_t task) {
  const auto line = std::ranges::find(all, name, &Line::name);
  return line == all.end() ? NAN : line->values[task];
}

Table table_of(const View& view, const std::vector<Line>& trained, const std::vector<Line>& beyond) {
  Table out{.caption = text(measure_name(*view.rows.front()),
                            ", mean over seeds: at the length trained on / at the longest input"),
            .columns = {{"scheme", false}}};
  for (const std::string& task : view.tasks) out.columns.push_back({task});
  for (std::size_t i = 0; i < trained.size(); ++i) {
    const bool scheme = i < view.schemes.size();
    out.rows.push_back({scheme ? trained[i].name : "", {trained[i].name}});
    for (std::size_t t = 0; t < view.tasks.size(); ++t)
      out.rows.back().cells.push_back(
          text(number(trained[i].values[t]), " / ", number(value_of(beyond, trained[i].name, t))));
  }
  return out;
}

Html maps(const View& view, bool named) {
  const std::vector<Line> trained = lines(view, in_distribution), beyond = lines(view, out_of_distribution);
  const std::string of = named ? text(", ", view.model) : "";
  std::vector<Figure> figures;
  if (std::ranges::any_of(trained, has_value))
    figures.push_back(map_of(view, trained, "At the length trained on" + of));
  if (std::ranges::any_of(beyond, has_value))
    figures.push_back(map_of(view, beyond, "At the longest input" + of));
  Html out = chart_row(figures);
  out += as_tables({table_of(view, trained, beyond)});
  return out;
}

}  // namespace

Html map_section(const Study& study) {
  std::vector<Html> parts;
  for (const View& view : study.views) parts.push_back(maps(view, study.views.size() > 1));
  return section("map", "Scheme by task", parts);
}

}  // namespace locus
