#include <algorithm>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/charts.h"
#include "report/format.h"
#include "report/plot.h"
#include "report/series.h"

namespace locus {

namespace {

constexpr double dot_row_height = 19;

std::vector<double> shown(const DotRow& row) {
  std::vector<double> values;
  std::ranges::copy_if(row.values, std::back_inserter(values),
                       [](double value) { return value >= 0 && can_be_drawn(value); });
  return values;
}

double notes_width(const DotPlot& plot) {
  double width = text_width(plot.note_label, label_size);
  for (const DotRow& row : plot.rows) width = std::max(width, text_width(row.note, label_size));
  return width;
}

PlotArea area_of(const DotPlot& plot, double top) {
  double names = 0;
  std::vector<double> all = {0};
  for (const DotRow& row : plot.rows) {
    names = std::max(names, text_width(row.name, label_size));
    const std::vector<double> values = shown(row);
    all.insert(all.end(), values.begin(), values.end());
  }
  PlotArea area;
  area.left = padding + names + 8;
  area.right = std::max(plot.width - padding - notes_width(plot) - 8, area.left + 120);
  area.top = top;
  area.bottom = top + dot_row_height * static_cast<double>(plot.rows.size());
  area.x = with_some_width(range_of(all));
  area.x.low = 0;
  return area;
}

void draw_row(Drawing& drawing, const PlotArea& area, const DotRow& row, double y, double width) {
  const TextLook name = {label_size, Anchor::end, dark_ink, false, 0};
  const TextLook note = {label_size, Anchor::end, pale_ink, false, 0};
  drawing.begin_series(row.name);
  drawing.line({area.left, y}, {area.right, y}, {grid_ink, 1, "", 1});
  drawing.text({area.left - 8, y + 4}, row.name, name);
  drawing.text({width - padding, y + 4}, row.note, note);
  const std::vector<double> values = shown(row);
  const SeriesStyle style = series_style(row.style);
  for (const double value : values)
    drawing.shape({area.x_at(value), y}, style.form, style.colour, paper,
                  text(row.name, ": ", short_number(value)));
  if (!values.empty()) {
    const double x = area.x_at(mean(values));
    drawing.line({x, y - 8}, {x, y + 8}, {style.colour, 2, "", 1});
  }
  drawing.end_series();
}

}  // namespace

Figure dot_plot(const DotPlot& plot) {
  Drawing drawing;
  const double heading_end =
      drawing.heading(plot.title, title_size, padding, padding, plot.width - 2 * padding);
  const PlotArea area = area_of(plot, heading_end + label_size + 8);
  const double width = area.right + 8 + notes_width(plot) + padding;
  drawing.text({width - padding, heading_end + label_size}, plot.note_label,
               {label_size, Anchor::end, pale_ink, false, 0});
  draw_x_axis(drawing, area, nice_ticks(area.x, 4), plot.x_label);
  double y = area.top + dot_row_height / 2;
  for (const DotRow& row : plot.rows) {
    draw_row(drawing, area, row, y, width);
    y += dot_row_height;
  }
  return {plot.title, width, area.bottom + 24 + (plot.x_label.empty() ? 0 : 18) + padding / 2,
          drawing.take()};
}

}  // namespace locus
