#include "report/page/page.h"

#include <doctest/doctest.h>

#include "../../support/samples.h"
#include "ablation/reproduction.h"
#include "page_reader.h"
#include "report/page/parts.h"

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

std::vector<Result> with_curves(std::vector<Result> results) {
  for (Result& result : results)
    for (int step = 50; step <= 1000; step += 50) {
      result.outcome.curve.step.push_back(step);
      result.outcome.curve.loss.push_back(1.0 / step);
      result.outcome.curve.accuracy.push_back(step / 1000.0);
    }
  return results;
}

std::vector<Result> with_times(std::vector<Result> results) {
  for (Result& result : results) result.outcome.training_seconds = 2.5;
  return results;
}

bool has(const std::string& page, std::string_view words) { return page.find(words) != page.npos; }

long count(const test::Svg& page, std::string_view element) {
  return std::ranges::count(page.elements, element, &test::SvgElement::name);
}

}  // namespace

TEST_CASE("page: what was found, what was asked, one picture; then the sections") {
  const auto results = grid({"reverse", "sort"}, {"none", "rope", "t5"}, 3);
  const std::string page = report_page(Study(Records{with_times(with_curves(results))}));
  const auto read = test::read_page(page);
  CHECK(read.fault == "");
  CHECK(has(page, "<title>Locus: reverse and sort at up to 24 tokens, encoders, 3 schemes</title>"));
  CHECK(has(page,
            "3 schemes, one of them <b data-series=\"none\">none</b>, were trained on 2 small tasks at 12 "
            "tokens, "
            "then read "
            "up to 24. 18 models: encoder, 3 seeds each: a small difference may be luck."));
  const std::size_t header = page.find("</header>"), picture = page.find("class=\"grid\"");
  CHECK(header < picture);
  CHECK(picture < page.find("<section"));
  for (const char* id : {"more", "training", "control", "settings"}) {
    CAPTURE(id);
    CHECK(has(page, str("<section id=\"", id, "\" aria-labelledby=\"", id, "-heading\"><h2 id=\"", id,
                        "-heading\">")));
  }
  CHECK(has(page,
            "data-name=\"parameters\">26,122</td><td class=\"more\" data-name=\"ms per "
            "step\">2.50</td>"));  // parameters and ms per step
}

TEST_CASE("page: a single model is asked about by name") {
  const std::string page = report_page(Study(Records{grid({"reverse"}, {"rope"}, 1)}));
  CHECK(test::read_page(page).fault == "");
  CHECK(has(page, "<h1>reverse at up to 24 tokens, encoders, rope</h1>"));
  CHECK(has(page, "1 model: encoder, 1 seed: no verdict, since the next seed may differ."));
  CHECK_FALSE(has(page, "id=\"control\""));
  CHECK_FALSE(has(page, "ms per step"));
}

TEST_CASE("page: decoders are measured by exact match, and have nothing grey") {
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}, 0.1}, {24, 1, {}, 0.1}}};
  const std::string page = report_page(Study(Records{grid({"copy"}, {"rope", "none"}, 2, decoder)}));
  CHECK(test::read_page(page).fault == "");
  CHECK(has(page, "Line: exact match, 0 to 1"));
  CHECK_FALSE(has(page, "Grey: free"));
  CHECK_FALSE(has(page, "order-blind ceiling</th>"));
}

TEST_CASE("page: what the picture shows stands in tables as well, every seed of it") {
  const auto results = grid({"reverse"}, {"none", "rope"}, 3);
  const std::string page = report_page(Study(Records{with_curves(results)}));
  const auto read = test::read_page(page);
  CHECK(count(read, "caption") == count(read, "table"));
  for (const auto& figure : read.named("svg")) CHECK(figure.attributes.contains("aria-label"));
  CHECK(has(page, "<small>0.500 0.250 0.167</small>"));  // of `none`, at either length
  for (const char* name : {"order-blind ceiling", "no-input baseline"})
    CHECK(has(page, str("<th scope=\"row\">", name, "</th>")));
  CHECK(has(page, "none on reverse: solved in 3 of 3 seeds, after 50 100 150 steps"));
}

TEST_CASE(
    "page: intervals are headed as they are meant, and p near the level of the verdict has its digits") {
  const auto seeds_of = [](const char* scheme, const test::BySeed& accuracies) {
    return test::seeds_of({.scheme = scheme, .tested = {{12, 1}}}, {accuracies});
  };
  const std::string page = report_page(
      Study({test::together({seeds_of("none", {0.25, 0.25, 0.25}), seeds_of("rope", {0.25, 0.35, 0.45}),
                             seeds_of("t5", {0.6, 0.6, 0.6})})}));
  CHECK(has(page, "<th class=\"number\" scope=\"col\">95 %, uncorrected</th>"));
  CHECK(has(page, "the intervals, 95\u00a0% each, do not"));
  CHECK(has(page, "\u22120."));  // a minus sign
  CHECK_FALSE(has(page, ">-0."));
  // p = 0.0508: with three digits it would look like a verdict.
  CHECK(has(report_page(Study({test::together(
                {seeds_of("none", {0.25, 0.25, 0.25}), seeds_of("rope", {0.303, 0.35, 0.397})})})),
            ">0.05082</td>"));
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
  CHECK(has(page, "<tr data-series=\"rope (width 64)\">"));
  CHECK(has(page, "<dt>train lengths</dt><dd>12</dd>"));
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
  const std::string page = report_page(Study(Records{with_curves(results)}));
  CHECK(test::read_page(page).fault == "");
  CHECK(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK_FALSE(has(page, "<script>alert"));
  CHECK_FALSE(has(page, "<img"));
}

TEST_CASE("page: 500 models are less than 1 MB") {
  std::vector<std::string> tasks, schemes;
  for (int i = 0; i < 10; ++i) {
    tasks.push_back(str("task_", i));
    schemes.push_back(str("scheme:number=", i));
  }
  const auto results = grid(tasks, schemes, 5, {.tested = {{12, 1}, {18, 1}, {24, 1}}});
  REQUIRE(results.size() == 500);
  const std::string page = report_page(Study(Records{with_times(with_curves(results))}));
  CHECK(page.size() < 1'000'000);
  CHECK(test::read_page(page).fault == "");
}

TEST_CASE("page: the same inputs with what each scheme answered, wrong words marked by more than colour") {
  std::vector<Result> results = grid({"reverse"}, {"none", "rope"}, 2);
  CHECK_FALSE(has(report_page(Study(Records{results})), "what each scheme answered"));
  const RunSettings& settings = results.front().settings;
  const Task& task = task_of(settings);
  const Example& example = task.test_set(12, settings.test_examples).front();
  Tokens wrong = example.target;
  wrong[1] = (wrong[1] + 1) % 10;
  results[0].outcome.by_length[0].answers = {spell(task, wrong)};           // none, seed 1
  results[2].outcome.by_length[0].answers = {spell(task, example.target)};  // rope, seed 1
  const std::string page = report_page(Study(Records{results}));
  CHECK(test::read_page(page).fault == "");
  CHECK(has(page, "<tr><td></td><th scope=\"col\">input 1</th>"));  // an empty heading would be read out
  CHECK(has(page, str("<td>", spell(task, example.input), "</td>")));
  CHECK(has(page, str("<u>", task.alphabet[static_cast<std::size_t>(wrong[1])], "</u>")));
  CHECK(has(page, "<small>11 of 12 right</small>"));
  CHECK(has(page, str(spell(task, example.target), "<small>12 of 12 right</small>")));
  // Answers of more inputs than there are, and a task of another version, are left out.
  results[0].outcome.by_length[0].answers.assign(10'000, "1");
  CHECK(test::read_page(report_page(Study(Records{results}))).fault == "");
  for (Result& result : results) result.settings.task = "reverse-of-tomorrow";
  CHECK_FALSE(has(report_page(Study(Records{results})), "what each scheme answered"));
}

TEST_CASE("page: each command that reproduces the results is a line of its own") {
  const auto results = test::together({grid({"reverse"}, {"none"}, 2), grid({"sort"}, {"rope"}, 2)});
  const std::string page = report_page(Study(Records{results}));
  const std::vector<std::string> commands = reproduction_commands(results);
  REQUIRE(commands.size() == 2);
  CHECK(has(page, str("<code>", commands[0], "</code><code>", commands[1], "</code>")));
}

TEST_CASE("page: the models that were trained twice have the name of their scheme, whatever the control is") {
  const auto results = test::together({grid({"sort"}, {"rope"}, 6), grid({"sort"}, {"none"}, 3)});
  for (const char* control : {"rope", "none"})
    CHECK(has(report_page(Study(Records{results}, control)),
              "3 more of <b data-series=\"rope\">rope</b>, on other seeds, show what chance does."));
}

TEST_CASE("page: the rates that each scheme's was chosen among, of training and of recalibration") {
  const auto results = grid({"sort"}, {"none", "rope"}, 1);
  std::vector<ChosenRate> chosen = {{results[0].settings, 2, 0.001, 0.003},
                                    {results[1].settings, 3, 0.001, 0.01}};
  const auto says = [&](const std::string& words) {
    return has(report_page(Study({results}, "", chosen)), words);
  };
  CHECK(
      says("Each scheme has that learning rate of 2 to 3 tried, from 0.001 to 0.01, with which it learned"));
  for (ChosenRate& one : chosen) {
    one.settings.recalibrate = 20;
    one.smallest = one.largest = 0.003;
    one.smallest_again = 3e-4;
    one.largest_again = 0.001;
  }
  CHECK(says(
      "Each scheme has those learning rates of 2 to 3 pairs tried, 0.003 in training and from 3e-04 to 0.001 in "
      "recalibration, with which it learned"));
}

TEST_CASE("page: what differs from the control beside the scheme stands where it is told what was asked") {
  auto results = grid({"reverse"}, {"none", "rope"}, 2);
  const auto noted = [&] {
    return has(
        report_page(Study(Records{results})),
        "a small difference may be luck. More than the scheme differs from the control: heads (rope).");
  };
  CHECK_FALSE(noted());
  for (Result& one : results)
    if (one.settings.model.scheme == "rope") one.settings.model.heads = 8;
  CHECK(noted());
}

TEST_CASE("page: what asks a model stands where the page tells how to make it again") {
  const std::string page = report_page(Study(Records{grid({"reverse"}, {"none", "rope"}, 2)}));
  CHECK(page.find("With --keep a cell of the grid") > page.find("id=\"settings\""));
}

TEST_CASE("page: differences and equalities are two families, and the page gives the level of each") {
  CHECK(has(
      report_page(Study(Records{grid({"reverse"}, {"none", "rope"}, 2)})),
      "the chance of even one false difference there is 5\u00a0%, that of a false equality again 5\u00a0%"));
}

TEST_CASE("page: the pictures of differences are folded when there are many tasks") {
  const auto page_of = [](std::size_t tasks) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < tasks; ++i) names.push_back(str("task_", i));
    return report_page(Study(Records{grid(names, {"none", "rope"}, 2)}));
  };
  CHECK_FALSE(has(page_of(9), "<summary>The differences, task by task</summary>"));
  CHECK(has(page_of(10), "<summary>The differences, task by task</summary><div class=\"charts\">"));
}
