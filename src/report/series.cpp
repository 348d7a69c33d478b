#include "report/series.h"

#include <array>
#include <cmath>

#include "base/text.h"
#include "report/format.h"
#include "report/plot.h"

namespace locus {

SeriesStyle series_style(std::size_t index) {
  constexpr std::array<std::string_view, 3> dashes = {"", "7 3", "2 3"};
  const std::size_t round = index / series_colours;
  return {.colour = to_string(series_colour(index)),
          .form = (index + round) % marker_forms,
          .dashes = dashes[round % dashes.size()]};
}

const SeriesStyle& ceiling_style() {
  static const SeriesStyle style = {.colour = reference_ink, .width = 7, .marked = false};
  return style;
}

const SeriesStyle& baseline_style() {
  static const SeriesStyle style = {.colour = guide_ink, .dashes = "1 4", .width = 1.6, .marked = false};
  return style;
}

const Stroke& guide_stroke() {
  static const Stroke stroke = {guide_ink, 1.4, "6 4", 1};
  return stroke;
}

void draw_key(Drawing& drawing, Point left, const SeriesStyle& style) {
  drawing.line(left, {left.x + key_length, left.y}, {style.colour, style.width, style.dashes, 1});
  if (style.marked) drawing.shape({left.x + key_length / 2, left.y}, style.form, style.colour, paper, "");
}

void draw_key_name(Drawing& drawing, Point left, const std::string& name) {
  drawing.text({left.x + key_length + 8, left.y + 4}, name, {label_size, Anchor::start, dark_ink, false, 0});
}

namespace {

bool has_spread(const Sample& sample) { return can_be_drawn(sample.low) && can_be_drawn(sample.high); }

}  // namespace

SeriesStyle style_of(const Series& series, std::size_t place) {
  if (series.role == Series::Role::ceiling) return ceiling_style();
  if (series.role == Series::Role::baseline) return baseline_style();
  SeriesStyle style = series_style(series.style.value_or(place));
  style.marked = series.marked;
  return style;
}

std::vector<std::vector<Sample>> SeriesDrawing::runs() const {
  std::vector<std::vector<Sample>> found(1);
  for (const Sample& sample : series_.samples)
    if (plot_.holds(sample.x, sample.y))
      found.back().push_back(sample);
    else if (!found.back().empty())
      found.emplace_back();
  return found;
}

void SeriesDrawing::draw_spread(LineChart::Spread spread) const {
  for (const std::vector<Sample>& run : runs()) {
    if (spread == LineChart::Spread::bars) {
      for (const Sample& sample : run)
        if (has_spread(sample)) draw_bar(sample);
      continue;
    }
    std::vector<Point> outline;
    for (const Sample& sample : run)
      if (has_spread(sample)) outline.push_back(plot_.at(sample.x, sample.high));
    for (auto sample = run.rbegin(); sample != run.rend(); ++sample)
      if (has_spread(*sample)) outline.push_back(plot_.at(sample->x, sample->low));
    if (outline.size() > 2) drawing_.polygon(outline, style_.colour, 0.15);
  }
}

void SeriesDrawing::draw_bar(const Sample& sample) const {
  const Point low = plot_.at(sample.x, sample.low), high = plot_.at(sample.x, sample.high);
  const Stroke stroke = {style_.colour, 1.2, "", 0.8};
  drawing_.line(low, high, stroke);
  for (const Point& end : {low, high}) drawing_.line({end.x - 3, end.y}, {end.x + 3, end.y}, stroke);
}

void SeriesDrawing::draw_line() const {
  for (const std::vector<Sample>& run : runs()) {
    std::vector<Point> points;
    for (const Sample& sample : run) {
      const Point point = plot_.at(sample.x, sample.y);
      // Thousands of steps share a pixel; what moves less than half of one cannot be seen.
      const bool moved = points.empty() || std::abs(point.x - points.back().x) > 0.5 ||
                         std::abs(point.y - points.back().y) > 0.5;
      if (moved || &sample == &run.back()) points.push_back(point);
    }
    drawing_.polyline(points, {style_.colour, style_.width, style_.dashes, 1});
  }
}

void SeriesDrawing::draw_dots() const {
  std::vector<Point> places;
  for (const Point& dot : series_.dots)
    if (plot_.holds(dot.x, dot.y) && plot_.shows(dot.y)) places.push_back(plot_.at(dot.x, dot.y));
  drawing_.dots(places, 5, style_.colour, 0.7);
}

void SeriesDrawing::draw_markers() const {
  if (!style_.marked) return;
  const std::size_t count = series_.samples.size();
  const auto room = static_cast<std::size_t>((plot_.right - plot_.left) / 20);
  const std::size_t stride = count / std::max<std::size_t>(room, 1) + 1;
  for (std::size_t i = 0; i < count; i += stride) {
    const Sample& sample = series_.samples[i];
    if (!plot_.holds(sample.x, sample.y) || !plot_.shows(sample.y)) continue;
    drawing_.shape(plot_.at(sample.x, sample.y), style_.form, style_.colour, paper, tooltip(sample));
  }
}

// "rope: 12, 0.96", and the seeds behind that mean: "(0.95, 0.97)".
std::string SeriesDrawing::tooltip(const Sample& sample) const {
  std::vector<std::string> seeds;
  for (const Point& dot : series_.dots)
    if (dot.x == sample.x) seeds.push_back(short_number(dot.y));
  return text(series_.name, ": ", short_number(sample.x), ", ", short_number(sample.y),
              seeds.size() > 1 ? text(" (", join(seeds, ", "), ')') : "");
}

}  // namespace locus
