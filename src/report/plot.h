// What charts with axes share: ranges and ticks, the way from data to pixels, the axes, and labels that keep apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/svg.h"

namespace locus {

// Numbers for axes: round ones, printed short.

struct Range {
  double low = 0, high = 1;
};

// The numbers span this range; {0, 1} when there are none. Those past 1e300 count as infinite, and are left
// out.
Range range_of(const std::vector<double>& values);

// The range, widened around its middle when it is too narrow to tell numbers in it apart.
Range with_some_width(Range range);

// The largest of ... 0.1 0.2 0.5 1 2 5 10 ... that puts no more than `most` steps into the range; its width
// must be > 0.
double nice_step(Range range, std::size_t most);

// The multiples of a nice step within the range, `most` + 1 of them at the most; both ends when the range is
// too narrow for doubles. `smallest_step` = 1 keeps to whole numbers.
std::vector<double> nice_ticks(Range range, std::size_t most, double smallest_step = 0);

// The same for a logarithmic axis: powers of two, or nice_ticks when fewer than two of them lie in the range.
std::vector<double> power_of_two_ticks(Range range, std::size_t most);

// All ticks with the same number of decimals: {0, 0.25} -> "0.00", "0.25".
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

// The rectangle of a chart where the data is: from data to pixels, and the axes around it.

// What range_of takes into account; the rest cannot be drawn.
bool can_be_drawn(double value);

struct PlotArea {
  double left = 0, right = 0, top = 0, bottom = 0;
  Range x, y;
  bool log2 = false;  // along x

  double x_at(double value) const;
  double y_at(double value) const;
  Point at(double xv, double yv) const { return {x_at(xv), y_at(yv)}; }
  // Whether the point has a place, within the plot or not.
  bool holds(double xv, double yv) const { return can_be_drawn(xv) && can_be_drawn(yv) && (!log2 || xv > 0); }
  bool shows(double value) const { return value >= y.low && value <= y.high; }
};

// Below the plot: ticks at those places, numbers where there is room, and what they count.
void draw_x_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::string& label);

// Pale lines across the plot with their labels on the left.
void draw_y_axis(Drawing& drawing, const PlotArea& area, const std::vector<double>& ticks,
                 const std::vector<std::string>& labels);

// Where labels go that want to stand beside their lines but must not touch each other.

// Places as near as possible to the wishes (sorted upwards), in their order, at least `gap` apart, within
// low..high. When there is not enough room they go on past `high`.
std::vector<double> spread_apart(const std::vector<double>& wishes, double gap, double low, double high);

}  // namespace locus
