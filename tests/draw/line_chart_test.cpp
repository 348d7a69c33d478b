#include <doctest/doctest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "draw/charts.h"
#include "svg_reader.h"

using namespace locus;

namespace {

LineChart accuracy_chart() {
  LineChart chart;
  chart.title = "Reverse";
  chart.x_label = "length";
  chart.y_label = "token accuracy";
  chart.y_range = Range{0, 1};
  chart.series = {{"rope", {{8, 1}, {16, 0.9}, {32, 0.5}}},
                  {"alibi", {{8, 1}, {16, 0.95}, {32, 0.51}}},
                  {"none", {{8, 0.2}, {16, 0.2}, {32, 0.2}}}};
  chart.vertical_line = VerticalLine{16, "longest trained"};
  chart.series.push_back(
      {.name = "order-blind ceiling", .samples = {{8, 0.2}, {32, 0.2}}, .style = ceiling_style()});
  return chart;
}

test::Svg draw(const LineChart& chart) { return test::read_svg(svg_document(line_chart(chart))); }

}  // namespace

TEST_CASE("line chart: shows its title, axes, ticks, series and marked lines") {
  const auto svg = draw(accuracy_chart());
  CHECK(svg.fault == "");
  for (const char* words : {"Reverse", "length", "token accuracy", "0.0", "0.2", "1.0", "8", "16", "32",
                            "rope", "alibi", "none", "longest trained", "order-blind ceiling"}) {
    CAPTURE(words);
    CHECK(svg.shows(words));
  }
  CHECK(svg.named("polyline").size() == 4);
  const auto titles = svg.named("title");
  CHECK(std::any_of(titles.begin(), titles.end(), [](const auto& t) { return t.text == "rope: 16, 0.9"; }));
  CHECK(svg_document(line_chart(accuracy_chart())) == svg_document(line_chart(accuracy_chart())));
}

TEST_CASE("line chart: labels stand in the order of the line ends and do not touch") {
  const auto svg = draw(accuracy_chart());
  const double alibi = svg.text("alibi").number("y"), rope = svg.text("rope").number("y");
  const double none = svg.text("none").number("y"), ceiling = svg.text("order-blind ceiling").number("y");
  CHECK(rope - alibi >= 16.9);  // 0.50 and 0.51 would lie two pixels apart
  CHECK(none - rope > 30);
  CHECK(std::abs(ceiling - none) >= 16.9);
}

TEST_CASE("line chart: labels fit into the figure, which grows for long and for many names") {
  LineChart chart = accuracy_chart();
  chart.series[0].name =
      "a scheme that was given a very long name indeed, one longer than the chart is wide at first";
  const Figure wide = line_chart(chart);
  const auto label = test::read_svg(svg_document(wide)).text(chart.series[0].name);
  CHECK(label.number("x") + text_width(chart.series[0].name, 12) <= wide.width);
  CHECK(label.number("x") > 200);

  chart = accuracy_chart();
  for (int i = 0; i < 40; ++i) chart.series.push_back({"series " + std::to_string(i), {{8, 0.5}, {32, 0.5}}});
  const Figure tall = line_chart(chart);
  double lowest = 0;
  const auto many = test::read_svg(svg_document(tall));
  for (const auto& text : many.named("text")) lowest = std::max(lowest, text.number("y"));
  CHECK(lowest < tall.height);
  CHECK(tall.height > 44 * 17);
}

TEST_CASE("line chart: no two of many series look the same") {
  LineChart chart;
  for (int i = 0; i < 21; ++i) chart.series.push_back({"s", {{0, 0}, {1, 1}}});
  const auto svg = draw(chart);
  std::vector<std::string> looks;
  for (const auto& line : svg.named("polyline")) {
    const auto dashes = line.attributes.find("stroke-dasharray");
    looks.push_back(line.attributes.at("stroke") + (dashes == line.attributes.end() ? "" : dashes->second));
  }
  std::sort(looks.begin(), looks.end());
  CHECK(looks.size() == 21);
  CHECK(std::adjacent_find(looks.begin(), looks.end()) == looks.end());
}

TEST_CASE(
    "line chart: what lies outside a fixed range is drawn at its end, an automatic range shows it all") {
  LineChart chart = accuracy_chart();
  chart.series = {{"loss", {{1, 0.5}, {2, 7.5}, {3, 0.5}}}};
  CHECK(draw(chart).named("circle").size() == 3);  // two samples and the key: the third lies above
  CHECK_FALSE(draw(chart).shows("8"));
  const std::string places = draw(chart).named("polyline")[0].attributes.at("points");
  const double top = draw(chart).text("1.0").number("y") - 4;
  CHECK(places.find(coordinate(top) + " ") != places.npos);
  chart.y_range.reset();
  CHECK(draw(chart).named("circle").size() == 4);
  CHECK(draw(chart).shows("8"));
  chart.y_range = Range{1, 0};
  CHECK_THROWS_WITH_AS(line_chart(chart), "[line chart] the y range must rise, but goes from 1 to 0", Error);
  chart.y_range = Range{0, NAN};
  CHECK_THROWS_AS(line_chart(chart), Error);
}

TEST_CASE("line chart: what is not finite leaves a gap") {
  LineChart chart;
  chart.series = {{"loss", {{1, 3}, {2, 2}, {3, NAN}, {4, INFINITY}, {5, 2}, {6, 1}}}};
  const auto svg = draw(chart);
  CHECK(svg.named("polyline").size() == 2);
  CHECK(test::has_only_finite_numbers(svg));
}

TEST_CASE("line chart: a logarithmic axis sets octaves equally far apart") {
  LineChart chart = accuracy_chart();
  chart.log_x = true;
  chart.series[0].samples.push_back({-1, 0.5});
  const auto svg = draw(chart);
  CHECK(svg.text("32").number("x") - svg.text("16").number("x") ==
        doctest::Approx(svg.text("16").number("x") - svg.text("8").number("x")).epsilon(1e-3));

  LineChart upright;
  upright.log_y = true;
  upright.series.push_back({"s", {{0, -1}, {1, 0.125}, {2, 8}}});
  const auto up = draw(upright);
  CHECK(up.text("0.500").number("y") - up.text("2.000").number("y") ==
        doctest::Approx(up.text("2.000").number("y") - up.text("8.000").number("y")).epsilon(1e-3));
}

TEST_CASE("line chart: a few measured places are the ticks if they are whole numbers") {
  LineChart chart = accuracy_chart();
  CHECK(draw(chart).shows("32"));
  CHECK_FALSE(draw(chart).shows("30"));
  chart.series[0].samples[0].x = 6.28319;
  CHECK_FALSE(draw(chart).shows("6.28319"));
  CHECK(draw(chart).shows("30"));
}

TEST_CASE("line chart: a series may do without markers") {
  LineChart chart = accuracy_chart();
  CHECK(draw(chart).named("circle").size() == 4);  // three samples, and the key
  chart.series[0].marked = false;
  CHECK(draw(chart).named("circle").empty());
}

TEST_CASE("line chart: a series without a name has no label") {
  LineChart chart = accuracy_chart();
  for (Series& series : chart.series) series.name = "";
  CHECK_FALSE(draw(chart).shows("rope"));
}

TEST_CASE("line chart: thousands of samples stay a small drawing") {
  LineChart chart;
  Random random(1, Purpose::testing);
  Series series{"loss", {}};
  for (int i = 0; i < 100'000; ++i) series.samples.push_back({double(i), 1 + i * 1e-6});
  chart.series.push_back(series);
  CHECK(line_chart(chart).body.size() < 30'000);
}

TEST_CASE("line chart: any numbers give a well-formed drawing of finite numbers") {
  Random random(2, Purpose::testing);
  const double odd[] = {NAN, INFINITY, -INFINITY, 0, -0.0, 1e308, -1e308, 5e-324, 1, 2, -3};
  const auto number = [&] { return random.below(3) == 0 ? random.normal() : odd[random.below(11)]; };
  for (int i = 0; i < 2000; ++i) {
    LineChart chart;
    chart.title = i % 2 == 0 ? "" : "<title> & \x01\xFF";
    chart.log_x = i % 3 == 0;
    chart.log_y = i % 5 == 0;
    for (int s = random.below(4); s > 0; --s) {
      Series series{"s", {}};
      if (random.below(4) == 0) series.style = ceiling_style();
      for (int n = random.below(12); n > 0; --n) series.samples.push_back({number(), number()});
      chart.series.push_back(series);
    }
    if (random.below(2) == 0) chart.vertical_line = VerticalLine{1, "v"};
    const auto svg = draw(chart);
    CHECK(svg.fault == "");
    CHECK(test::has_only_finite_numbers(svg));
  }
}
