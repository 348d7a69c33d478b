#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "report/charts.h"
#include "report/plot.h"
#include "report/series.h"

namespace locus {

namespace {

constexpr double label_height = 17;  // of the labels of series

class LineChartDrawing {
 public:
  explicit LineChartDrawing(const LineChart& chart) : chart_(chart) {
    for (std::size_t i = 0; i < chart.series.size(); ++i) styles_.push_back(style_of(chart.series[i], i));
  }

  Figure draw() {
    find_ranges();
    lay_out();
    draw_axes();
    draw_vertical_lines();
    drawing_.begin_clip({plot_.left, plot_.top - 2}, plot_.right - plot_.left, plot_.bottom - plot_.top + 4);
    for (const HorizontalLine& line : horizontal_lines_) draw_horizontal(line);
    for_each_series([&](const SeriesDrawing& series) { series.draw_spread(chart_.spread); });
    for_each_series([&](const SeriesDrawing& series) { series.draw_line(); });
    drawing_.end_clip();
    for_each_series([&](const SeriesDrawing& series) { series.draw_dots(); });
    for_each_series([&](const SeriesDrawing& series) { series.draw_markers(); });
    if (chart_.labels == LineChart::Labels::beside_lines) draw_labels();
    return {chart_.title, width_, plot_.bottom + bottom_margin(), drawing_.take()};
  }

 private:
  void find_ranges() {
    plot_.log2 = chart_.x_axis == LineChart::Axis::log2;
    std::vector<double> xs, ys;
    for (const Series& series : chart_.series)
      for (const Sample& sample : series.samples)
        if (plot_.holds(sample.x, sample.y)) {
          xs.push_back(sample.x);
          ys.insert(ys.end(), {sample.y, sample.low, sample.high});
        }
    for (const Series& series : chart_.series)
      for (const Point& dot : series.dots) {
        if (!plot_.holds(dot.x, dot.y)) continue;
        xs.push_back(dot.x);
        ys.push_back(dot.y);
      }
    for (const VerticalLine& line : chart_.vertical_lines) {
      if (!plot_.holds(line.x, 0)) continue;
      vertical_lines_.push_back(line);
      xs.push_back(line.x);
    }
    for (const HorizontalLine& line : chart_.horizontal_lines) {
      if (!can_be_drawn(line.y)) continue;
      horizontal_lines_.push_back(line);
      ys.push_back(line.y);
    }
    if (plot_.log2 && xs.empty()) xs = {1, 2};
    plot_.x = range_of(xs);
    if (chart_.y_range) {
      plot_.y = *chart_.y_range;
      if (!(plot_.y.high > plot_.y.low))  // NaN as well
        fail("line chart", text("the y range must rise, but goes from ", plot_.y.low, " to ", plot_.y.high));
      return;
    }
    plot_.y = with_some_width(range_of(ys));
    // Widened to round numbers; zero is shown when it is near.
    if (plot_.y.low > 0 && plot_.y.low < 0.4 * plot_.y.high) plot_.y.low = 0;
    const double step = nice_step(plot_.y, 6);
    plot_.y = {std::floor(plot_.y.low / step + 1e-6) * step, std::ceil(plot_.y.high / step - 1e-6) * step};
  }

  double bottom_margin() const { return 24 + (chart_.x_label.empty() ? 0 : 18) + padding / 2; }

  void lay_out() {
    y_ticks_ = nice_ticks(plot_.y, chart_.height < 260 ? 4 : 6);
    y_labels_ = tick_labels(y_ticks_);
    double widest_tick = 0, widest_name = 0;
    for (const std::string& label : y_labels_)
      widest_tick = std::max(widest_tick, text_width(label, label_size));
    for (const Series& series : chart_.series)
      widest_name = std::max(widest_name, text_width(series.name, label_size));
    for (const auto& line : horizontal_lines_)
      widest_name = std::max(widest_name, text_width(line.label, label_size));

    const bool labelled = chart_.labels == LineChart::Labels::beside_lines && label_count() > 0;
    const double right_margin =
        labelled ? leader_length + key_length + 8 + widest_name + padding / 2 : padding;
    plot_.left = padding + widest_tick + 8;
    width_ = std::max(chart_.width, plot_.left + 200 + right_margin);
    plot_.right = width_ - right_margin;

    plot_.top = drawing_.heading(chart_.title, title_size, padding, padding, width_ - 2 * padding);
    if (!chart_.y_label.empty()) {
      drawing_.text({padding, plot_.top + label_size}, chart_.y_label,
                    {label_size, Anchor::start, pale_ink, false, 0});
      plot_.top += label_size + 12;
    }
    place_vertical_labels();
    const double labels_height = labelled ? static_cast<double>(label_count()) * label_height : 0;
    plot_.bottom = std::max({chart_.height - bottom_margin(), plot_.top + labels_height, plot_.top + 60});
  }

  std::size_t label_count() const { return chart_.series.size() + horizontal_lines_.size(); }

  // Above the plot, one row further up for each label that would touch another.
  void place_vertical_labels() {
    struct Taken {
      double left, right;
      std::size_t row;
    };
    std::vector<Taken> taken;
    std::size_t rows = 0;
    for (const VerticalLine& line : vertical_lines_) {
      const double half = text_width(line.label, label_size) / 2 + 4;
      // Right of the numbers of the y axis, which stand as high.
      const double least = plot_.left + half - 4;
      const double center = std::clamp(plot_.x_at(line.x), least, std::max(least, width_ - half));
      std::size_t row = 0;
      const auto touches = [&](const Taken& other) {
        return other.row == row && other.left < center + half && center - half < other.right;
      };
      while (std::any_of(taken.begin(), taken.end(), touches)) ++row;
      taken.push_back({center - half, center + half, row});
      rows = std::max(rows, row + 1);
    }
    plot_.top += static_cast<double>(rows) * label_height;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const double baseline = plot_.top - 6 - static_cast<double>(taken[i].row) * label_height;
      vertical_label_places_.push_back({(taken[i].left + taken[i].right) / 2, baseline});
    }
  }

  void draw_axes() {
    draw_y_axis(drawing_, plot_, y_ticks_, y_labels_);
    draw_x_axis(drawing_, plot_, x_ticks(), chart_.x_label);
  }

  // The places that were measured when they are few and whole, otherwise round numbers.
  std::vector<double> x_ticks() const {
    std::vector<double> xs;
    for (const Series& series : chart_.series)
      for (const Sample& sample : series.samples)
        if (plot_.holds(sample.x, sample.y)) xs.push_back(sample.x);
    std::sort(xs.begin(), xs.end());
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    const bool whole = std::ranges::all_of(xs, [](double x) { return std::trunc(x) == x; });
    if (!xs.empty() && xs.size() <= 8 && whole) return xs;
    const auto most = static_cast<std::size_t>((plot_.right - plot_.left) / 60);
    return plot_.log2 ? power_of_two_ticks(plot_.x, most)
                      : nice_ticks(plot_.x, std::max<std::size_t>(most, 2));
  }

  void draw_vertical_lines() {
    for (std::size_t i = 0; i < vertical_lines_.size(); ++i) {
      const double x = plot_.x_at(vertical_lines_[i].x);
      drawing_.line({x, plot_.top - 2}, {x, plot_.bottom}, {guide_ink, 1, "2 3", 1});
      drawing_.text(vertical_label_places_[i], vertical_lines_[i].label,
                    {label_size, Anchor::middle, dark_ink, false, 0});
    }
  }

  void draw_horizontal(const HorizontalLine& line) {
    const double y = plot_.y_at(line.y);
    drawing_.line({plot_.left, y}, {plot_.right, y}, guide_stroke());
  }

  template <class Draw>
  void for_each_series(Draw draw) {
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      drawing_.begin_series(chart_.series[i].name);
      draw(SeriesDrawing(drawing_, plot_, chart_.series[i], styles_[i]));
      drawing_.end_series();
    }
  }

  struct Label {
    std::string name;
    const SeriesStyle* style;  // nullptr: a horizontal line
    Point end;                 // where the line ends
    bool reaches_edge;
  };

  void draw_labels() {
    std::vector<Label> labels;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const Series& series = chart_.series[i];
      const auto last = std::find_if(series.samples.rbegin(), series.samples.rend(),
                                     [&](const Sample& sample) { return plot_.holds(sample.x, sample.y); });
      Label label{series.name, &styles_[i], {plot_.right, plot_.bottom}, false};
      if (last != series.samples.rend()) {
        label.end = plot_.at(last->x, last->y);
        label.reaches_edge =
            label.end.x > plot_.right - 0.15 * (plot_.right - plot_.left) && plot_.shows(last->y);
        label.end.y = std::clamp(label.end.y, plot_.top, plot_.bottom);
      }
      labels.push_back(label);
    }
    for (const HorizontalLine& line : horizontal_lines_)
      labels.push_back({line.label,
                        nullptr,
                        {plot_.right - 6, std::clamp(plot_.y_at(line.y), plot_.top, plot_.bottom)},
                        plot_.shows(line.y)});

    std::stable_sort(labels.begin(), labels.end(),
                     [](const Label& a, const Label& b) { return a.end.y < b.end.y; });
    std::vector<double> wishes;
    for (const Label& label : labels) wishes.push_back(label.end.y);
    const std::vector<double> places = spread_apart(wishes, label_height, plot_.top + 4, plot_.bottom - 4);

    const double left = plot_.right + leader_length;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Label& label = labels[i];
      const std::string colour = label.style ? label.style->colour : guide_stroke().colour;
      if (label.reaches_edge)
        drawing_.line({label.end.x + 6, label.end.y}, {left - 3, places[i]}, {colour, 1, "", 0.55});
      drawing_.begin_series(label.name);
      if (label.style)
        draw_key(drawing_, {left, places[i]}, *label.style);
      else
        drawing_.line({left, places[i]}, {left + key_length, places[i]}, guide_stroke());
      draw_key_name(drawing_, {left, places[i]}, label.name);
      drawing_.end_series();
    }
  }

  static constexpr double leader_length = 22;

  const LineChart& chart_;
  std::vector<SeriesStyle> styles_;
  Drawing drawing_;
  PlotArea plot_{};
  double width_ = 0;
  std::vector<double> y_ticks_;
  std::vector<std::string> y_labels_;
  std::vector<VerticalLine> vertical_lines_;  // those that can be shown
  std::vector<HorizontalLine> horizontal_lines_;
  std::vector<Point> vertical_label_places_;
};

}  // namespace

Figure line_chart(const LineChart& chart) { return LineChartDrawing(chart).draw(); }

Figure line_chart_key(const LineChart& chart, double width) {
  double widest = 0;
  for (const Series& series : chart.series) widest = std::max(widest, text_width(series.name, label_size));
  for (const HorizontalLine& line : chart.horizontal_lines)
    widest = std::max(widest, text_width(line.label, label_size));
  const double column_width = key_length + 8 + widest + 16;

  constexpr double row_height = 20;
  Drawing drawing;
  Point place = {padding, padding};
  const auto add = [&](const std::string& name, auto draw_line) {
    if (place.x > padding && place.x + column_width > width) place = {padding, place.y + row_height};
    draw_line();
    draw_key_name(drawing, place, name);
    place.x += column_width;
  };
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    add(chart.series[i].name, [&] { draw_key(drawing, place, style_of(chart.series[i], i)); });
  for (const HorizontalLine& line : chart.horizontal_lines)
    add(line.label, [&] { drawing.line(place, {place.x + key_length, place.y}, guide_stroke()); });
  return {"key", width, place.y + padding, drawing.take()};
}

}  // namespace locus
