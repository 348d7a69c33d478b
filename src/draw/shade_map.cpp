#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/utf8.h"

namespace locus {

namespace {

constexpr std::array<std::string_view, 5> shade_texts = {"  ", "░░", "▒▒", "▓▓",
                                                         "██"};  // two columns: a square
constexpr std::size_t most_shown = 32;

std::string_view shade_of(double value, Range range) {
  if (!std::isfinite(value)) return "··";
  const double fraction = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
  return shade_texts[std::min(as_size(fraction * shade_texts.size()), shade_texts.size() - 1)];
}

std::string name_of(const HeatMapAxis& axis, std::size_t place) {
  return axis.names.empty() ? std::to_string(place) : printable(axis.names[place]);
}

std::string key(Range range) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < shade_texts.size(); ++i) {
    const double low = std::lerp(range.low, range.high, static_cast<double>(i) / shade_texts.size());
    parts.push_back(str(i == 0 ? "blank" : shade_texts[i], " from ", significant(low, 3)));
  }
  return join(parts, ", ") + " to " + significant(range.high, 3);
}

}  // namespace

std::string shade_map(const HeatMap& map, std::size_t width, bool with_key) {
  const Range range = map.range ? *map.range : with_some_width(range_of(map.values));
  const std::size_t rows = std::min(map.rows, most_shown);
  std::string out = fitted(
      str(map.title, "; down: ", map.row_axis.label, ", across: ", map.column_axis.label, "\n"), width);
  std::size_t widest = 2;
  for (std::size_t row = 0; row < rows; ++row)
    widest = std::max(widest, display_width(name_of(map.row_axis, row)));
  const std::size_t columns =
      std::min({map.columns, most_shown, width > widest + 4 ? (width - widest - 2) / 2 : 1});
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string name = name_of(map.row_axis, row);
    std::string line = std::string(widest - display_width(name), ' ') + name + "  ";
    for (std::size_t column = 0; column < columns; ++column)
      line += shade_of(map.values[row * map.columns + column], range);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  if (rows < map.rows || columns < map.columns)
    out += str("the first ", rows, " of ", map.rows, " rows, ", columns, " of ", map.columns, " columns\n");
  return with_key ? out + fitted(str(map.value_label, ": ", key(range), "\n"), width) : out;
}

}  // namespace locus
