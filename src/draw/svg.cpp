#include "draw/svg.h"

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "io/utf8.h"

namespace locus {

namespace {

constexpr double panel_title_size = 17;
constexpr std::string_view beginning_of_figure = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"",
                           before_title = "\" font-family=\"sans-serif\" role=\"img\" aria-label=\"";

// An attribute in pixels: attribute("x", 12) -> " x=\"12\"".
std::string attribute(std::string_view name, double value) {
  return str(' ', name, "=\"", coordinate(value), '"');
}

std::string points_attribute(const std::vector<Point>& points) {
  std::vector<std::string> pairs;
  for (const Point& point : points) pairs.push_back(str(coordinate(point.x), ',', coordinate(point.y)));
  return str(" points=\"", join(pairs, " "), '"');
}

std::string stroke_attributes(const Stroke& stroke) {
  std::string out = str(" stroke=\"", stroke.colour, '"', attribute("stroke-width", stroke.width));
  if (!stroke.dashes.empty()) out += str(" stroke-dasharray=\"", stroke.dashes, '"');
  if (stroke.opacity < 1) out += attribute("stroke-opacity", stroke.opacity);
  return out;
}

// The shape of a marker: corners on a circle, every second one on an inner circle. The first corner stands at
// this angle in degrees: 0 is up, 90 right. No corners: a circle.
struct MarkerForm {
  int corners;
  double radius, inner_radius, first_angle;
};
constexpr MarkerForm forms[marker_forms] = {
    {0, 4, 4, 0},        // circle
    {4, 5.2, 5.2, 45},   // square
    {3, 5.8, 5.8, 0},    // triangle
    {4, 5.6, 5.6, 0},    // diamond
    {3, 5.8, 5.8, 180},  // triangle, point down
    {8, 6.2, 2.6, 0},    // four-pointed star
    {6, 5.2, 5.2, 0},    // hexagon
};

std::vector<Point> corners_of(const MarkerForm& form, Point center) {
  std::vector<Point> corners;
  for (int i = 0; i < form.corners; ++i) {
    const double angle = (form.first_angle + 360.0 * i / form.corners) * std::numbers::pi / 180;
    const double radius = i % 2 == 0 ? form.radius : form.inner_radius;
    corners.push_back({center.x + radius * std::sin(angle), center.y - radius * std::cos(angle)});
  }
  return corners;
}

}  // namespace

std::string coordinate(double value) {
  std::string out = fixed(value, 2);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

std::string escape_xml(std::string_view source) {
  constexpr std::string_view special = "&<>\"'";
  constexpr std::array<std::string_view, 5> escaped = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  for (const char c : printable(source)) {
    const std::size_t place = special.find(c);
    out += place == special.npos ? std::string_view(&c, 1) : escaped[place];
  }
  return out;
}

double text_width(std::string_view text, double size) {
  constexpr std::pair<std::string_view, double> widths[] = {
      {"iIjl.,:;'|!()[]", 0.37}, {"frt -/\"", 0.42}, {"mwMW%@", 0.97}, {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0.73}};
  double width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = std::max<std::size_t>(utf8_character(text, at).bytes, 1);
    const std::string_view character = text.substr(at, bytes);
    const auto found = std::ranges::find_if(
        widths, [&](const auto& one) { return one.first.find(character) != one.first.npos; });
    width += found == std::end(widths) ? 0.63 * static_cast<double>(display_width(character)) : found->second;
    at += bytes;
  }
  return width * size;
}

std::vector<std::string> wrap_text(std::string_view text, double size, double width) {
  if (text.empty()) return {};
  return lines_that_fit(text, [&](std::string_view line) { return text_width(line, size) <= width; });
}

void Drawing::line(Point from, Point to, const Stroke& stroke) {
  body_ += str("<line", attribute("x1", from.x), attribute("y1", from.y), attribute("x2", to.x),
               attribute("y2", to.y), stroke_attributes(stroke), "/>\n");
}

void Drawing::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.size() < 2) return;
  body_ += str("<polyline fill=\"none\" stroke-linejoin=\"round\"", stroke_attributes(stroke),
               points_attribute(points), "/>\n");
}

void Drawing::polygon(const std::vector<Point>& points, std::string_view fill, double opacity) {
  body_ += str("<polygon fill=\"", fill, '"', attribute("fill-opacity", opacity), points_attribute(points),
               "/>\n");
}

void Drawing::rectangle(Point corner, double width, double height, std::string_view fill) {
  body_ += str("<rect", attribute("x", corner.x), attribute("y", corner.y), attribute("width", width),
               attribute("height", height), " fill=\"", fill, "\"/>\n");
}

void Drawing::circle(Point center, double radius, const Stroke& stroke) {
  body_ += str("<circle", attribute("cx", center.x), attribute("cy", center.y), attribute("r", radius),
               " fill=\"none\"", stroke_attributes(stroke), "/>\n");
}

void Drawing::text(Point baseline, std::string_view text, const TextLook& look) {
  constexpr std::array<std::string_view, 3> anchors = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  body_ +=
      str("<text", attribute("x", baseline.x), attribute("y", baseline.y), attribute("font-size", look.size),
          " fill=\"", look.colour, '"', anchors[as_size(look.anchor)]);
  if (look.bold) body_ += " font-weight=\"bold\"";
  if (look.rotation != 0)
    body_ += str(" transform=\"rotate(", coordinate(look.rotation), ' ', coordinate(baseline.x), ' ',
                 coordinate(baseline.y), ")\"");
  body_ += str('>', escape_xml(text), "</text>\n");
}

double Drawing::heading(std::string_view title, double size, double left, double top, double width) {
  for (const std::string& words : wrap_text(title, size * 1.06, width)) {  // bold is wider
    text({left, top + size}, words, {.size = size, .bold = true});
    top += size * 1.3;
  }
  return title.empty() ? top : top + 6;
}

void Drawing::shape(Point center, std::size_t form, std::string_view fill, std::string_view outline,
                    std::string_view tooltip) {
  const MarkerForm& marker = forms[form % marker_forms];
  const std::string_view name = marker.corners == 0 ? "circle" : "polygon";
  const std::string place = marker.corners == 0 ? attribute("cx", center.x) + attribute("cy", center.y) +
                                                      attribute("r", marker.radius)
                                                : points_attribute(corners_of(marker, center));
  body_ += str('<', name, place, " fill=\"", fill, "\" stroke=\"", outline, "\" stroke-width=\"1\"");
  body_ += tooltip.empty() ? "/>\n" : str("><title>", escape_xml(tooltip), "</title></", name, ">\n");
}

void Drawing::begin_series(std::string_view name) {
  body_ += str("<g data-series=\"", escape_xml(name), "\">\n");
}

void Drawing::end_series() { body_ += "</g>\n"; }

void Drawing::dots(const std::vector<Point>& centers, double diameter, std::string_view colour,
                   double opacity) {
  if (centers.empty()) return;
  std::string path;  // lines of no length, whose round ends are the dots
  for (const Point& center : centers) path += str('M', coordinate(center.x), ' ', coordinate(center.y), "h0");
  body_ += str("<path fill=\"none\" stroke-linecap=\"round\"",
               stroke_attributes({std::string(colour), diameter, "", opacity}), " d=\"", path, "\"/>\n");
}

void Drawing::insert(const Figure& figure, Point corner) {
  body_ += str("<g transform=\"translate(", coordinate(corner.x), ' ', coordinate(corner.y), ")\">\n",
               figure.body, "</g>\n");
}

Figure panels(std::string_view title, const std::vector<Figure>& figures, std::size_t columns) {
  columns = std::clamp<std::size_t>(columns, 1, std::max<std::size_t>(figures.size(), 1));
  const std::size_t rows = (figures.size() + columns - 1) / columns;
  std::vector<double> widths(columns), heights(rows);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    widths[i % columns] = std::max(widths[i % columns], figures[i].width);
    heights[i / columns] = std::max(heights[i / columns], figures[i].height);
  }
  const double width = std::accumulate(widths.begin(), widths.end(), 0.0);

  Drawing drawing;
  double y =
      title.empty() ? 0 : drawing.heading(title, panel_title_size, padding, padding, width - 2 * padding);
  for (std::size_t row = 0; row < rows; ++row) {
    double x = 0;
    for (std::size_t column = 0; column < columns && row * columns + column < figures.size(); ++column) {
      drawing.insert(figures[row * columns + column], {x, y});
      x += widths[column];
    }
    y += heights[row];
  }
  return {std::string(title), width, y, drawing.take()};
}

std::string svg_element(const Figure& figure) {
  const std::string width = coordinate(std::ceil(figure.width)),
                    height = coordinate(std::ceil(figure.height));
  return str(beginning_of_figure, width, "\" height=\"", height, "\" viewBox=\"0 0 ", width, ' ', height,
             before_title, escape_xml(figure.title), "\">\n", figure.body, "</svg>\n");
}

std::string svg_document(const Figure& figure) {
  const std::string body = str("<rect width=\"100%\" height=\"100%\" fill=\"", paper, "\"/>\n", figure.body);
  return svg_element(
      {figure.title, figure.width, figure.height, str("<style>", dark_style(body), "</style>\n", body)});
}

bool is_svg_document(std::string_view beginning) {
  return beginning.starts_with(beginning_of_figure) &&
         beginning.substr(0, beginning.find('>')).find(before_title) != beginning.npos;
}

}  // namespace locus
