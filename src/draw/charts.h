// The charts: for each a struct that says what to show, and a function that draws it. Each chart has its
// own .cpp: line_chart, heat_map, shade_map and clock_faces. (The grid of an ablation is in grid.h.)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/plot.h"
#include "draw/svg.h"

namespace locus {

// --- line chart: accuracy by length, loss by step ---

struct Sample {
  double x = 0, y = 0;  // not finite: a gap
};

struct Series {
  std::string name;                       // beside the end of its line; none when empty
  std::vector<Sample> samples = {};       // x ascending
  std::optional<SeriesStyle> style = {};  // series_style of its index in the chart when left out
  bool marked = true;                     // a marker on every sample, or on some when they are many
};

struct VerticalLine {
  double x = 0;       // finite; above 0 on a logarithmic axis
  std::string label;  // "longest trained"
};

struct LineChart {
  std::string title, x_label, y_label;
  std::vector<Series> series = {};
  std::optional<VerticalLine> vertical_line = {};
  std::optional<Range> y_range = {};  // what lies outside is drawn at its ends; all of the data when left out
  bool log_x = false, log_y = false;  // powers of two evenly far apart; only values > 0 are shown
  double width = 640, height = 380;   // grows when the labels need more
};

// Throws Error when a given y range does not rise.
Figure line_chart(const LineChart& chart);

// --- heat map: attention, biases by query and key ---

// The rows or columns: a name for each; without names they are counted from `start`.
struct HeatMapAxis {
  std::string label;
  std::vector<std::string> names = {};
  int start = 0;
};

struct HeatMap {
  enum class Scale { sequential, diverging };  // diverging: around zero, unless the range says otherwise

  std::string title;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // row by row; grey and hatched where not finite
  HeatMapAxis row_axis, column_axis;
  std::string value_label;  // beside the colour bar
  Scale scale = Scale::sequential;
  std::optional<Range> range = {};  // values beyond it get the colour of its end
  bool square_cells = false;
  double width = 480;                 // grows when cells would become narrower than a pixel
  std::string no_value = "no value";  // what the key calls cells without one
  bool colour_bar = true;
};

// Numbers stand in the cells when they fit. Throws Error when the count of values or names is not that of the
// cells.
Figure heat_map(const HeatMap& map);

// Maps under one title, in rows of this many. One colour bar when they share their range, else one each.
Figure heat_maps(std::string_view title, std::vector<HeatMap> maps, std::size_t columns);

// A heat map for the terminal, in five shades from its lowest to its highest value:
//
//    0  ██▓▓▒▒░░
//    1  ▓▓██▓▓▒▒
//    2  ▒▒▓▓██▓▓
//
// Shows the first 32 rows, and as many columns as fit into the width, 32 at most. Dots where a value is not finite.
// The key says what the shades stand for: once for maps that share their range.
std::string shade_map(const HeatMap& map, std::size_t width = std::string::npos, bool with_key = true);

// --- clock faces: a table of clocks with one hand each ---

struct ClockFaces {
  std::string title;
  std::string column_label;
  std::vector<std::string> rows = {}, columns = {};  // their names
  std::vector<Point> hands = {};  // row by row; where each points: x right, y up, the rim at distance 1
};

// Throws Error when the count of hands is not that of rows times columns.
Figure clock_faces(const ClockFaces& faces);

}  // namespace locus
