#include <algorithm>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/charts.h"
#include "report/format.h"

namespace locus {

namespace {

constexpr double dot_row_height = 19;

std::vector<double> shown(const DotRow& row) {
  std::vector<double> values = row.values;
  std::erase_if(values, [](double value) { return !(value >= 0 && can_be_drawn(value)); });
  return values;
}

void draw_row(Drawing& drawing, const PlotArea& area, const DotRow& row, double y, double right) {
  drawing.begin_series(row.name);
  drawing.line({area.left, y}, {area.right, y}, {grid_ink});
  drawing.text({area.left - 8, y + 4}, row.name, {Anchor::end});
  drawing.text({right, y + 4}, row.note, {Anchor::end, pale_ink});
  const std::vector<double> values = shown(row);
  const SeriesStyle style = series_style(row.style);
  for (const double value : values)
    drawing.shape({area.x_at(value), y}, style.form, style.colour, paper,
                  text(row.name, ": ", short_number(value)));
  if (!values.empty()) {
    const double x = area.x_at(mean(values));
    drawing.line({x, y - 8}, {x, y + 8}, {style.colour, 2});
  }
  drawing.end_series();
}

}  // namespace

Figure dot_plot(const DotPlot& plot) {
  Drawing drawing;
  const double heading_end =
      drawing.heading(plot.title, title_size, padding, padding, plot.width - 2 * padding);
  const double notes = std::max(text_width(plot.note_label, label_size), widest(plot.rows, &DotRow::note));
  double largest_value = 0;
  for (const DotRow& row : plot.rows)
    for (const double value : shown(row)) largest_value = std::max(largest_value, value);

  PlotArea area;
  area.left = padding + widest(plot.rows, &DotRow::name) + 8;
  area.right = std::max(plot.width - padding - notes - 8, area.left + 120);
  area.top = heading_end + label_size + 8;
  area.bottom = area.top + dot_row_height * static_cast<double>(plot.rows.size());
  area.x = {0, with_some_width({0, largest_value}).high};
  const double right = area.right + 8 + notes;

  drawing.text({right, heading_end + label_size}, plot.note_label, {Anchor::end, pale_ink});
  draw_x_axis(drawing, area, nice_ticks(area.x, 4), plot.x_label);
  double y = area.top + dot_row_height / 2;
  for (const DotRow& row : plot.rows) {
    draw_row(drawing, area, row, y, right);
    y += dot_row_height;
  }
  return {plot.title, right + padding, area.bottom + x_axis_height(plot.x_label), drawing.take()};
}

}  // namespace locus
