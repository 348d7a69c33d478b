#include "report/line_chart.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "report/format.h"
#include "report/label_places.h"
#include "report/plot_area.h"
#include "report/series_style.h"

namespace locus {

namespace {

constexpr double padding = 16, title_size = 15, label_size = axis_label_size, row_height = 17;

SeriesStyle style_of(const Series& series, std::size_t place) {
  if (series.role == Series::Role::ceiling) return ceiling_style();
  if (series.role == Series::Role::baseline) return baseline_style();
  SeriesStyle style = series_style(series.style.value_or(place));
  style.marked = series.marked;
  return style;
}

bool has_spread(const Sample& sample) { return can_be_drawn(sample.low) && can_be_drawn(sample.high); }

void draw_name(Drawing& drawing, Point left, const std::string& name) {
  drawing.text({left.x + key_length + 8, left.y + 4}, name, {label_size, Anchor::start, dark_ink, false, 0});
}

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
    for_each_series([&](const Series& series, const SeriesStyle& style) { draw_spread(series, style); });
    for_each_series([&](const Series& series, const SeriesStyle& style) { draw_line(series, style); });
    drawing_.end_clip();
    for_each_series([&](const Series& series, const SeriesStyle& style) { draw_dots(series, style); });
    for_each_series([&](const Series& series, const SeriesStyle& style) { draw_markers(series, style); });
    if (chart_.labels == LineChart::Labels::beside_lines) draw_labels();
    return {chart_.title, width_, plot_.bottom + bottom_margin(), drawing_.take()};
  }

 private:
  bool is_shown(const Sample& sample) const {
    return can_be_drawn(sample.x) && can_be_drawn(sample.y) && (!plot_.log2 || sample.x > 0);
  }

  void find_ranges() {
    plot_.log2 = chart_.x_axis == LineChart::Axis::log2;
    std::vector<double> xs, ys;
    for (const Series& series : chart_.series)
      for (const Sample& sample : series.samples)
        if (is_shown(sample)) {
          xs.push_back(sample.x);
          ys.insert(ys.end(), {sample.y, sample.low, sample.high});
        }
    for (const Series& series : chart_.series)
      for (const Point& dot : series.dots) {
        if (!is_shown({dot.x, dot.y})) continue;
        xs.push_back(dot.x);
        ys.push_back(dot.y);
      }
    for (const VerticalLine& line : chart_.vertical_lines) {
      if (!is_shown({line.x, 0})) continue;
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
    const double labels_height = labelled ? static_cast<double>(label_count()) * row_height : 0;
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
    plot_.top += static_cast<double>(rows) * row_height;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const double baseline = plot_.top - 6 - static_cast<double>(taken[i].row) * row_height;
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
        if (is_shown(sample)) xs.push_back(sample.x);
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
      draw(chart_.series[i], styles_[i]);
      drawing_.end_series();
    }
  }

  // The samples in runs without gaps.
  template <class Use>
  void for_each_run(const Series& series, Use use) const {
    std::vector<Sample> run;
    for (const Sample& sample : series.samples) {
      if (is_shown(sample)) {
        run.push_back(sample);
      } else {
        use(run);
        run.clear();
      }
    }
    use(run);
  }

  void draw_spread(const Series& series, const SeriesStyle& style) {
    for_each_run(series, [&](const std::vector<Sample>& run) {
      if (chart_.spread == LineChart::Spread::bars) {
        for (const Sample& sample : run)
          if (has_spread(sample)) draw_bar(sample, style);
        return;
      }
      std::vector<Point> outline;
      for (const Sample& sample : run)
        if (has_spread(sample)) outline.push_back(plot_.at(sample.x, sample.high));
      for (auto sample = run.rbegin(); sample != run.rend(); ++sample)
        if (has_spread(*sample)) outline.push_back(plot_.at(sample->x, sample->low));
      if (outline.size() > 2) drawing_.polygon(outline, style.colour, 0.15);
    });
  }

  void draw_bar(const Sample& sample, const SeriesStyle& style) {
    const Point low = plot_.at(sample.x, sample.low), high = plot_.at(sample.x, sample.high);
    const Stroke stroke = {style.colour, 1.2, "", 0.8};
    drawing_.line(low, high, stroke);
    for (const Point& end : {low, high}) drawing_.line({end.x - 3, end.y}, {end.x + 3, end.y}, stroke);
  }

  void draw_line(const Series& series, const SeriesStyle& style) {
    for_each_run(series, [&](const std::vector<Sample>& run) {
      std::vector<Point> points;
      for (const Sample& sample : run) {
        const Point point = plot_.at(sample.x, sample.y);
        // Thousands of steps share a pixel; what moves less than half of one cannot be seen.
        const bool moved = points.empty() || std::abs(point.x - points.back().x) > 0.5 ||
                           std::abs(point.y - points.back().y) > 0.5;
        if (moved || &sample == &run.back()) points.push_back(point);
      }
      drawing_.polyline(points, {style.colour, style.width, style.dashes, 1});
    });
  }

  void draw_dots(const Series& series, const SeriesStyle& style) {
    std::vector<Point> places;
    for (const Point& dot : series.dots)
      if (is_shown({dot.x, dot.y}) && plot_.shows(dot.y)) places.push_back(plot_.at(dot.x, dot.y));
    drawing_.dots(places, 5, style.colour, 0.7);
  }

  // Markers on every sample, or on some when they would touch.
  void draw_markers(const Series& series, const SeriesStyle& style) {
    if (!style.marked) return;
    const std::size_t count = series.samples.size();
    const auto room = static_cast<std::size_t>((plot_.right - plot_.left) / 20);
    const std::size_t stride = count / std::max<std::size_t>(room, 1) + 1;
    for (std::size_t i = 0; i < count; i += stride) {
      const Sample& sample = series.samples[i];
      if (!is_shown(sample) || !plot_.shows(sample.y)) continue;
      drawing_.shape(plot_.at(sample.x, sample.y), style.form, style.colour, paper, tooltip(series, sample));
    }
  }

  // "rope: 12, 0.96", and the seeds behind that mean: "(0.95, 0.97)".
  static std::string tooltip(const Series& series, const Sample& sample) {
    std::vector<std::string> seeds;
    for (const Point& dot : series.dots)
      if (dot.x == sample.x) seeds.push_back(short_number(dot.y));
    return text(series.name, ": ", short_number(sample.x), ", ", short_number(sample.y),
                seeds.size() > 1 ? text(" (", join(seeds, ", "), ')') : "");
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
                                     [&](const Sample& sample) { return is_shown(sample); });
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
    const std::vector<double> places = spread_apart(wishes, row_height, plot_.top + 4, plot_.bottom - 4);

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
      draw_name(drawing_, {left, places[i]}, label.name);
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

  Drawing drawing;
  Point place = {padding, padding};
  const auto add = [&](const std::string& name, auto draw_line) {
    if (place.x > padding && place.x + column_width > width) place = {padding, place.y + row_height + 3};
    draw_line();
    draw_name(drawing, place, name);
    place.x += column_width;
  };
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    add(chart.series[i].name, [&] { draw_key(drawing, place, style_of(chart.series[i], i)); });
  for (const HorizontalLine& line : chart.horizontal_lines)
    add(line.label, [&] { drawing.line(place, {place.x + key_length, place.y}, guide_stroke()); });
  return {"key", width, place.y + padding, drawing.take()};
}

}  // namespace locus
