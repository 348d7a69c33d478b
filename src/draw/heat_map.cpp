#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.h"
#include "base/size.h"
#include "draw/charts.h"
#include "io/format.h"

namespace locus {

namespace {

constexpr double number_size = 11;
constexpr double bar_width = 12, bar_gap = 20;
constexpr int colour_steps = 50;  // of the colour scale: each 2 % of the range
constexpr double slant = 40;      // degrees, for column names that do not fit side by side

std::vector<std::string> names_of(const HeatMapAxis& axis, std::size_t count, std::string_view what) {
  std::vector<std::string> names = axis.names;
  for (std::size_t i = 0; axis.names.empty() && i < count; ++i)
    names.push_back(str(axis.start + static_cast<int>(i)));
  if (names.size() != count)
    fail("heat map", str(count, ' ', what, ", but ", names.size(), " names for them"));
  return names;
}

Range value_range(const HeatMap& map) {
  if (map.range) {
    if (!(map.range->high > map.range->low))  // NaN as well
      fail("heat map", str("the range must rise, but goes from ", map.range->low, " to ", map.range->high));
    return *map.range;
  }
  const Range range = range_of(map.values);
  return with_some_width(map.scale == HeatMap::Scale::diverging ? around_zero(range) : range);
}

// The indices of the rows or columns whose names are written, so that names stay `room` apart: every 1st,
// 2nd, 5th, 10th ...; of counted ones those that are multiples of 2, 5, 10 ...
std::vector<std::size_t> written(const HeatMapAxis& axis, std::size_t count, double room, double cell) {
  const auto stride = as_size(std::max(1.0, nice_step({0, room / cell}, 1)));
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<long long>(i) + (axis.names.empty() ? axis.start : 0);
    if (number % static_cast<long long>(stride) == 0) places.push_back(i);
  }
  return places;
}

class HeatMapDrawing {
 public:
  explicit HeatMapDrawing(const HeatMap& map)
      : map_(map),
        row_names_(names_of(map.row_axis, map.rows, "rows")),
        column_names_(names_of(map.column_axis, map.columns, "columns")),
        range_(value_range(map)),
        bar_ticks_(nice_ticks(range_, 5)),
        bar_labels_(tick_labels(bar_ticks_)),
        lacks_values_(!std::ranges::all_of(map.values, [](double v) { return std::isfinite(v); })) {
    if (map.values.size() != map.rows * map.columns)
      fail("heat map",
           str(map.rows, " rows and ", map.columns, " columns, but ", map.values.size(), " values"));
  }

  Figure draw() {
    lay_out();
    draw_cells();
    draw_numbers();
    draw_row_names();
    draw_column_names();
    if (map_.colour_bar) draw_colour_bar();
    return {map_.title, width_, bottom_, drawing_.take()};
  }

 private:
  // The step of the colour scale; -1: no value.
  int shade(std::size_t row, std::size_t column) const {
    const double value = map_.values[row * map_.columns + column];
    if (!std::isfinite(value)) return -1;
    const double fraction = (value - range_.low) / (range_.high - range_.low);
    return static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * colour_steps));
  }
  Colour colour(int shade) const {
    const double fraction = static_cast<double>(shade) / colour_steps;
    return map_.scale == HeatMap::Scale::diverging ? diverging_colour(fraction) : sequential_colour(fraction);
  }

  void lay_out() {
    const double key = lacks_values_ ? text_width(map_.no_value, label_size) : 0;
    const double bar_room = bar_gap + bar_width + 8 + std::max(widest(bar_labels_), key) + padding;
    left_ = padding + widest(row_names_) + 8;
    const auto columns = static_cast<double>(map_.columns), rows = static_cast<double>(map_.rows);
    cell_width_ = std::max(1.0, (map_.width - left_ - bar_room) / std::max(columns, 1.0));
    cell_height_ = map_.square_cells ? cell_width_ : std::clamp(320 / std::max(rows, 1.0), 1.0, 30.0);
    plot_width_ = cell_width_ * columns;
    plot_height_ = cell_height_ * rows;
    bar_left_ = left_ + std::max(plot_width_, 20.0) + bar_gap;
    bar_height_ = std::max(plot_height_, 60.0);
    const double width_with_bar = left_ + std::max(plot_width_, 20.0) + bar_room;
    width_ = map_.colour_bar ? width_with_bar : left_ + std::max(plot_width_, 20.0) + padding;

    top_ = drawing_.heading(map_.title, title_size, padding, padding, width_ - 2 * padding);
    draw_labels_above(width_with_bar);
    bottom_ = top_ + bar_height_ + padding;
  }

  // The label of the rows on the left, that of the values on the right; one line lower when one line is too
  // short for both. A map without a colour bar leaves the same room above its cells, so that maps side by side, of
  // which one has the bar, begin at one height.
  void draw_labels_above(double width_with_bar) {
    const double row_label = text_width(map_.row_axis.label, label_size);
    const double value_label = text_width(map_.value_label, label_size);
    if (row_label + value_label == 0) return;
    drawing_.text({padding, top_ + label_size}, map_.row_axis.label, {Anchor::start, pale_ink});
    if (row_label > 0 && value_label > 0 && row_label + value_label + 3 * padding > width_with_bar)
      top_ += label_size + 4;
    if (map_.colour_bar && value_label > 0)
      drawing_.text({width_ - padding, top_ + label_size}, map_.value_label, {Anchor::end, pale_ink});
    top_ += label_size + 12;
  }

  // One path for each shade, in units of cells: that is
  // short, and leaves no seams between cells of one colour.
  void draw_cells() {
    std::map<int, std::string> paths;  // by shade
    for (std::size_t row = 0; row < map_.rows; ++row)
      for (std::size_t column = 0, end = 0; column < map_.columns; column = end) {
        const int here = shade(row, column);
        while (end < map_.columns && shade(row, end) == here) ++end;
        paths[here] += str('M', column, ' ', row, 'h', end - column, "v1H", column, 'z');
      }
    std::string filled;
    for (const auto& [shade, path] : paths)
      filled += str("<path fill=\"", shade < 0 ? missing_fill : to_string(colour(shade)), "\" d=\"", path,
                    "\"/>\n");
    append_scaled({left_, top_}, exact(cell_width_), cell_height_, filled);
    if (lacks_values_ && cell_height_ >= 8 && cell_width_ >= 8) draw_hatching();
  }

  // Three strokes over each cell without a value.
  void draw_hatching() {
    std::string path;
    for (std::size_t row = 0; row < map_.rows; ++row)
      for (std::size_t column = 0; column < map_.columns; ++column)
        if (shade(row, column) < 0)
          path += str('M', column, ' ', row, ".5l.5-.5M", column, ' ', row + 1, "l1-1M", column, ".5 ",
                      row + 1, "l.5-.5");
    append_scaled({left_, top_}, exact(cell_width_), cell_height_,
                  str("<path fill=\"none\" stroke=\"", axis_ink, "\" stroke-width=\"",
                      exact(1 / std::max(cell_width_, cell_height_)), "\" d=\"", path, "\"/>\n"));
  }

  // Paths whose unit is `width` horizontally and `height` vertically.
  void append_scaled(Point corner, const std::string& width, double height, const std::string& paths) {
    drawing_.append(str("<g transform=\"translate(", coordinate(corner.x), ' ', coordinate(corner.y),
                        ") scale(", width, ' ', exact(height), ")\" shape-rendering=\"crispEdges\">\n", paths,
                        "</g>\n"));
  }

  // With four decimals: with two, the error would add up to a pixel over a hundred cells.
  static std::string exact(double size) { return str(std::round(size * 1e4) / 1e4); }

  // In the cells, if they all fit, with the number of decimals that shows a hundredth of the range.
  void draw_numbers() {
    if (map_.values.size() > 400 || cell_height_ < number_size + 4) return;
    const double hundredth = (range_.high - range_.low) / 100;
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(hundredth))), 0, 6);
    std::vector<std::string> numbers;
    for (const double value : map_.values) {
      numbers.push_back(std::isfinite(value) ? fixed(value, decimals) : "");
      if (text_width(numbers.back(), number_size) + 4 > cell_width_) return;
    }
    for (std::size_t row = 0; row < map_.rows; ++row)
      for (std::size_t column = 0; column < map_.columns; ++column)
        if (const int here = shade(row, column); here >= 0)
          drawing_.text({column_center(column), row_center(row) + number_size * 0.36},
                        numbers[row * map_.columns + column],
                        {Anchor::middle, to_string(text_colour_on(colour(here))), number_size});
  }

  double column_center(std::size_t column) const {
    return left_ + (static_cast<double>(column) + 0.5) * cell_width_;
  }
  double row_center(std::size_t row) const { return top_ + (static_cast<double>(row) + 0.5) * cell_height_; }

  void draw_row_names() {
    for (const std::size_t row : written(map_.row_axis, map_.rows, label_size + 2, cell_height_))
      drawing_.text({left_ - 8, row_center(row) + label_size * 0.36}, row_names_[row], {Anchor::end});
  }

  void draw_column_names() {
    const double y = top_ + plot_height_;
    const double room = widest(column_names_) + 8;
    double below = 20;
    // Numbers can be left out; names are slanted instead.
    if (map_.column_axis.names.empty() || room <= cell_width_) {
      for (const std::size_t column : written(map_.column_axis, map_.columns, room, cell_width_))
        drawing_.text({column_center(column), y + 17}, column_names_[column], {Anchor::middle});
    } else {
      for (const std::size_t column : written(map_.column_axis, map_.columns, label_size + 4, cell_width_))
        drawing_.text({column_center(column) + 4, y + 14}, column_names_[column],
                      {.anchor = Anchor::end, .rotation = -slant});
      below = 12 + (room - 8) * std::sin(slant * std::numbers::pi / 180) + label_size * 0.7;
    }
    drawing_.text({left_ + plot_width_ / 2, y + below + 16}, map_.column_axis.label,
                  {Anchor::middle, pale_ink});
    bottom_ = std::max(bottom_, y + below + (map_.column_axis.label.empty() ? 0 : 20) + padding / 2);
  }

  void draw_colour_bar() {
    std::string shades;  // each reaches to the lower end of the bar, so that rounding leaves no gaps
    for (int i = 0; i <= colour_steps; ++i)
      shades += str("<path fill=\"", to_string(colour(colour_steps - i)), "\" d=\"M0 ", i, "h1V",
                    colour_steps + 1, "H0z\"/>\n");
    append_scaled({bar_left_, top_}, coordinate(bar_width), bar_height_ / (colour_steps + 1), shades);
    const double right = bar_left_ + bar_width;
    for (std::size_t i = 0; i < bar_ticks_.size(); ++i) {
      const double y = top_ + bar_height_ * (range_.high - bar_ticks_[i]) / (range_.high - range_.low);
      drawing_.line({right, y}, {right + 4, y}, {axis_ink});
      drawing_.text({right + 8, y + 4}, bar_labels_[i], {Anchor::start, pale_ink});
    }
    if (!lacks_values_) return;
    const double y = top_ + bar_height_ + 8;
    drawing_.rectangle({bar_left_, y}, bar_width, bar_width, missing_fill);
    drawing_.line({bar_left_, y + bar_width}, {bar_left_ + bar_width, y}, {axis_ink});
    drawing_.text({right + 8, y + 10}, map_.no_value, {Anchor::start, pale_ink});
    bottom_ = std::max(bottom_, y + bar_width + padding);
  }

  const HeatMap& map_;
  const std::vector<std::string> row_names_, column_names_;
  const Range range_;
  const std::vector<double> bar_ticks_;
  const std::vector<std::string> bar_labels_;
  const bool lacks_values_;
  Drawing drawing_;
  double left_ = 0, top_ = 0, bottom_ = 0, width_ = 0;
  double plot_width_ = 0, plot_height_ = 0, cell_width_ = 0, cell_height_ = 0, bar_left_ = 0, bar_height_ = 0;
};

}  // namespace

Figure heat_map(const HeatMap& map) { return HeatMapDrawing(map).draw(); }

Figure heat_maps(std::string_view title, std::vector<HeatMap> maps, std::size_t columns) {
  std::vector<Figure> figures;
  columns = std::min(columns, maps.size());
  const bool is_shared =
      std::ranges::all_of(maps, [&](const HeatMap& map) { return map.range == maps.front().range; });
  for (std::size_t i = 0; i < maps.size(); ++i) {
    maps[i].colour_bar = !is_shared || i + 1 == columns;
    figures.push_back(heat_map(maps[i]));
  }
  return panels(title, figures, columns);
}

}  // namespace locus
