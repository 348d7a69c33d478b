// One series of a line chart within its plot: the spread, the line, the dots of single seeds, the markers.
#pragma once

#include "report/line_chart.h"
#include "report/plot_area.h"
#include "report/series_style.h"

namespace locus {

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
