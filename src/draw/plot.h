// What charts with axes share: ranges and ticks, the conversion from data to pixels, the axes, the look of a
// series, and labels that do not overlap.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"

namespace locus {

struct Range {
  double low = 0, high = 1;
  bool operator==(const Range&) const = default;
};

// From the lowest to the highest value that can be drawn; {0, 1} when there is none. Beyond 1e300 a value counts as
// infinite.
Range range_of(const std::vector<double>& values);

// The range, widened around its middle when it is too narrow to tell its values apart.
Range with_some_width(Range range);

// The smallest range around zero, with ends equally far from it, that holds this one.
Range around_zero(Range range);

// The smallest of ... 0.1 0.2 0.5 1 2 5 10 ... that puts at
// most `most` steps into the range, whose width must be > 0.
double nice_step(Range range, std::size_t most);

// The multiples of a nice step within the range, at most `most` + 1 of them; both ends when the range is too
// narrow for doubles.
std::vector<double> nice_ticks(Range range, std::size_t most);

// The same for a logarithmic axis: powers of two, or nice_ticks when fewer than two of them are in the range.
std::vector<double> power_of_two_ticks(Range range, std::size_t most);

// All ticks with the same number of decimals: {0, 0.25} -> "0.00", "0.25". Small powers of two, as of a logarithmic
// axis, are fractions: "1/64", "1/4".
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

// The rectangle of a chart that shows the data, in pixels, and the ranges of the data along it.
struct PlotArea {
  double left = 0, right = 0, top = 0, bottom = 0;
  Range x, y;
  bool log_x = false, log_y = false;

  double x_at(double value) const;
  double y_at(double value) const;
  Point at(double xv, double yv) const { return {x_at(xv), y_at(yv)}; }
  // Whether the point has a position, within the plot or outside it.
  bool holds(double xv, double yv) const;
};

// Below the plot: tick marks, their labels where there is room, and the label of the axis.
void draw_x_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::string& label);
double x_axis_height(const std::string& label);  // with the space below it

// Pale lines across the plot with their labels on the left.
void draw_y_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::vector<std::string>& labels);

// What tells one series from another: seven colours and marker shapes, then dashes as well.
struct SeriesStyle {
  std::string colour;
  std::size_t form = 0;  // of the marker, as Drawing::shape has it
  std::string_view dashes = "";
  double width = 2;
  bool marked = true;
};

SeriesStyle series_style(std::size_t index);
// The nth of several series in one style: marks and dashes tell it from the first.
SeriesStyle nth_alike(SeriesStyle style, std::size_t nth);
SeriesStyle ceiling_style();   // broad and grey, so that lines on top of it stay visible
SeriesStyle baseline_style();  // thin, dotted and grey

// Moves labels that want to stand at `wishes` (ascending) apart: in their order, at least `gap` apart, within
// low..high. When there is not enough room they go on past `high`.
std::vector<double> spread_apart(const std::vector<double>& wishes, double gap, double low, double high);

}  // namespace locus
