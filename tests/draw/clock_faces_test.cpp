#include <doctest/doctest.h>

#include <algorithm>

#include "../support/errors.h"
#include "draw/charts.h"
#include "svg_reader.h"

using namespace locus;

TEST_CASE("clock faces: one face and hand for each row and column, pointing where they should") {
  const auto svg = test::read_svg(svg_document(clock_faces({.title = "Clocks",
                                                            .column_label = "position",
                                                            .rows = {"pair 0"},
                                                            .columns = {"0", "1"},
                                                            .hands = {{0, 1}, {1, 0}}})));
  CHECK(svg.fault == "");
  for (const char* words : {"Clocks", "position", "pair 0", "0", "1"}) CHECK(svg.shows(words));
  std::vector<test::SvgElement> rims = svg.named("circle"), tips;
  const auto is_tip = [](const auto& circle) { return circle.attributes.at("fill") != "none"; };
  std::copy_if(rims.begin(), rims.end(), std::back_inserter(tips), is_tip);
  rims.erase(std::remove_if(rims.begin(), rims.end(), is_tip), rims.end());
  REQUIRE((rims.size() == 2 && tips.size() == 2));
  CHECK(tips[0].number("cx") == rims[0].number("cx"));  // straight up
  CHECK(tips[0].number("cy") == rims[0].number("cy") - rims[0].number("r"));
  CHECK(tips[1].number("cx") == rims[1].number("cx") + rims[1].number("r"));  // to the right
  CHECK(tips[1].number("cy") == rims[1].number("cy"));
}

TEST_CASE("clock faces: as many hands as clocks, or an error") {
  CHECK(error_of([] {
          clock_faces(
              {.title = "", .column_label = "", .rows = {"a"}, .columns = {"b", "c"}, .hands = {{0, 1}}});
        }) == "[clock faces] 1 rows of 2 clocks, but 1 hands");
}
