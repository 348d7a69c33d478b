// Lines over an axis: accuracy by length, loss by step. What each line is stands beside its end.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "report/svg.h"
#include "report/ticks.h"

namespace locus {

// Points that are not finite leave a gap. low and high show the spread of y where both are finite.
struct Sample {
  double x = 0, y = 0;
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
};

struct Series {
  std::string name;
  std::vector<Sample> samples;            // in the order of x
  std::vector<Point> dots = {};           // what the samples are means of, one dot for each seed
  std::optional<std::size_t> style = {};  // colour and marker; the place in the chart when left out
  enum class Role { measured, ceiling, baseline } role = Role::measured;  // the others: grey, without markers
  bool marked = true;  // a marker on every sample, or on some when they are many
};

struct VerticalLine {
  double x = 0;
  std::string label;  // "longest trained"
};

struct HorizontalLine {
  double y = 0;
  std::string label;  // "order-blind ceiling"
};

struct LineChart {
  enum class Axis { linear, log2 };
  enum class Spread { band, bars };
  enum class Labels { beside_lines, none };  // none: for panels that share one line_chart_key

  std::string title, x_label, y_label;
  std::vector<Series> series;
  std::vector<VerticalLine> vertical_lines = {};
  std::vector<HorizontalLine> horizontal_lines = {};  // dashed
  std::optional<Range> y_range = {};  // what lies outside is cut off; all of the data when left out
  Axis x_axis = Axis::linear;         // log2 shows only x > 0
  Spread spread = Spread::band;
  Labels labels = Labels::beside_lines;
  double width = 640, height = 380;  // grows when the labels need more
};

// Throws Error when a given y range does not rise.
Figure line_chart(const LineChart& chart);

// What each line is, in columns: the legend of panels without labels. Takes the series and horizontal lines
// of the chart.
Figure line_chart_key(const LineChart& chart, double width);

}  // namespace locus
