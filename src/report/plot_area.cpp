#include "report/plot_area.h"

#include <algorithm>
#include <cmath>

namespace locus {

namespace {

constexpr double inner_margin = 10;  // between the data and the left and right edges

// Coordinates in renderers are floats, and they choke on huge ones.
double within_reason(double fraction) { return std::clamp(fraction, -100.0, 100.0); }

}  // namespace

bool can_be_drawn(double value) { return std::abs(value) <= 1e300; }

double PlotArea::x_at(double value) const {
  const auto along = [&](double v) { return log2 ? std::log2(v) : v; };
  const double span = along(x.high) - along(x.low);
  const double fraction = span > 0 ? (along(value) - along(x.low)) / span : 0.5;
  return left + inner_margin + within_reason(fraction) * (right - left - 2 * inner_margin);
}

double PlotArea::y_at(double value) const {
  return bottom - within_reason((value - y.low) / (y.high - y.low)) * (bottom - top);
}

void draw_x_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::string& label) {
  const TextLook look = {label_size, Anchor::middle, pale_ink, false, 0};
  const Stroke stroke = {axis_ink, 1, "", 1};
  drawing.line({area.left, area.bottom}, {area.right, area.bottom}, stroke);
  const std::vector<std::string> labels = tick_labels(ticks);
  double free_from = 0;  // labels that would touch the one before are left out, their tick marks stay
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double x = area.x_at(ticks[i]), half = text_width(labels[i], label_size) / 2;
    drawing.line({x, area.bottom}, {x, area.bottom + 5}, stroke);
    if (x - half < free_from) continue;
    drawing.text({x, area.bottom + 19}, labels[i], look);
    free_from = x + half + 6;
  }
  drawing.text({(area.left + area.right) / 2, area.bottom + 38}, label, look);
}

void draw_y_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::vector<std::string>& labels) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double y = area.y_at(ticks[i]);
    drawing.line({area.left, y}, {area.right, y}, {grid_ink, 1, "", 1});
    drawing.text({area.left - 8, y + 4}, labels[i], {label_size, Anchor::end, pale_ink, false, 0});
  }
}

}  // namespace locus
