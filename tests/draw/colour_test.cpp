#include "draw/colour.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "draw/charts.h"
#include "draw/plot.h"
#include "svg_reader.h"

using namespace locus;

namespace {

const Colour white = colour_from_hex(0xFFFFFF), black = colour_from_hex(0);

Colour colour_of(std::string_view hex) {
  return colour_from_hex(static_cast<unsigned>(std::stoul(std::string(hex.substr(1)), nullptr, 16)));
}

}  // namespace

TEST_CASE("colour: hexadecimal in and out") {
  CHECK(to_string(colour_from_hex(0x0072B2)) == "#0072b2");
  CHECK(to_string(colour_from_hex(0xFFFFFF)) == "#ffffff");
  CHECK(to_string(Colour{-1, 0.5, 7}) == "#0080ff");
}

TEST_CASE("colour: contrast and lightness have their known values") {
  CHECK(contrast_ratio(white, black) == doctest::Approx(21));
  CHECK(contrast_ratio(black, white) == doctest::Approx(21));
  CHECK(contrast_ratio(white, white) == doctest::Approx(1));
  CHECK(contrast_ratio(white, colour_from_hex(0x767676)) == doctest::Approx(4.54).epsilon(0.002));
  CHECK(lightness(white) == doctest::Approx(1).epsilon(1e-4));
  CHECK(lightness(black) == doctest::Approx(0).epsilon(1e-4));
  CHECK(lightness(colour_from_hex(0xFF0000)) == doctest::Approx(0.628).epsilon(0.001));  // Ottosson's table
}

TEST_CASE("colour: the inks of text can be read on white") {
  for (const char* text : {dark_ink, pale_ink}) CHECK(contrast_ratio(white, colour_of(text)) > 6);
}

TEST_CASE("colour: series colours differ, repeat only after all were used, and stand out from white") {
  for (std::size_t i = 0; i < series_colours; ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(series_colour(i) != series_colour(j));
    CHECK(series_colour(i) == series_colour(i + series_colours));
    CHECK(contrast_ratio(white, colour_of(series_colour(i))) >= 3);
  }
}

TEST_CASE("colour: the sequential scale darkens at every step, and evenly") {
  double last = lightness(sequential_colour(0));
  CHECK(last > 0.95);
  for (int i = 1; i <= 100; ++i) {
    const double now = lightness(sequential_colour(i / 100.0));
    CHECK(now < last);
    CHECK(last - now < 0.014);
    last = now;
  }
  CHECK(last < 0.3);
  CHECK(to_string(sequential_colour(-1)) == to_string(sequential_colour(0)));
  CHECK(to_string(sequential_colour(2)) == to_string(sequential_colour(1)));
}

TEST_CASE("colour: the diverging scale is palest in the middle and equally dark at equal distances") {
  for (int i = 1; i <= 50; ++i) {
    const double inner = (i - 1) / 100.0, outer = i / 100.0;
    CHECK(lightness(diverging_colour(0.5 - outer)) < lightness(diverging_colour(0.5 - inner)));
    CHECK(lightness(diverging_colour(0.5 + outer)) < lightness(diverging_colour(0.5 + inner)));
    CHECK(std::abs(lightness(diverging_colour(0.5 - outer)) - lightness(diverging_colour(0.5 + outer))) <
          0.07);
  }
  CHECK(diverging_colour(0.1).blue > diverging_colour(0.1).red);
  CHECK(diverging_colour(0.9).red > diverging_colour(0.9).blue);
}

TEST_CASE("colour: numbers can be read on every shade of both scales") {
  for (int i = 0; i <= 100; ++i)
    for (const Colour cell : {sequential_colour(i / 100.0), diverging_colour(i / 100.0)})
      CHECK(contrast_ratio(cell, text_colour_on(cell)) >= 4.3);
}

TEST_CASE("theme: on a dark ground inks can be read and series stand out") {
  const Colour ground = colour_of(screen_colours()[0].dark);
  CHECK(lightness(ground) < 0.25);
  std::set<std::string> lights, darks;
  for (const auto& colour : screen_colours()) {
    const std::string light(colour.light), dark(colour.dark);  // clang 14 captures no structured bindings
    CAPTURE(light);
    lights.insert(light);
    darks.insert(dark);
    if (light == dark_ink || light == pale_ink) CHECK(contrast_ratio(ground, colour_of(dark)) > 7);
  }
  CHECK(lights.size() == screen_colours().size());  // a style rule per colour: none may mean two things
  CHECK(darks.size() == screen_colours().size());
  for (std::size_t i = 0; i < series_colours; ++i) {
    const std::string light = series_colour(i);
    CAPTURE(light);
    const auto found = std::ranges::find(screen_colours(), light, &ScreenColour::light);
    REQUIRE(found != screen_colours().end());
    CHECK(contrast_ratio(ground, colour_of(found->dark)) > 4.5);
  }
}

TEST_CASE("theme: every colour of a chart has its counterpart") {
  LineChart chart{.title = "t", .x_label = "x", .y_label = "y", .series = {}};
  chart.vertical_line = VerticalLine{1, "trained"};
  for (int i = 0; i < 9; ++i) chart.series.push_back({.name = "s", .samples = {{1, 2}, {2, 3}}});
  chart.series.push_back({.name = "r", .samples = {{1, 2}, {2, 3}}, .style = ceiling_style()});
  const auto svg = test::read_svg(svg_element(line_chart(chart)));
  CHECK(svg.fault == "");
  for (const auto& element : svg.elements)
    for (const char* key : {"fill", "stroke"}) {
      const auto colour = element.attributes.find(key);
      if (colour == element.attributes.end() || colour->second == "none") continue;
      CAPTURE(colour->second);
      CHECK(std::ranges::count(screen_colours(), colour->second, &ScreenColour::light) == 1);
    }
}

TEST_CASE("theme: no shade of a heat map is taken for an ink") {
  for (int i = 0; i <= 255; ++i)
    for (const Colour shade : {sequential_colour(i / 255.0), diverging_colour(i / 255.0)})
      CHECK(std::ranges::count(screen_colours(), to_string(shade), &ScreenColour::light) == 0);
}

TEST_CASE("theme: on a dark screen the cells of heat maps are inverted, and so are the numbers on them") {
  const HeatMap map{.title = "t",
                    .rows = 1,
                    .columns = 3,
                    .values = {0, 1, NAN},
                    .row_axis = {"query"},
                    .column_axis = {"key"},
                    .value_label = ""};
  const auto svg = test::read_svg(svg_element(heat_map(map)));
  const auto has = [](const std::string& rule) { return dark_style().find(rule) != std::string::npos; };
  CHECK(has("[shape-rendering]{filter:invert(1)"));
  CHECK(std::ranges::any_of(svg.elements,
                            [](const auto& one) { return one.attributes.contains("shape-rendering"); }));
  const std::string missing = str("[shape-rendering] [fill=\"", missing_fill, "\"]{fill:");
  REQUIRE(has(missing));
  const Colour before_inversion =
      colour_of(dark_style().substr(dark_style().find(missing) + missing.size(), 7));
  CHECK(lightness(before_inversion) > 0.75);  // dark when inverted
  CHECK(has(str("[shape-rendering] [stroke=\"", axis_ink, "\"]")));
  const std::string on_pale = svg.text("0.00").attributes.at("fill"),
                    on_dark = svg.text("1.00").attributes.at("fill");
  CHECK(has(str("text[fill=\"", on_pale, "\"]{fill:", on_dark, '}')));
  CHECK(has(str("text[fill=\"", on_dark, "\"]{fill:", on_pale, '}')));
}

TEST_CASE("theme: a document brings both themes, the element of a page neither") {
  Drawing drawing;
  drawing.line({0, 0}, {1, 1}, {.colour = pink_ink});
  const Figure figure = {"t", 10, 10, drawing.take()};
  const std::string document = svg_document(figure);
  const auto has = [&](const std::string& rule) { return document.find(rule) != std::string::npos; };
  CHECK(has(str("[stroke=\"", pink_ink, "\"]{stroke:")));
  CHECK(has(str(":not(text)[fill=\"", paper, "\"]{fill:")));
  CHECK_FALSE(has(str("[fill=\"", pink_ink, "\"]")));  // only colours that are in the figure
  CHECK_FALSE(has("[shape-rendering]"));
  CHECK(svg_element(figure).find("style") == std::string::npos);
  CHECK(dark_style().find_first_of("<>&") == std::string::npos);
}
