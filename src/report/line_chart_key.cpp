#include <algorithm>

#include "report/line_chart.h"
#include "report/plot_area.h"
#include "report/series_drawing.h"

namespace locus {

Figure line_chart_key(const LineChart& chart, double width) {
  double widest = 0;
  for (const Series& series : chart.series) widest = std::max(widest, text_width(series.name, label_size));
  for (const HorizontalLine& line : chart.horizontal_lines)
    widest = std::max(widest, text_width(line.label, label_size));
  const double column_width = key_length + 8 + widest + 16;

  constexpr double row_height = 20;
  Drawing drawing;
  Point place = {padding, padding};
  const auto add = [&](const std::string& name, auto draw_line) {
    if (place.x > padding && place.x + column_width > width) place = {padding, place.y + row_height};
    draw_line();
    draw_key_name(drawing, place, name);
    place.x += column_width;
  };
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    add(chart.series[i].name, [&] { draw_key(drawing, place, style_of(chart.series[i], i)); });
  for (const HorizontalLine& line : chart.horizontal_lines)
    add(line.label, [&] { drawing.line(place, {place.x + key_length, place.y}, guide_stroke()); });
  return {"key", width, place.y + padding, drawing.take()};
}

}  // namespace locus
