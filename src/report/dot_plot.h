// A row of dots for each series: how many steps each seed needed.
#pragma once

#include <string>
#include <vector>

#include "report/svg.h"

namespace locus {

struct DotRow {
  std::string name;
  std::size_t style = 0;  // the place of its colour
  std::vector<double> values = {};
  std::string note = "";  // at the right end: "4 of 5"
};

struct DotPlot {
  std::string title, x_label, note_label;
  std::vector<DotRow> rows = {};
  double width = 360;
};

// The axis begins at 0; a short line marks the mean. Values that are negative or not finite are left out.
Figure dot_plot(const DotPlot& plot);

}  // namespace locus
