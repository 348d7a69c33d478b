#include "draw/svg.h"

#include <doctest/doctest.h>

#include "svg_reader.h"

using namespace locus;

TEST_CASE("svg: coordinates are short and never -0") {
  CHECK(coordinate(12) == "12");
  CHECK(coordinate(0.25) == "0.25");
  CHECK(coordinate(1.0 / 3) == "0.33");
  CHECK(coordinate(100) == "100");
  CHECK(coordinate(-0.001) == "0");
  CHECK(coordinate(-1.5) == "-1.5");
}

TEST_CASE("svg: text is escaped and freed of what XML forbids") {
  CHECK(escape_xml("a<b> & \"c\" 'd' é") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; é");
  CHECK(escape_xml("a\x01\xFF\n") == "a???");
}

TEST_CASE("svg: longer texts are wider, and text wraps at spaces") {
  CHECK(text_width("", 12) == 0);
  CHECK(text_width("rope", 12) < text_width("ropes", 12));
  CHECK(text_width("mmm", 12) > text_width("iii", 12));
  CHECK(text_width("rope", 24) == doctest::Approx(2 * text_width("rope", 12)));
  CHECK(wrap_text("one two three", 10, 1000) == std::vector<std::string>{"one two three"});
  CHECK(wrap_text("one two three", 10, text_width("one two", 10)) ==
        std::vector<std::string>{"one two", "three"});
  CHECK(wrap_text("incomprehensibilities", 10, 5) == std::vector<std::string>{"incomprehensibilities"});
  CHECK(wrap_text("", 10, 5).empty());
}

TEST_CASE("svg: every element of a drawing is well-formed") {
  Drawing drawing;
  drawing.line({0, 0}, {1, 2}, {"#000000", 2, "6 4", 0.5});
  drawing.polyline({{0, 0}, {1, 1}, {2, 0}}, {});
  drawing.polygon({{0, 0}, {1, 1}, {2, 0}}, "#123456", 0.2);
  drawing.rectangle({1, 2}, 3, 4, "#ffffff");
  drawing.text({5, 6}, "<a & b>", {Anchor::end, "#333333", 14, true, -40});
  for (std::size_t form = 0; form < marker_forms; ++form)
    drawing.shape({9, 9}, form, "#000000", "#ffffff", form % 2 == 0 ? "" : "x < 1");
  drawing.dots({{1, 2}, {3, 4}}, 4, "#000000", 0.5);
  drawing.dots({}, 4, "#000000", 0.5);
  drawing.begin_series("a \"b\" <c>");
  drawing.end_series();
  const auto svg = test::read_svg(svg_document({"a \"title\"", 100.2, 50, drawing.take()}));
  CHECK(svg.fault == "");
  CHECK(svg.elements.front().name == "svg");
  CHECK(svg.elements.front().attributes.at("width") == "101");
  CHECK(svg.elements.front().attributes.at("viewBox") == "0 0 101 50");
  CHECK(svg.elements.front().attributes.at("aria-label") == "a &quot;title&quot;");
  CHECK(svg.named("rect").at(0).attributes.at("fill") == "#ffffff");
  CHECK(svg.shows("&lt;a &amp; b&gt;"));
  CHECK(svg.named("title").size() == marker_forms / 2);
  CHECK(svg.named("g").at(0).attributes.at("data-series") == "a &quot;b&quot; &lt;c&gt;");
  REQUIRE(svg.named("path").size() == 1);
  CHECK(svg.named("path")[0].attributes.at("d") == "M1 2h0M3 4h0");
}

TEST_CASE("svg: markers of different forms are different shapes") {
  std::vector<std::string> shapes;
  for (std::size_t form = 0; form < marker_forms; ++form) {
    Drawing drawing;
    drawing.shape({9, 9}, form, "#000000", "#ffffff", "");
    shapes.push_back(drawing.take());
  }
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(shapes[i] != shapes[j]);
}

TEST_CASE("svg: panels stand in a grid without overlap") {
  const auto figure = [](double width, double height) {
    return Figure{"", width, height, "<circle r=\"1\"/>\n"};
  };
  const Figure all = panels("Three tasks", {figure(100, 50), figure(80, 70), figure(120, 40)}, 2);
  const auto svg = test::read_svg(svg_document(all));
  CHECK(svg.fault == "");
  CHECK(svg.shows("Three tasks"));
  CHECK(all.width == 200);  // 120, as wide as the third, and 80
  const auto groups = svg.named("g");
  REQUIRE(groups.size() == 3);
  const double top = all.height - 70 - 40;
  const auto moved = [&](double x, double y) {
    return "translate(" + coordinate(x) + " " + coordinate(y) + ")";
  };
  CHECK(groups[0].attributes.at("transform") == moved(0, top));
  CHECK(groups[1].attributes.at("transform") == moved(120, top));
  CHECK(groups[2].attributes.at("transform") == moved(0, top + 70));

  CHECK(panels("", {}, 3).height == 0);
  CHECK(panels("", {figure(10, 20)}, 0).height == 20);
}
