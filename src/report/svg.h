// Figures as SVG text: no scripts, no ids, no style sheets, so that several can stand in one HTML page.
//
// A chart (charts.h) draws into a Figure; panels() sets figures side by side; svg_document()
// makes the file, svg_element() the part of a page. Units are pixels at normal size, y grows downwards. Equal
// input gives equal bytes.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/colour.h"

namespace locus {

struct Figure {
  std::string title;  // plain text, for readers who cannot see the drawing
  double width = 0, height = 0;
  std::string body;  // SVG elements within (0,0)..(width,height)
};

// The whole file: on white, or on a dark ground for readers who prefer that (colour.h).
std::string svg_document(const Figure& figure);

// The figure within a page, which brings the ground and the style of its own.
std::string svg_element(const Figure& figure);

// Small multiples: the figures in rows of `columns`, under one title.
Figure panels(std::string_view title, const std::vector<Figure>& figures, std::size_t columns);

// &, <, >, " and ' escaped; control characters, which XML forbids, become '?'.
std::string escape_xml(std::string_view text);

// About how wide a sans-serif text is. The reader's font is unknown: rather too wide than too narrow.
double text_width(std::string_view text, double size);

// The text on lines of at most `width`, broken at spaces; words that are longer stay whole.
std::vector<std::string> wrap_text(std::string_view text, double size, double width);

// What charts have in common: the space around them, and the sizes of their texts.
inline constexpr double padding = 16, title_size = 15, label_size = 12;

// The width of the widest label: widest(names), or widest(chart.series, &Series::name).
template <class Items, class Label = std::identity>
double widest(const Items& items, Label label = {}) {
  double width = 0;
  for (const auto& item : items) width = std::max(width, text_width(std::invoke(label, item), label_size));
  return width;
}

enum class Anchor { start, middle, end };

struct TextLook {
  Anchor anchor = Anchor::start;
  std::string colour = dark_ink;
  double size = label_size;
  bool bold = false;
  double rotation = 0;  // degrees clockwise around the anchor
};

struct Stroke {
  std::string colour = dark_ink;
  double width = 1;
  std::string_view dashes = "";  // SVG's stroke-dasharray
  double opacity = 1;
};

struct Point {
  double x = 0, y = 0;
};

// Builds the body of a figure, one element at a time.
class Drawing {
 public:
  void line(Point from, Point to, const Stroke& stroke);
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  void polygon(const std::vector<Point>& points, std::string_view fill, double opacity);
  void rectangle(Point corner, double width, double height, std::string_view fill);
  void circle(Point center, double radius, const Stroke& stroke);
  void text(Point baseline, std::string_view text, const TextLook& look);

  // A wrapped bold heading at the top left, from `top` down. Returns where it ends; `top` when it is empty.
  double heading(std::string_view title, double size, double left, double top, double width);

  // Small filled shapes, told apart by form as well as colour. `tooltip` shows when a pointer rests on the
  // shape.
  void shape(Point center, std::size_t form, std::string_view fill, std::string_view outline,
             std::string_view tooltip);

  // Many small round dots as one element. Nothing when there are none.
  void dots(const std::vector<Point>& centers, double diameter, std::string_view colour, double opacity);

  // Shows nothing but a tooltip.
  void hover_area(Point corner, double width, double height, std::string_view tooltip);

  // What is drawn between the two calls belongs to the series of this name: a page can bring it forward.
  void begin_series(std::string_view name);
  void end_series();

  // What is drawn between the two calls is shown only within this rectangle.
  void begin_clip(Point corner, double width, double height);
  void end_clip();

  void insert(const Figure& figure, Point corner);
  void append(std::string_view elements) { body_ += elements; }

  std::string take() { return std::move(body_); }

 private:
  std::string body_;
};

inline constexpr std::size_t marker_forms = 7;

// A coordinate with at most two decimals: "12", "0.25".
std::string coordinate(double value);

}  // namespace locus
