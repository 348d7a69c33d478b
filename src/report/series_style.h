// What tells one series of a chart from another: seven colours and shapes, and further dashes when there are
// more.
#pragma once

#include <string>
#include <string_view>

#include "report/svg.h"

namespace locus {

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

}  // namespace locus
