#include <doctest/doctest.h>

#include <cmath>

#include "report/charts.h"
#include "svg_reader.h"

using namespace locus;

namespace {

DotPlot small_plot() {
  return {.title = "reverse",
          .x_label = "steps",
          .note_label = "solved",
          .rows = {{"none", 0, {}, "0 of 3"}, {"rope", 1, {100, 200, 300}, "3 of 3"}}};
}

test::Svg draw(const DotPlot& plot) { return test::read_svg(svg_document(dot_plot(plot))); }

}  // namespace

TEST_CASE("dot plot: a row for each series, a mark for each value, and their mean") {
  const auto svg = draw(small_plot());
  CHECK(svg.fault == "");
  for (const char* words : {"reverse", "steps", "solved", "none", "rope", "0 of 3", "3 of 3", "0", "300"}) {
    CAPTURE(words);
    CHECK(svg.shows(words));
  }
  std::vector<std::string> tips;
  for (const auto& title : svg.named("title")) tips.push_back(title.text);
  CHECK(tips == std::vector<std::string>{"rope: 100", "rope: 200", "rope: 300"});
  const auto lines = svg.named("line");
  const auto upright = std::ranges::find_if(lines, [](const auto& line) {
    return line.attributes.at("x1") == line.attributes.at("x2") &&
           line.attributes.at("stroke") == to_string(series_colour(1));
  });
  REQUIRE(upright != lines.end());
  const double zero = svg.text("0").number("x"), most = svg.text("300").number("x");
  CHECK(upright->number("x1") == doctest::Approx(zero + (most - zero) * 200 / 300).epsilon(1e-3));
}

TEST_CASE("dot plot: names and notes of any length stay within the figure and off the dots") {
  DotPlot plot = small_plot();
  plot.rows[1].name = "rope:base=100,extend=yarn,factor=4,original=16 none";
  const Figure figure = dot_plot(plot);
  const auto svg = test::read_svg(svg_document(figure));
  const auto name = svg.text(plot.rows[1].name);
  CHECK(name.number("x") - text_width(plot.rows[1].name, 12) >= 0);
  CHECK(svg.text("3 of 3").number("x") <= figure.width);
  CHECK(svg.text("3 of 3").number("x") - text_width("3 of 3", 12) > svg.text("300").number("x"));
}

TEST_CASE("dot plot: what cannot be drawn is left out") {
  DotPlot plot = small_plot();
  plot.rows[0].values = {NAN, INFINITY, -5, 1e308};
  plot.rows.push_back({"empty", 2, {}, ""});
  const auto svg = draw(plot);
  CHECK(svg.fault == "");
  CHECK(test::has_only_finite_numbers(svg));
  CHECK(svg.named("title").size() == 3);
  CHECK(draw({.title = "", .x_label = "", .note_label = ""}).fault == "");
}
