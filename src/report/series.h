// The series of a chart: how they look, and how one of them is drawn.
#pragma once

#include <string>
#include <string_view>

#include "report/charts.h"
#include "report/plot.h"
#include "report/svg.h"

namespace locus {

// What tells one series of a chart from another: seven colours and shapes, and further dashes when there are
// more.

struct SeriesStyle {
  std::string colour;
  std::size_t form = 0;
  std::string_view dashes = "";
  double width = 2;
  bool marked = true;
};

SeriesStyle series_style(std::size_t index);
const SeriesStyle& ceiling_style();   // broad and grey, so that what lies on it can be seen
const SeriesStyle& baseline_style();  // thin, dashed and grey
const Stroke& guide_stroke();         // of horizontal lines

// The piece of line beside a name, its middle height at `left`.
inline constexpr double key_length = 26;
void draw_key(Drawing& drawing, Point left, const SeriesStyle& style);
void draw_key_name(Drawing& drawing, Point left, const std::string& name);

// One series of a line chart within its plot: the spread, the line, the dots of single seeds, the markers.

// How the series at this place of a chart looks.
SeriesStyle style_of(const Series& series, std::size_t place);

// Refers to all it is given.
class SeriesDrawing {
 public:
  SeriesDrawing(Drawing& drawing, const PlotArea& plot, const Series& series, const SeriesStyle& style)
      : drawing_(drawing), plot_(plot), series_(series), style_(style) {}

  void draw_spread(LineChart::Spread spread) const;
  void draw_line() const;
  void draw_dots() const;
  void draw_markers() const;  // on every sample, or on some when they would touch

 private:
  std::vector<std::vector<Sample>> runs() const;  // the samples without the gaps
  void draw_bar(const Sample& sample) const;
  std::string tooltip(const Sample& sample) const;

  Drawing& drawing_;
  const PlotArea& plot_;
  const Series& series_;
  const SeriesStyle& style_;
};

}  // namespace locus
