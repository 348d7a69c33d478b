#include "draw/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/format.h"

namespace locus {

namespace {

constexpr std::array<std::string_view, 3> dashes = {"", "7 3", "2 3"};
constexpr double inner_margin = 10;  // between the data and the left and right edges

bool can_be_drawn(double value) { return std::abs(value) <= 1e300; }

double magnitude(Range range) { return std::max(std::abs(range.low), std::abs(range.high)); }

// Where the value lies between the ends of the range, 0 and 1. Renderers keep coordinates as floats, and fail on huge
// ones.
double fraction_along(Range range, bool log, double value) {
  const auto along = [&](double v) { return log ? std::log2(v) : v; };
  const double span = along(range.high) - along(range.low);
  return span > 0 ? std::clamp((along(value) - along(range.low)) / span, -100.0, 100.0) : 0.5;
}

}  // namespace

Range range_of(const std::vector<double>& values) {
  Range range{INFINITY, -INFINITY};
  for (const double value : values) {
    if (!can_be_drawn(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range.low <= range.high ? range : Range{};
}

Range with_some_width(Range range) {
  if (range.high - range.low > std::max(1e-9 * magnitude(range), 1e-290)) return range;
  const double reach = magnitude(range) < 1e-280 ? 1 : magnitude(range) * 0.1;
  return {range.low - reach, range.high + reach};
}

Range around_zero(Range range) { return {-magnitude(range), magnitude(range)}; }

double nice_step(Range range, std::size_t most) {
  const double least = range.high / static_cast<double>(most) - range.low / static_cast<double>(most);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<double> nice_ticks(Range range, std::size_t most) {
  if (!(range.high - range.low > magnitude(range) * 1e-12)) return {range.low, range.high};
  const double step = nice_step(range, most);
  std::vector<double> ticks;
  // Multiples of the step, so that rounding errors do not add up. The slack of 1e-6 keeps an end of the range
  // that is a tick except for rounding.
  for (double i = std::ceil(range.low / step - 1e-6); i <= std::floor(range.high / step + 1e-6); ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::vector<double> power_of_two_ticks(Range range, std::size_t most) {
  const double first = std::ceil(std::log2(range.low) - 1e-6),
               last = std::floor(std::log2(range.high) + 1e-6);
  if (!(last > first)) return nice_ticks(range, most);
  const double stride = std::max(1.0, std::ceil((last - first) / static_cast<double>(most)));
  std::vector<double> ticks;
  for (double power = first; power <= last; power += stride) ticks.push_back(std::exp2(power));
  return ticks;
}

// One that is written out in a few digits.
static bool is_power_of_two(double tick) {
  int exponent = 0;
  return std::frexp(tick, &exponent) == 0.5 && std::abs(exponent) < 20;
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  std::vector<std::string> labels;
  if (std::ranges::all_of(ticks, is_power_of_two) &&
      std::ranges::any_of(ticks, [](double t) { return t < 0.1; })) {
    for (const double tick : ticks) labels.push_back(tick < 1 ? "1/" + fixed(1 / tick, 0) : fixed(tick, 0));
    return labels;
  }
  const bool plain = std::ranges::all_of(ticks, reads_plainly);
  const auto is_whole_at = [&](int decimals) {
    return std::ranges::all_of(ticks, [&](double tick) {
      const double scaled = tick * std::pow(10, decimals);
      return std::abs(scaled - std::round(scaled)) < 1e-6 * std::max(1.0, std::abs(scaled));
    });
  };
  int decimals = 0;
  while (decimals < 5 && !is_whole_at(decimals)) ++decimals;
  for (const double tick : ticks) {
    labels.push_back(plain ? fixed(tick, decimals) : short_number(tick));
    if (labels.back().starts_with('-')) labels.back().replace(0, 1, "\u2212");  // a minus, not a hyphen
  }
  return labels;
}

double PlotArea::x_at(double value) const {
  return left + inner_margin + fraction_along(x, log_x, value) * (right - left - 2 * inner_margin);
}

double PlotArea::y_at(double value) const {
  return bottom - fraction_along(y, log_y, value) * (bottom - top);
}

bool PlotArea::holds(double xv, double yv) const {
  return can_be_drawn(xv) && can_be_drawn(yv) && (!log_x || xv > 0) && (!log_y || yv > 0);
}

void draw_x_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::string& label) {
  const TextLook look = {Anchor::middle, pale_ink};
  drawing.line({area.left, area.bottom}, {area.right, area.bottom}, {axis_ink});
  const std::vector<std::string> labels = tick_labels(ticks);
  double free_from = 0;  // a label that would touch the one before is left out; its tick mark stays
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double x = area.x_at(ticks[i]), half = text_width(labels[i], label_size) / 2;
    drawing.line({x, area.bottom}, {x, area.bottom + 5}, {axis_ink});
    if (x - half < free_from) continue;
    drawing.text({x, area.bottom + 19}, labels[i], look);
    free_from = x + half + 6;
  }
  drawing.text({(area.left + area.right) / 2, area.bottom + 38}, label, look);
}

double x_axis_height(const std::string& label) { return 24 + (label.empty() ? 0 : 18) + padding / 2; }

void draw_y_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::vector<std::string>& labels) {
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const double y = area.y_at(ticks[i]);
    drawing.line({area.left, y}, {area.right, y}, {grid_ink});
    drawing.text({area.left - 8, y + 4}, labels[i], {Anchor::end, pale_ink});
  }
}

SeriesStyle series_style(std::size_t index) {
  const std::size_t round = index / series_colours;
  return {.colour = series_colour(index),
          .form = (index + round) % marker_forms,
          .dashes = dashes[round % dashes.size()]};
}

SeriesStyle nth_alike(SeriesStyle style, std::size_t nth) {
  style.form = (style.form + nth) % marker_forms;
  style.dashes = dashes[nth % dashes.size()];
  return style;
}

SeriesStyle ceiling_style() { return {.colour = reference_ink, .width = 7, .marked = false}; }

SeriesStyle baseline_style() { return {.colour = guide_ink, .dashes = "1 4", .width = 1.6, .marked = false}; }

std::vector<double> spread_apart(const std::vector<double>& wishes, double gap, double low, double high) {
  std::vector<double> places = wishes;
  for (std::size_t i = 0; i < places.size(); ++i)  // downwards, as little as needed
    places[i] = std::max(places[i], i == 0 ? low : places[i - 1] + gap);
  double limit = std::max(high, low + gap * (static_cast<double>(places.size()) - 1));
  for (std::size_t i = places.size(); i-- > 0; limit = places[i] - gap)
    places[i] = std::min(places[i], limit);
  return places;
}

}  // namespace locus
