#include "report/page/page.h"

#include <doctest/doctest.h>

#include "../../support/samples.h"
#include "page_reader.h"

using namespace locus;
using test::Sample;

namespace {

std::vector<Result> grid(const std::vector<std::string>& tasks, const std::vector<std::string>& schemes,
                         int seeds, Sample sample = {}) {
  std::vector<Result> results;
  for (const std::string& task : tasks)
    for (const std::string& scheme : schemes)
      for (int seed = 1; seed <= seeds; ++seed) {
        sample.task = task;
        sample.scheme = scheme;
        sample.seed = seed;
        for (auto& at : sample.tested)
          at.accuracy = 1.0 / (1 + seed + static_cast<double>(results.size() % 7));
        sample.steps_to_solve = 50 * seed;
        results.push_back(test::result_of(sample));
      }
  return results;
}

std::vector<CellCurve> curves_of(const std::vector<Result>& results) {
  std::vector<CellCurve> curves;
  for (const Result& result : results) {
    Curve curve;
    for (int step = 50; step <= 1000; step += 50) {
      curve.step.push_back(step);
      curve.loss.push_back(1.0 / step);
      curve.accuracy.push_back(step / 1000.0);
    }
    curves.push_back({result.settings, curve});
  }
  return curves;
}

std::vector<CellDuration> durations_of(const std::vector<Result>& results) {
  std::vector<CellDuration> durations;
  for (const Result& result : results) durations.push_back({result.settings, {1000, 2.5, 3}});
  return durations;
}

bool has(const std::string& page, std::string_view words) { return page.find(words) != page.npos; }

long count(const test::Svg& page, std::string_view element) {
  return std::ranges::count(page.elements, element, &test::SvgElement::name);
}

}  // namespace

TEST_CASE("page: every section, each a heading that the contents lead to") {
  const auto results = grid({"reverse", "sort"}, {"none", "rope", "t5"}, 3);
  const std::string page = report_page(Study(Records{results, curves_of(results), durations_of(results)}));
  const auto read = test::read_page(page);
  CHECK(read.fault == "");
  CHECK(has(page, "<h1>3 positional schemes on 2 tasks</h1>"));
  CHECK(has(page, "18 models trained and tested: encoder, 3 seeds each."));
  for (const char* id : {"map", "accuracy", "learning", "steps", "control", "cost", "settings", "terms"}) {
    CAPTURE(id);
    CHECK(has(page, text("<a href=\"#", id, "\">")));
    CHECK(has(page, text("<section id=\"", id, "\" aria-labelledby=\"", id, "-heading\"><h2 id=\"", id,
                         "-heading\">")));
  }
  CHECK(count(read, "section") == 8);
  CHECK(has(page, "<td class=\"number\">2.50</td>"));  // ms per step
  CHECK(has(page, "<td class=\"number\">3 of 3</td>"));
}

TEST_CASE("page: a part for which there are no numbers is left out") {
  const std::string page = report_page(Study(Records{grid({"reverse"}, {"rope"}, 1)}));
  CHECK(test::read_page(page).fault == "");
  for (const char* id : {"learning", "control"}) CHECK_FALSE(has(page, text("id=\"", id, "\"")));
  CHECK_FALSE(has(page, "ms per step"));
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}, 0.1}, {24, 1, {}, 0.1}}};
  const std::string generated = report_page(Study(Records{grid({"copy"}, {"rope", "none"}, 2, decoder)}));
  CHECK(test::read_page(generated).fault == "");
  CHECK(has(generated, "exact match"));
  CHECK_FALSE(has(generated, "data-series=\"order-blind ceiling\""));
}

TEST_CASE("page: ceilings and baselines stand in every map, chart and table of accuracies") {
  const std::string page = report_page(Study(Records{grid({"reverse"}, {"none", "rope"}, 2)}));
  for (const char* name : {"order-blind ceiling", "no-input baseline"}) {
    CAPTURE(name);
    std::size_t marked = 0;
    for (std::size_t at = 0; (at = page.find(text(">", name, "</th>"), at)) != page.npos; ++at) ++marked;
    CHECK(marked == 2);  // the tables of the map and of the curves
    CHECK(has(page, text("<g data-series=\"", name, "\">\n<text")));  // a row of the map
    CHECK(has(page, text("<g data-series=\"", name, "\">\n<polyline")));
  }
}

TEST_CASE("page: what charts show stands in tables as well, every seed of it") {
  const auto results = grid({"reverse"}, {"none", "rope"}, 3);
  const std::string page = report_page(Study(Records{results, curves_of(results)}));
  const auto read = test::read_page(page);
  CHECK(count(read, "details") == 5);
  CHECK(count(read, "caption") == count(read, "table"));
  for (const auto& figure : read.named("svg"))
    CHECK((figure.attributes.contains("aria-label") || figure.attributes.contains("overflow")));
  CHECK(has(page, "<small>0.500 0.250 0.167</small>"));  // of `none`, at either length
  CHECK(has(page, "<small>50 100 150</small>"));         // steps to solve
}

TEST_CASE("page: in learning curves, a run that ended early stays where it was") {
  const auto results = grid({"reverse"}, {"rope"}, 2);
  auto curves = curves_of(results);
  curves[0].curve = {{50, 100}, {1, 1}, {0.25, 1}};
  curves[1].curve = {{50, 100, 150, 200}, {1, 1, 1, 1}, {0.25, 0.25, 0.5, 0.5}};
  const std::string page = report_page(Study(Records{results, curves}));
  CHECK(has(page, "<title>rope: 100, 0.625</title>"));
  CHECK(has(page, "<title>rope: 200, 0.75</title>"));
  CHECK(has(page, "0.75<small>1.00 0.50</small>"));
}

TEST_CASE("page: settings that differ are all named") {
  auto results = grid({"reverse"}, {"rope"}, 1);
  auto other = results.front();
  other.settings.model.d_model = 64;
  results.push_back(other);
  const std::string page = report_page(Study(Records{results}));
  CHECK(has(page, "<dt>d model</dt><dd>32; 64</dd>"));
  CHECK(has(page, "<dt>stop when solved</dt><dd>yes</dd>"));
  CHECK(has(page, "<dt>test lengths</dt><dd>12, 24</dd>"));
  CHECK(has(page, "<li data-series=\"rope (d_model=64)\">"));
}

TEST_CASE("page: both screens and paper, and nothing from elsewhere") {
  std::string page = report_page(Study(Records{grid({"reverse"}, {"none", "rope"}, 2)}));
  CHECK(has(page, "@media screen and (prefers-color-scheme: dark)"));
  CHECK(has(page, "@media print"));
  CHECK(has(page, "default-src 'none'"));
  const std::string_view name_of_svg = "http://www.w3.org/2000/svg";  // a name, not an address to be fetched
  for (std::size_t at; (at = page.find(name_of_svg)) != page.npos;) page.erase(at, name_of_svg.size());
  for (const char* elsewhere : {"http:", "https:", "url(", "@import", " src="})
    CHECK_FALSE(has(page, elsewhere));
}

TEST_CASE("page: names that try to be markup stay text") {
  const std::string script = "<script>alert(1)</script>", image = "\"><img src=x onerror=alert(1)>",
                    tick = "`</main>", comment = "<!-- ]]> &amp; '";
  const auto results = grid({image, comment}, {script, tick, "none"}, 3);
  const std::string page = report_page(Study(Records{results, curves_of(results)}));
  CHECK(test::read_page(page).fault == "");
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK_FALSE(has(page, "<img"));
}

TEST_CASE("page: 500 cells are less than 2 MB") {
  std::vector<std::string> tasks, schemes;
  for (int i = 0; i < 10; ++i) {
    tasks.push_back(text("task_", i));
    schemes.push_back(text("scheme:number=", i));
  }
  const auto results = grid(tasks, schemes, 5, {.tested = {{12, 1}, {18, 1}, {24, 1}}});
  REQUIRE(results.size() == 500);
  const std::string page = report_page(Study(Records{results, curves_of(results), durations_of(results)}));
  CHECK(page.size() < 2'000'000);
  CHECK(test::read_page(page).fault == "");
}
