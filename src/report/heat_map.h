// A matrix as colours: attention maps, biases by query and key, accuracy by scheme and length.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/svg.h"
#include "report/ticks.h"

namespace locus {

// The rows or columns: a name for each, or places start, start + step ... when there are no names.
struct HeatMapAxis {
  std::string label;
  std::vector<std::string> names = {};
  double start = 0, step = 1;
};

struct HeatMap {
  enum class Scale { sequential, diverging };  // diverging: around zero, unless the range says otherwise

  std::string title;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // row by row; grey where not finite
  HeatMapAxis row_axis, column_axis;
  std::string value_label;  // beside the colour bar
  Scale scale = Scale::sequential;
  std::optional<Range> range = {};  // values beyond it get the colour of its end
  bool square_cells = false;
  double width = 480;  // grows when cells would become narrower than a pixel
};

// Numbers stand in the cells when they fit, and a tooltip then names each cell. Each row is a series of its
// name, for a page to bring forward. Throws Error when the count of values or names is not that of the
// cells.
Figure heat_map(const HeatMap& map);

}  // namespace locus
