#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/size.h"
#include "draw/charts.h"
#include "io/format.h"

namespace locus {

namespace {

constexpr double label_height = 17;   // of the names beside lines and above the plot
constexpr double leader_length = 22;  // from the end of a line to its key
constexpr double key_length = 26;     // of the piece of line before a name

class LineChartDrawing {
 public:
  explicit LineChartDrawing(const LineChart& chart) : chart_(chart) {
    for (const Series& series : chart.series) {
      styles_.push_back(series.style.value_or(series_style(styles_.size())));
      styles_.back().marked &= series.marked;
    }
    plot_.log_x = chart.log_x;
    plot_.log_y = chart.log_y;
  }

  Figure draw() {
    find_ranges();
    lay_out();
    draw_y_axis(drawing_, plot_, y_ticks_, y_labels_);
    draw_x_axis(drawing_, plot_, x_ticks(), chart_.x_label);
    draw_vertical_line();
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_line(chart_.series[i], styles_[i]);
    for (std::size_t i = 0; i < chart_.series.size(); ++i) draw_markers(chart_.series[i], styles_[i]);
    draw_labels();
    return {chart_.title, width_, plot_.bottom + x_axis_height(chart_.x_label), drawing_.take()};
  }

 private:
  std::vector<Sample> drawable(const Series& series) const {
    std::vector<Sample> samples = series.samples;
    std::erase_if(samples, [&](const Sample& sample) { return !plot_.holds(sample.x, sample.y); });
    return samples;
  }

  void find_ranges() {
    std::vector<double> xs, ys;
    for (const Series& series : chart_.series)
      for (const Sample& sample : drawable(series)) {
        xs.push_back(sample.x);
        ys.push_back(sample.y);
      }
    measured_x_ = {xs.begin(), xs.end()};
    if (chart_.vertical_line) xs.push_back(chart_.vertical_line->x);
    if (plot_.log_x && xs.empty()) xs = {1, 2};
    plot_.x = range_of(xs);
    if (chart_.y_range) {
      plot_.y = *chart_.y_range;
      if (!(plot_.y.high > plot_.y.low))  // NaN as well
        fail("line chart", str("the y range must rise, but goes from ", plot_.y.low, " to ", plot_.y.high));
      return;
    }
    if (plot_.log_y && ys.empty()) ys = {1, 2};
    plot_.y = with_some_width(range_of(ys));
    if (plot_.log_y) {  // to the next powers of two
      plot_.y = {std::exp2(std::floor(std::log2(std::max(plot_.y.low, 1e-300)))),
                 std::exp2(std::ceil(std::log2(plot_.y.high)))};
      return;
    }
    // Widened to round numbers; zero is shown when it is near.
    if (plot_.y.low > 0 && plot_.y.low < 0.4 * plot_.y.high) plot_.y.low = 0;
    const double step = nice_step(plot_.y, 6);
    plot_.y = {std::floor(plot_.y.low / step + 1e-6) * step, std::ceil(plot_.y.high / step - 1e-6) * step};
  }

  void lay_out() {
    y_ticks_ = plot_.log_y ? power_of_two_ticks(plot_.y, 6) : nice_ticks(plot_.y, 6);
    y_labels_ = tick_labels(y_ticks_);
    const auto labels = std::ranges::count_if(chart_.series, [](const Series& s) { return !s.name.empty(); });
    const double right_margin =
        labels > 0 ? leader_length + key_length + 8 + widest(chart_.series, &Series::name) + padding / 2
                   : padding;
    plot_.left = padding + widest(y_labels_) + 8;
    width_ = std::max(chart_.width, plot_.left + 150 + right_margin);
    plot_.right = width_ - right_margin;

    plot_.top = drawing_.heading(chart_.title, title_size, padding, padding, width_ - 2 * padding);
    if (!chart_.y_label.empty()) {
      drawing_.text({padding, plot_.top + label_size}, chart_.y_label, {Anchor::start, pale_ink});
      plot_.top += label_size + 12;
    }
    if (chart_.vertical_line) plot_.top += label_height;
    plot_.bottom = std::max({chart_.height - x_axis_height(chart_.x_label),
                             plot_.top + static_cast<double>(labels) * label_height, plot_.top + 60});
  }

  // The x of the samples when they are few and whole numbers, otherwise round numbers.
  std::vector<double> x_ticks() const {
    const bool whole = std::ranges::all_of(measured_x_, [](double x) { return std::trunc(x) == x; });
    if (!measured_x_.empty() && measured_x_.size() <= 8 && whole)
      return {measured_x_.begin(), measured_x_.end()};
    std::size_t most = as_size((plot_.right - plot_.left) / 60);
    if (plot_.log_x && chart_.width < 400) most = 4;  // of a phone: powers of two are short
    return plot_.log_x ? power_of_two_ticks(plot_.x, most)
                       : nice_ticks(plot_.x, std::max<std::size_t>(most, 2));
  }

  void draw_vertical_line() {
    if (!chart_.vertical_line) return;
    const auto& [value, label] = *chart_.vertical_line;
    const double x = plot_.x_at(value), half = text_width(label, label_size) / 2;
    drawing_.line({x, plot_.top - 2}, {x, plot_.bottom}, {guide_ink, 1, "2 3"});
    drawing_.text({std::max(x, plot_.left + half), plot_.top - 6}, label, {Anchor::middle});
  }

  // Cut where a sample cannot be drawn.
  void draw_line(const Series& series, const SeriesStyle& style) {
    std::vector<Point> points;
    for (auto sample = series.samples.begin(); sample != series.samples.end(); ++sample) {
      if (!plot_.holds(sample->x, sample->y)) continue;
      const auto next = sample + 1;
      const bool ends = next == series.samples.end() || !plot_.holds(next->x, next->y);
      const Point point = plot_.at(sample->x, std::clamp(sample->y, plot_.y.low, plot_.y.high));
      // Thousands of steps share a pixel; a move of less than half a pixel cannot be seen.
      if (points.empty() || ends || std::abs(point.x - points.back().x) > 0.5 ||
          std::abs(point.y - points.back().y) > 0.5)
        points.push_back(point);
      if (ends) drawing_.polyline(std::exchange(points, {}), {style.colour, style.width, style.dashes});
    }
  }

  // On every sample, or on some when they would touch.
  void draw_markers(const Series& series, const SeriesStyle& style) {
    if (!style.marked) return;
    const auto room = as_size((plot_.right - plot_.left) / 20);
    const std::size_t stride = series.samples.size() / std::max<std::size_t>(room, 1) + 1;
    for (std::size_t i = 0; i < series.samples.size(); i += stride) {
      const Sample& sample = series.samples[i];
      if (plot_.holds(sample.x, sample.y) && shows(sample))
        drawing_.shape(plot_.at(sample.x, sample.y), style.form, style.colour, paper,
                       str(series.name, ": ", short_number(sample.x), ", ", short_number(sample.y)));
    }
  }

  bool shows(const Sample& sample) const { return sample.y >= plot_.y.low && sample.y <= plot_.y.high; }

  // The names beside the ends of the lines.
  void draw_labels() {
    struct Label {
      std::size_t series;
      Point end;  // of the line
      bool reaches_edge;
    };
    std::vector<Label> labels;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      if (chart_.series[i].name.empty()) continue;
      Label label{i, {plot_.right, plot_.bottom}, false};
      if (const auto samples = drawable(chart_.series[i]); !samples.empty()) {
        label.end = plot_.at(samples.back().x, samples.back().y);
        label.reaches_edge =
            label.end.x > plot_.right - 0.15 * (plot_.right - plot_.left) && shows(samples.back());
      }
      label.end.y = std::clamp(label.end.y, plot_.top, plot_.bottom);
      labels.push_back(label);
    }
    std::ranges::stable_sort(labels, {}, [](const Label& label) { return label.end.y; });
    std::vector<double> wishes;
    for (const Label& label : labels) wishes.push_back(label.end.y);
    const std::vector<double> places = spread_apart(wishes, label_height, plot_.top + 4, plot_.bottom - 4);

    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto& [series, end, reaches_edge] = labels[i];
      const double left = plot_.right + leader_length, y = places[i];
      const SeriesStyle& style = styles_[series];
      if (reaches_edge) drawing_.line({end.x + 6, end.y}, {left - 3, y}, {style.colour, 1, "", 0.55});
      drawing_.line({left, y}, {left + key_length, y}, {style.colour, style.width, style.dashes});
      if (style.marked) drawing_.shape({left + key_length / 2, y}, style.form, style.colour, paper, "");
      drawing_.text({left + key_length + 8, y + 4}, chart_.series[series].name, {});
    }
  }

  const LineChart& chart_;
  std::vector<SeriesStyle> styles_;
  PlotArea plot_{};
  Drawing drawing_;
  double width_ = 0;
  std::set<double> measured_x_;
  std::vector<double> y_ticks_;
  std::vector<std::string> y_labels_;
};

}  // namespace

Figure line_chart(const LineChart& chart) { return LineChartDrawing(chart).draw(); }

}  // namespace locus
