// Figures as SVG text, without scripts, ids and style sheets, so that one HTML page can hold several.
//
// A chart (charts.h) makes a Figure; panels() puts figures side by side; svg_document() makes a file,
// svg_element() a part of a page. Units are pixels at normal size; y grows downwards.
// Equal input gives equal bytes.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "draw/colour.h"

namespace locus {

struct Figure {
  std::string title;  // plain text, for readers who cannot see the drawing
  double width = 0, height = 0;
  std::string body;  // SVG elements within (0,0)..(width,height)
};

// A whole file, on white, or on a dark background for readers who prefer that (dark_style).
std::string svg_document(const Figure& figure);

// Whether a file that begins so is a figure that svg_document made.
bool is_svg_document(std::string_view beginning);

// The figure as a part of a page, which has a background and a style of its own.
std::string svg_element(const Figure& figure);

// The figures under one title, in rows of this many columns.
Figure panels(std::string_view title, const std::vector<Figure>& figures, std::size_t columns);

// Escapes &, <, >, " and '; control characters, which XML forbids, become '?'.
std::string escape_xml(std::string_view text);

// An estimate of the width of a sans-serif text. The reader's font is unknown, so it is rather too wide
// than too narrow.
double text_width(std::string_view text, double size);

// The text in lines of at most `width`, broken at spaces. A longer word is a line of its own.
std::vector<std::string> wrap_text(std::string_view text, double size, double width);

// The space around a chart, and the sizes of its texts.
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

  // A bold heading, wrapped to `width`, from `top` down. Returns
  // the y of its end, which is `top` for an empty title.
  double heading(std::string_view title, double size, double left, double top, double width);

  // A small filled shape; `form` is its index among marker_forms shapes. The tooltip appears while the
  // pointer rests on it.
  void shape(Point center, std::size_t form, std::string_view fill, std::string_view outline,
             std::string_view tooltip);

  // Many small round dots as one element, which is left out when there are none.
  void dots(const std::vector<Point>& centers, double diameter, std::string_view colour, double opacity);

  // What is drawn between the two calls belongs to the series of this name: a page can highlight it.
  void begin_series(std::string_view name);
  void end_series();

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
