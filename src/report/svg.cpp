#include "report/svg.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/utf8.h"
#include "report/colour.h"

namespace locus {

namespace {

constexpr double panel_title_size = 17;

std::string points_text(const std::vector<Point>& points) {
  std::string out;
  for (const Point& point : points) {
    if (!out.empty()) out += ' ';
    out += text(coordinate(point.x), ',', coordinate(point.y));
  }
  return out;
}

std::string stroke_text(const Stroke& stroke) {
  std::string out = text(" stroke=\"", stroke.colour, "\" stroke-width=\"", coordinate(stroke.width), '"');
  if (!stroke.dashes.empty()) out += text(" stroke-dasharray=\"", stroke.dashes, '"');
  if (stroke.opacity < 1) out += text(" stroke-opacity=\"", coordinate(stroke.opacity), '"');
  return out;
}

// Corners at these angles and distances from the center; angle 0 points up, 90 to the right.
std::vector<Point> star(Point center, int corners, double radius, double inner_radius, double first_angle) {
  std::vector<Point> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = (first_angle + 360.0 * i / corners) * std::numbers::pi / 180;
    const double r = i % 2 == 0 ? radius : inner_radius;
    points.push_back({center.x + r * std::sin(angle), center.y - r * std::cos(angle)});
  }
  return points;
}

}  // namespace

std::string coordinate(double value) {
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 2).ptr;
  std::string out(buffer, end);
  if (out.find('.') != std::string::npos) out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string escape_xml(std::string_view source) {
  std::string out;
  for (const char c : printable(source)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character decoded = utf8_character(text, at);
    const std::string_view character = text.substr(at, std::max<std::size_t>(decoded.bytes, 1));
    const auto is_one_of = [&](std::string_view set) {
      return decoded.code < 0x80 && set.find(character) != set.npos;
    };
    if (is_one_of("iIjl.,:;'|!()[]"))
      width += 0.37;
    else if (is_one_of("frt -/\""))
      width += 0.42;
    else if (is_one_of("mwMW%@"))
      width += 0.97;
    else if (decoded.code >= 'A' && decoded.code <= 'Z')
      width += 0.73;
    else
      width += 0.63 * static_cast<double>(display_width(character));
    at += character.size();
  }
  return width * size;
}

std::vector<std::string> wrap_text(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
    if (!lines.empty() && text_width(lines.back() + ' ' + word, size) <= width)
      lines.back() += ' ' + word;
    else
      lines.push_back(word);
  }
  return lines;
}

void Drawing::line(Point from, Point to, const Stroke& stroke) {
  body_ += locus::text("<line x1=\"", coordinate(from.x), "\" y1=\"", coordinate(from.y), "\" x2=\"",
                       coordinate(to.x), "\" y2=\"", coordinate(to.y), '"', stroke_text(stroke), "/>\n");
}

void Drawing::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  if (points.size() < 2) return;
  body_ += locus::text("<polyline fill=\"none\" stroke-linejoin=\"round\"", stroke_text(stroke), " points=\"",
                       points_text(points), "\"/>\n");
}

void Drawing::polygon(const std::vector<Point>& points, std::string_view fill, double opacity) {
  body_ += locus::text("<polygon fill=\"", fill, "\" fill-opacity=\"", coordinate(opacity), "\" points=\"",
                       points_text(points), "\"/>\n");
}

void Drawing::rectangle(Point corner, double width, double height, std::string_view fill) {
  body_ += locus::text("<rect x=\"", coordinate(corner.x), "\" y=\"", coordinate(corner.y), "\" width=\"",
                       coordinate(width), "\" height=\"", coordinate(height), "\" fill=\"", fill, "\"/>\n");
}

void Drawing::circle(Point center, double radius, const Stroke& stroke) {
  body_ += locus::text("<circle cx=\"", coordinate(center.x), "\" cy=\"", coordinate(center.y), "\" r=\"",
                       coordinate(radius), "\" fill=\"none\"", stroke_text(stroke), "/>\n");
}

void Drawing::text(Point baseline, std::string_view text, const TextLook& look) {
  constexpr std::array<std::string_view, 3> anchors = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  const std::string x = coordinate(baseline.x), y = coordinate(baseline.y);
  body_ += locus::text("<text x=\"", x, "\" y=\"", y, "\" font-size=\"", coordinate(look.size), "\" fill=\"",
                       look.colour, '"', anchors[static_cast<std::size_t>(look.anchor)]);
  if (look.bold) body_ += " font-weight=\"bold\"";
  if (look.rotation != 0)
    body_ += locus::text(" transform=\"rotate(", coordinate(look.rotation), ' ', x, ' ', y, ")\"");
  body_ += locus::text('>', escape_xml(text), "</text>\n");
}

double Drawing::heading(std::string_view title, double size, double left, double top, double width) {
  const TextLook look = {size, Anchor::start, dark_ink, true, 0};
  for (const std::string& words : wrap_text(title, size * 1.06, width)) {  // bold is wider
    text({left, top + size}, words, look);
    top += size * 1.3;
  }
  return title.empty() ? top : top + 6;
}

void Drawing::shape(Point center, std::size_t form, std::string_view fill, std::string_view outline,
                    std::string_view tooltip) {
  std::string element;
  switch (form % marker_forms) {
    case 0:
      element =
          locus::text("circle cx=\"", coordinate(center.x), "\" cy=\"", coordinate(center.y), "\" r=\"4\"");
      break;
    case 1:
      element = points_text(star(center, 4, 5.2, 5.2, 45));
      break;  // square
    case 2:
      element = points_text(star(center, 3, 5.8, 5.8, 0));
      break;  // triangle
    case 3:
      element = points_text(star(center, 4, 5.6, 5.6, 0));
      break;  // diamond
    case 4:
      element = points_text(star(center, 3, 5.8, 5.8, 180));
      break;  // triangle, point down
    case 5:
      element = points_text(star(center, 8, 6.2, 2.6, 0));
      break;  // four-pointed star
    default:
      element = points_text(star(center, 6, 5.2, 5.2, 0));
      break;  // hexagon
  }
  if (!element.starts_with("circle")) element = locus::text("polygon points=\"", element, '"');
  body_ += locus::text('<', element, " fill=\"", fill, "\" stroke=\"", outline, "\" stroke-width=\"1\"");
  if (tooltip.empty())
    body_ += "/>\n";
  else
    body_ += locus::text("><title>", escape_xml(tooltip), "</title></", element.substr(0, element.find(' ')),
                         ">\n");
}

void Drawing::begin_clip(Point corner, double width, double height) {
  const std::string box = locus::text(coordinate(corner.x), ' ', coordinate(corner.y), ' ', coordinate(width),
                                      ' ', coordinate(height));
  body_ += locus::text("<svg x=\"", coordinate(corner.x), "\" y=\"", coordinate(corner.y), "\" width=\"",
                       coordinate(width), "\" height=\"", coordinate(height), "\" viewBox=\"", box,
                       "\" overflow=\"hidden\">\n");
}

void Drawing::end_clip() { body_ += "</svg>\n"; }

void Drawing::begin_series(std::string_view name) {
  body_ += locus::text("<g data-series=\"", escape_xml(name), "\">\n");
}

void Drawing::end_series() { body_ += "</g>\n"; }

void Drawing::dots(const std::vector<Point>& centers, double diameter, std::string_view colour,
                   double opacity) {
  if (centers.empty()) return;
  std::string path;  // lines of no length, whose round ends are the dots
  for (const Point& center : centers)
    path += locus::text('M', coordinate(center.x), ' ', coordinate(center.y), "h0");
  body_ += locus::text("<path fill=\"none\" stroke-linecap=\"round\"",
                       stroke_text({std::string(colour), diameter, "", opacity}), " d=\"", path, "\"/>\n");
}

void Drawing::hover_area(Point corner, double width, double height, std::string_view tooltip) {
  body_ += locus::text("<rect x=\"", coordinate(corner.x), "\" y=\"", coordinate(corner.y), "\" width=\"",
                       coordinate(width), "\" height=\"", coordinate(height),
                       "\" fill=\"none\" pointer-events=\"all\"><title>", escape_xml(tooltip),
                       "</title></rect>\n");
}

void Drawing::insert(const Figure& figure, Point corner) {
  body_ += locus::text("<g transform=\"translate(", coordinate(corner.x), ' ', coordinate(corner.y), ")\">\n",
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
  Figure all{std::string(title), 0, 0, ""};
  for (const double width : widths) all.width += width;

  Drawing drawing;
  double y =
      title.empty() ? 0 : drawing.heading(title, panel_title_size, padding, padding, all.width - 2 * padding);
  for (std::size_t row = 0; row < rows; ++row) {
    double x = 0;
    for (std::size_t column = 0; column < columns && row * columns + column < figures.size(); ++column) {
      drawing.insert(figures[row * columns + column], {x, y});
      x += widths[column];
    }
    y += heights[row];
  }
  all.height = y;
  all.body = drawing.take();
  return all;
}

std::string svg_element(const Figure& figure) {
  const std::string width = coordinate(std::ceil(figure.width)),
                    height = coordinate(std::ceil(figure.height));
  return text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"", height,
              "\" viewBox=\"0 0 ", width, ' ', height,
              "\" font-family=\"sans-serif\" role=\"img\" aria-label=\"", escape_xml(figure.title), "\">\n",
              figure.body, "</svg>\n");
}

std::string svg_document(const Figure& figure) {
  return svg_element({figure.title, figure.width, figure.height,
                      text("<style>", dark_style(), "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"",
                           paper, "\"/>\n", figure.body)});
}

}  // namespace locus
