#include <doctest/doctest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "draw/charts.h"
#include "svg_reader.h"

using namespace locus;

namespace {

HeatMap small_map() {
  HeatMap map;
  map.title = "Exact match";
  map.rows = 2;
  map.columns = 3;
  map.values = {0, 0.5, 1, 0.25, NAN, 0.75};
  map.row_axis = {"scheme", {"rope", "none"}};
  map.column_axis = {"length", {"8", "16", "32"}};
  map.value_label = "accuracy";
  map.range = Range{0, 1};
  return map;
}

HeatMap square_map(std::size_t size) {
  HeatMap map;
  map.rows = map.columns = size;
  for (std::size_t i = 0; i < size * size; ++i) map.values.push_back(static_cast<double>(i));
  return map;
}

test::Svg draw(const HeatMap& map) { return test::read_svg(svg_document(heat_map(map))); }

}  // namespace

TEST_CASE("heat map: shows its title, axes, names, numbers and colour bar") {
  const auto svg = draw(small_map());
  CHECK(svg.fault == "");
  for (const char* words : {"Exact match", "scheme", "length", "accuracy", "rope", "none", "8", "16", "32",
                            "0.00", "0.50", "1.00", "0.25", "0.75", "0.0", "0.2", "1.0"}) {
    CAPTURE(words);
    CHECK(svg.shows(words));
  }
  CHECK_FALSE(svg.shows("nan"));
  CHECK(svg_document(heat_map(small_map())) == svg_document(heat_map(small_map())));
}

TEST_CASE("heat map: each cell has the colour of its value, grey without one") {
  const auto svg = draw(small_map());
  const auto fill_of = [&](const std::string& path) {
    for (const auto& element : svg.named("path"))
      if (element.attributes.at("d").find(path) != std::string::npos) return element.attributes.at("fill");
    return std::string("no such path");
  };
  CHECK(fill_of("M0 0h1v1H0z") == to_string(sequential_colour(0)));
  CHECK(fill_of("M2 0h1v1H2z") == to_string(sequential_colour(1)));
  CHECK(fill_of("M0 1h1v1H0z") == to_string(sequential_colour(13.0 / 50)));
  CHECK(fill_of("M1 1h1v1H1z") == "#dddddd");
  CHECK(svg.named("rect").size() == 2);  // the background, and the key to grey
}

TEST_CASE("heat map: numbers are light on dark cells and dark on light ones") {
  const auto svg = draw(small_map());
  CHECK(svg.text("1.00").attributes.at("fill") == "#ffffff");
  CHECK(svg.text("0.00").attributes.at("fill") == "#111111");
}

TEST_CASE("heat map: the diverging scale is symmetric around zero") {
  HeatMap map = small_map();
  map.range.reset();
  map.scale = HeatMap::Scale::diverging;
  map.values = {-4, 0, 1, 2, 2.5, 1};
  const auto svg = draw(map);
  const auto paths = svg.named("path");
  const auto has = [&](const std::string& d, const std::string& fill) {
    return std::any_of(paths.begin(), paths.end(), [&](const auto& p) {
      return p.attributes.at("d").find(d) != std::string::npos && p.attributes.at("fill") == fill;
    });
  };
  CHECK(has("M0 0h1v1H0z", to_string(diverging_colour(0))));
  CHECK(has("M1 0h1v1H1z", to_string(diverging_colour(25.0 / 50))));
  CHECK(has("M0 1h1v1H0z", to_string(diverging_colour(38.0 / 50))));
}

TEST_CASE("heat map: many cells have no numbers and only some places named") {
  HeatMap map = square_map(64);
  map.row_axis = {"query", {}};
  map.column_axis = {"key", {}, -21};
  const auto svg = draw(map);
  CHECK(svg.shows("-20"));
  CHECK(svg.shows("0"));
  CHECK_FALSE(svg.shows("-21"));
  CHECK(svg.named("text").size() < 45);
}

TEST_CASE("heat map: equal neighbours are drawn as one, so that large maps stay small") {
  HeatMap map = square_map(200);
  for (double& value : map.values) value = 1;
  CHECK(heat_map(map).body.size() < 20'000);
  CHECK(heat_map(square_map(200)).body.size() < 40'000 * 20);
}

TEST_CASE("heat map: maps side by side begin at one height, with the colour bar or without") {
  HeatMap map = square_map(12);
  map.title = "head 0.0";
  map.value_label = "weight";
  map.range = Range{0, 144};
  map.square_cells = true;
  map.width = 215;
  for (const char* label :
       {"", "query", "position that looks", "position of the token that looks at another"}) {
    CAPTURE(label);
    map.row_axis.label = label;
    const std::string drawn = svg_document(heat_maps("", {map, map}, 2));
    std::vector<std::string> heights;  // translate(39.12 65.5) scale(...: of cells, and of the bar
    for (const std::string& part : split(drawn, '('))
      if (part.find(") scale") != std::string::npos) heights.push_back(part.substr(part.find(' ')));
    REQUIRE(heights.size() == 3);
    CHECK(heights[0] == heights[1]);
    CHECK(heights[0] == heights[2]);
  }
}

TEST_CASE("heat map: names that do not fit side by side are slanted") {
  HeatMap map = square_map(12);
  for (int i = 0; i < 12; ++i) map.column_axis.names.push_back("a long name " + std::to_string(i));
  const auto svg = draw(map);
  CHECK(svg.text("a long name 7").attributes.at("transform").starts_with("rotate(-40 "));
  for (auto& name : map.column_axis.names) name = "a";
  CHECK(draw(map).text("a").attributes.count("transform") == 0);
}

TEST_CASE("heat map: sizes that do not agree are refused") {
  HeatMap map = small_map();
  map.values.pop_back();
  CHECK_THROWS_WITH_AS(heat_map(map), "[heat map] 2 rows and 3 columns, but 5 values", Error);
  map = small_map();
  map.row_axis.names.push_back("t5");
  CHECK_THROWS_WITH_AS(heat_map(map), "[heat map] 2 rows, but 3 names for them", Error);
  map = small_map();
  map.column_axis.names.pop_back();
  CHECK_THROWS_WITH_AS(heat_map(map), "[heat map] 3 columns, but 2 names for them", Error);
  map = small_map();
  map.range = Range{1, 1};
  CHECK_THROWS_WITH_AS(heat_map(map), "[heat map] the range must rise, but goes from 1 to 1", Error);
}

TEST_CASE("heat map: any numbers give a well-formed drawing of finite numbers") {
  Random random(1, Purpose::testing);
  const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e308, -1e308, 5e-324, 1, 2, -3};
  for (int i = 0; i < 2000; ++i) {
    HeatMap map;
    map.title = "a < b";
    map.rows = static_cast<std::size_t>(random.below(5));
    map.columns = static_cast<std::size_t>(random.below(5));
    for (std::size_t n = 0; n < map.rows * map.columns; ++n)
      map.values.push_back(random.below(3) == 0 ? random.normal() : odd[random.below(11)]);
    map.scale = i % 2 == 0 ? HeatMap::Scale::sequential : HeatMap::Scale::diverging;
    map.square_cells = i % 3 == 0;
    const auto svg = draw(map);
    CHECK(svg.fault == "");
    CHECK(test::has_only_finite_numbers(svg));
  }
}

TEST_CASE("shade map: the higher the value, the darker the cell; dots without one; a key if asked for") {
  const HeatMap map{.title = "codes",
                    .rows = 2,
                    .columns = 3,
                    .values = {0, 0.5, 1, 0.25, NAN, 0.75},
                    .row_axis = {"position"},
                    .column_axis = {"channel"},
                    .value_label = "value"};
  const std::string without_key =
      "codes; down: position, across: channel\n"
      " 0    ▒▒██\n"
      " 1  ░░··▓▓\n";
  CHECK(shade_map(map, 80, false) == without_key);
  CHECK(shade_map(map) ==
        without_key + "value: blank from 0, ░░ from 0.2, ▒▒ from 0.4, ▓▓ from 0.6, ██ from 0.8 to 1\n");
}

TEST_CASE("shade map: of large maps it shows the beginning, and says so") {
  HeatMap map;
  map.rows = 40;
  map.columns = 2;
  map.values.resize(80);
  const std::string out = shade_map(map);
  CHECK(out.find("\n31  ") != out.npos);
  CHECK(out.find("\n32  ") == out.npos);
  CHECK(out.find("\nthe first 32 of 40 rows, 2 of 2 columns\n") != out.npos);
}
