// The rectangle of a chart where the data is: from data to pixels, and the axes around it.
#pragma once

#include <string>
#include <vector>

#include "report/svg.h"
#include "report/ticks.h"

namespace locus {

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

}  // namespace locus
