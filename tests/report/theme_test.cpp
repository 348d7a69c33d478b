#include "report/theme.h"

#include <doctest/doctest.h>

#include <set>

#include "report/colour.h"
#include "report/heat_map.h"
#include "report/line_chart.h"
#include "svg_reader.h"

using namespace locus;

namespace {

Colour colour_of(const std::string& hex) {
  return colour_from_hex(static_cast<unsigned>(std::stoul(hex.substr(1), nullptr, 16)));
}

}  // namespace

TEST_CASE("theme: on a dark ground inks can be read and series stand out") {
  const Colour ground = colour_of(twins()[0].dark);
  CHECK(lightness(ground) < 0.25);
  std::set<std::string> lights, darks;
  for (const auto& twin : twins()) {
    const std::string light = twin.light, dark = twin.dark;  // clang 14 captures no structured bindings
    CAPTURE(light);
    lights.insert(light);
    darks.insert(dark);
    if (light == dark_ink || light == pale_ink) CHECK(contrast_ratio(ground, colour_of(dark)) > 7);
  }
  CHECK(lights.size() == twins().size());  // a style rule per colour: none may mean two things
  CHECK(darks.size() == twins().size());
  for (std::size_t i = 0; i < series_colours; ++i) {
    const std::string light = to_string(series_colour(i));
    CAPTURE(light);
    const auto twin = std::ranges::find(twins(), light, &Twin::light);
    REQUIRE(twin != twins().end());
    CHECK(contrast_ratio(ground, colour_of(twin->dark)) > 4.5);
  }
}

TEST_CASE("theme: every colour of a chart has its twin") {
  LineChart chart{.title = "t", .x_label = "x", .y_label = "y", .series = {}};
  chart.vertical_lines = {{1, "trained"}};
  chart.horizontal_lines = {{1, "ceiling"}};
  for (int i = 0; i < 9; ++i)
    chart.series.push_back({.name = "s", .samples = {{1, 2}, {2, 3}}, .dots = {{1, 2}}});
  chart.series.push_back({.name = "r", .samples = {{1, 2}, {2, 3}}, .role = Series::Role::ceiling});
  const auto svg = test::read_svg(svg_element(line_chart(chart)));
  CHECK(svg.fault == "");
  for (const auto& element : svg.elements)
    for (const char* key : {"fill", "stroke"}) {
      const auto colour = element.attributes.find(key);
      if (colour == element.attributes.end() || colour->second == "none") continue;
      CAPTURE(colour->second);
      CHECK(std::ranges::count(twins(), colour->second, &Twin::light) == 1);
    }
}

TEST_CASE("theme: no shade of a heat map is taken for an ink") {
  for (int i = 0; i <= 255; ++i)
    for (const Colour shade : {sequential_colour(i / 255.0), diverging_colour(i / 255.0)})
      CHECK(std::ranges::count(twins(), to_string(shade), &Twin::light) == 0);
}

TEST_CASE("theme: a document brings both themes, the element of a page neither") {
  const Figure figure = {"t", 10, 10, ""};
  CHECK(svg_document(figure).find(dark_style()) != std::string::npos);
  CHECK(svg_element(figure).find("style") == std::string::npos);
  CHECK(dark_style().find_first_of("<>&") == std::string::npos);
}
