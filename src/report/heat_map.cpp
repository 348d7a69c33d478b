#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/error.h"
#include "report/charts.h"
#include "report/format.h"

namespace locus {

namespace {

constexpr double number_size = 11;
constexpr double bar_width = 12, bar_gap = 20;
constexpr const char* no_value = "no value";
constexpr int colour_steps = 255;  // steps of the colour scale
constexpr double slant = 40;       // degrees, for column names that do not fit side by side

class HeatMapDrawing {
 public:
  explicit HeatMapDrawing(const HeatMap& map) : map_(map) {
    check_sizes();
    find_range();
  }

  Figure draw() {
    lay_out();
    write_numbers();
    if (numbers_fit())
      for (std::size_t row = 0; row < map_.rows; ++row) draw_row(row);
    else
      draw_cells(0, map_.rows);
    draw_row_names();
    draw_column_names();
    draw_colour_bar();
    draw_no_value_key();
    return {map_.title, width_, bottom_, drawing_.take()};
  }

 private:
  void check_sizes() const {
    if (map_.values.size() != map_.rows * map_.columns)
      fail("heat map",
           text(map_.rows, " rows and ", map_.columns, " columns, but ", map_.values.size(), " values"));
    const auto check_names = [](const HeatMapAxis& axis, std::size_t count, std::string_view what) {
      if (!axis.names.empty() && axis.names.size() != count)
        fail("heat map", text(count, ' ', what, ", but ", axis.names.size(), " names for them"));
    };
    check_names(map_.row_axis, map_.rows, "rows");
    check_names(map_.column_axis, map_.columns, "columns");
  }

  void find_range() {
    const bool diverging = map_.scale == HeatMap::Scale::diverging;
    if (map_.range) {
      range_ = *map_.range;
      if (!(range_.high > range_.low))  // NaN as well
        fail("heat map", text("the range must rise, but goes from ", range_.low, " to ", range_.high));
      return;
    }
    range_ = range_of(map_.values);
    if (diverging) {
      const double reach = std::max(std::abs(range_.low), std::abs(range_.high));
      range_ = {-reach, reach};
    }
    range_ = with_some_width(range_);
  }

  double value(std::size_t row, std::size_t column) const { return map_.values[row * map_.columns + column]; }

  int shade(double v) const {
    const double fraction = (v - range_.low) / (range_.high - range_.low);
    return static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * colour_steps));
  }
  Colour colour(int shade) const {
    const double fraction = static_cast<double>(shade) / colour_steps;
    return map_.scale == HeatMap::Scale::diverging ? diverging_colour(fraction) : sequential_colour(fraction);
  }

  static std::vector<std::string> names_of(const HeatMapAxis& axis, std::size_t count) {
    if (!axis.names.empty()) return axis.names;
    std::vector<double> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back(axis.start + axis.step * static_cast<double>(i));
    return tick_labels(places);
  }

  static double widest(const std::vector<std::string>& names) {
    double width = 0;
    for (const std::string& name : names) width = std::max(width, text_width(name, label_size));
    return width;
  }

  void lay_out() {
    row_names_ = names_of(map_.row_axis, map_.rows);
    column_names_ = names_of(map_.column_axis, map_.columns);
    bar_ticks_ = nice_ticks(range_, 5);
    bar_labels_ = tick_labels(bar_ticks_);
    const double key = lacks_values() ? text_width(no_value, label_size) : 0;
    const double bar_room = bar_gap + bar_width + 8 + std::max(widest(bar_labels_), key) + padding;

    left_ = padding + widest(row_names_) + 8;
    const auto columns = static_cast<double>(std::max<std::size_t>(map_.columns, 1));
    const auto rows = static_cast<double>(std::max<std::size_t>(map_.rows, 1));
    cell_width_ = std::max(1.0, (map_.width - left_ - bar_room) / columns);
    cell_height_ = map_.square_cells ? cell_width_ : std::clamp(320 / rows, 1.0, 30.0);
    plot_width_ = cell_width_ * static_cast<double>(map_.columns);
    plot_height_ = cell_height_ * static_cast<double>(map_.rows);
    width_ = left_ + std::max(plot_width_, 20.0) + bar_room;

    top_ = drawing_.heading(map_.title, title_size, padding, padding, width_ - 2 * padding);
    draw_labels_above();
    bottom_ = top_ + bar_height() + padding;
  }

  // The label of the rows on the left, that of the values on the right, one line lower when both do not fit.
  void draw_labels_above() {
    const double row_label = text_width(map_.row_axis.label, label_size);
    const double value_label = text_width(map_.value_label, label_size);
    if (row_label + value_label == 0) return;
    drawing_.text({padding, top_ + label_size}, map_.row_axis.label,
                  {label_size, Anchor::start, pale_ink, false, 0});
    if (row_label > 0 && row_label + value_label + 3 * padding > width_) top_ += label_size + 4;
    drawing_.text({width_ - padding, top_ + label_size}, map_.value_label,
                  {label_size, Anchor::end, pale_ink, false, 0});
    top_ += label_size + 12;
  }

  // One path for each shade, in units of cells: short, and without seams between cells of one colour.
  void draw_cells(std::size_t first_row, std::size_t end_row) {
    std::map<int, std::string> paths;  // -1: no value
    for (std::size_t row = first_row; row < end_row; ++row)
      for (std::size_t column = 0; column < map_.columns;) {
        const int first = shade_or_none(row, column);
        std::size_t end = column + 1;
        while (end < map_.columns && shade_or_none(row, end) == first) ++end;
        paths[first] += text('M', column, ' ', row, 'h', end - column, "v1H", column, 'z');
        column = end;
      }
    drawing_.append(text("<g transform=\"translate(", coordinate(left_), ' ', coordinate(top_), ") scale(",
                         exact(cell_width_), ' ', exact(cell_height_),
                         ")\" shape-rendering=\"crispEdges\">\n"));
    for (const auto& [shade_index, path] : paths)
      drawing_.append(text("<path fill=\"", shade_index < 0 ? missing_fill : to_string(colour(shade_index)),
                           "\" d=\"", path, "\"/>\n"));
    drawing_.append("</g>\n");
  }

  // Four decimals: an error of a hundredth would grow to a pixel over a hundred cells.
  static std::string exact(double size) { return text(std::round(size * 1e4) / 1e4); }

  int shade_or_none(std::size_t row, std::size_t column) const {
    const double v = value(row, column);
    return std::isfinite(v) ? shade(v) : -1;
  }

  // All with as many decimals as tell a hundredth of the range.
  void write_numbers() {
    const double hundredth = (range_.high - range_.low) / 100;
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(hundredth))), 0, 6);
    for (const double v : map_.values) numbers_.push_back(std::isfinite(v) ? fixed(v, decimals) : "");
  }

  bool numbers_fit() const {
    if (map_.values.size() > 400 || cell_height_ < number_size + 4) return false;
    return std::all_of(numbers_.begin(), numbers_.end(), [&](const std::string& number) {
      return text_width(number, number_size) + 4 <= cell_width_;
    });
  }

  // With its numbers, and a tooltip for each.
  void draw_row(std::size_t row) {
    drawing_.begin_series(row_names_[row]);
    draw_cells(row, row + 1);
    for (std::size_t column = 0; column < map_.columns; ++column) {
      if (!std::isfinite(value(row, column))) continue;
      const std::string& number = numbers_[row * map_.columns + column];
      const Colour on_cell = text_colour_on(colour(shade(value(row, column))));
      drawing_.text({column_center(column), row_center(row) + number_size * 0.36}, number,
                    {number_size, Anchor::middle, to_string(on_cell), false, 0});
      drawing_.hover_area({column_center(column) - cell_width_ / 2, row_center(row) - cell_height_ / 2},
                          cell_width_, cell_height_,
                          text(row_names_[row], ", ", column_names_[column], ": ", number));
    }
    drawing_.end_series();
  }

  double column_center(std::size_t column) const {
    return left_ + (static_cast<double>(column) + 0.5) * cell_width_;
  }
  double row_center(std::size_t row) const { return top_ + (static_cast<double>(row) + 0.5) * cell_height_; }

  // The rows or columns whose name is written, so that names stay `room` apart: every 1st, 2nd, 5th, 10th ...
  // Of whole numbers in steps of one, those that are multiples of 2, 5, 10 ...
  static std::vector<std::size_t> written(const HeatMapAxis& axis, std::size_t count, double room,
                                          double cell) {
    const auto stride = static_cast<std::size_t>(std::max(1.0, nice_step({0, room / cell}, 1)));
    std::size_t first = 0;
    const bool counts = axis.names.empty() && axis.step == 1 && std::trunc(axis.start) == axis.start;
    if (counts) {
      const auto every = static_cast<double>(stride);
      first = static_cast<std::size_t>(std::ceil(axis.start / every) * every - axis.start);
    }
    std::vector<std::size_t> places;
    for (std::size_t i = first; i < count; i += stride) places.push_back(i);
    return places;
  }

  void draw_row_names() {
    for (const std::size_t row : written(map_.row_axis, map_.rows, label_size + 2, cell_height_))
      draw_row_name(row);
  }

  void draw_row_name(std::size_t row) {
    drawing_.begin_series(row_names_[row]);
    drawing_.text({left_ - 8, row_center(row) + label_size * 0.36}, row_names_[row],
                  {label_size, Anchor::end, dark_ink, false, 0});
    drawing_.end_series();
  }

  void draw_column_names() {
    const double y = top_ + plot_height_;
    const double room = widest(column_names_) + 8;
    double below = 20;
    // Numbers can be left out; names are slanted before that.
    if (map_.column_axis.names.empty() || room <= cell_width_) {
      for (const std::size_t column : written(map_.column_axis, map_.columns, room, cell_width_))
        drawing_.text({column_center(column), y + 17}, column_names_[column],
                      {label_size, Anchor::middle, dark_ink, false, 0});
    } else {
      for (const std::size_t column : written(map_.column_axis, map_.columns, label_size + 4, cell_width_))
        drawing_.text({column_center(column) + 4, y + 14}, column_names_[column],
                      {label_size, Anchor::end, dark_ink, false, -slant});
      below = 12 + (room - 8) * std::sin(slant * std::numbers::pi / 180) + label_size * 0.7;
    }
    drawing_.text({left_ + plot_width_ / 2, y + below + 16}, map_.column_axis.label,
                  {label_size, Anchor::middle, pale_ink, false, 0});
    bottom_ = std::max(bottom_, y + below + (map_.column_axis.label.empty() ? 0 : 20) + padding / 2);
  }

  void draw_colour_bar() {
    const double height = bar_height(), x = bar_left();
    drawing_.append(text("<g transform=\"translate(", coordinate(x), ' ', coordinate(top_), ") scale(",
                         coordinate(bar_width), ' ', exact(height / (colour_steps + 1)),
                         ")\" shape-rendering=\"crispEdges\">\n"));
    // Each shade reaches down to the end, so that rounding leaves no gap to the next.
    for (int i = 0; i <= colour_steps; i += 3)
      drawing_.append(text("<path fill=\"", to_string(colour(colour_steps - i)), "\" d=\"M0 ", i, "h1V",
                           colour_steps + 1, "H0z\"/>\n"));
    drawing_.append("</g>\n");
    for (std::size_t i = 0; i < bar_ticks_.size(); ++i) {
      const double y = top_ + height * (range_.high - bar_ticks_[i]) / (range_.high - range_.low);
      drawing_.line({x + bar_width, y}, {x + bar_width + 4, y}, {axis_ink, 1, "", 1});
      drawing_.text({x + bar_width + 8, y + 4}, bar_labels_[i],
                    {label_size, Anchor::start, pale_ink, false, 0});
    }
  }

  bool lacks_values() const {
    return !std::ranges::all_of(map_.values, [](double v) { return std::isfinite(v); });
  }

  // What grey means, below the colour bar.
  void draw_no_value_key() {
    if (!lacks_values()) return;
    const Point corner = {bar_left(), top_ + bar_height() + 8};
    drawing_.rectangle(corner, bar_width, bar_width, missing_fill);
    drawing_.text({corner.x + bar_width + 8, corner.y + 10}, no_value,
                  {label_size, Anchor::start, pale_ink, false, 0});
    bottom_ = std::max(bottom_, corner.y + bar_width + padding);
  }

  double bar_left() const { return left_ + std::max(plot_width_, 20.0) + bar_gap; }
  double bar_height() const { return std::max(plot_height_, 60.0); }

  const HeatMap& map_;
  Drawing drawing_;
  Range range_;
  double left_ = 0, top_ = 0, bottom_ = 0, width_ = 0;
  double plot_width_ = 0, plot_height_ = 0, cell_width_ = 0, cell_height_ = 0;
  std::vector<std::string> row_names_, column_names_, bar_labels_, numbers_;
  std::vector<double> bar_ticks_;
};

}  // namespace

Figure heat_map(const HeatMap& map) { return HeatMapDrawing(map).draw(); }

}  // namespace locus
