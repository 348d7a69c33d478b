#include "report/grid.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../draw/svg_reader.h"
#include "../support/samples.h"

namespace grid_test {

using namespace locus;
using test::BySeed;
using test::Sample;

namespace {

const BySeed right = {1, 1, 1}, blind = {0.25, 0.25, 0.25};

std::vector<Result> rows(const std::string& task, const std::string& scheme, const BySeed& trained,
                         const BySeed& beyond, Sample sample = {}) {
  sample.task = task;
  sample.scheme = scheme;
  return test::seeds_of(sample, {trained, beyond});
}

Study small_study() {
  return Study(
      {test::together({rows("reverse", "rope", right, {0.1, 0.11, 0.1}), rows("sort", "rope", right, blind),
                       rows("reverse", "alibi", right, {0.9, 0.91, 0.9}), rows("sort", "alibi", blind, blind),
                       rows("reverse", "none", blind, blind), rows("sort", "none", blind, blind)})});
}

const ChartCell& cell(const ChartGrid& grid, std::size_t row, std::size_t column) {
  return grid.cells[row * grid.columns.size() + column];
}

}  // namespace

TEST_CASE("grid: the control comes first, the others by what they gain at the longest length") {
  const Study study = small_study();
  const ChartGrid grid = accuracy_grid(study.views.front(), "none");
  REQUIRE(grid.rows.size() == 3);
  CHECK(grid.rows[0].name == "none");
  CHECK(grid.rows[1].name == "alibi");
  CHECK(grid.rows[2].name == "rope");
  CHECK(grid.rows[0].note == "no positions");
  CHECK(grid.columns[0].name == "reverse");
  CHECK(grid.columns[0].note == "3 1 2 → 2 1 3");
  CHECK(grid.lengths == std::vector<int>{12, 24});
  CHECK(grid.trained == 12);
}

TEST_CASE("grid: a cell shows means, seeds and what is free, and stands above, at or below it") {
  const Study study = small_study();
  const ChartGrid grid = accuracy_grid(study.views.front(), "none");
  const ChartCell &above = cell(grid, 1, 0), &below = cell(grid, 2, 0), &at = cell(grid, 2, 1);
  CHECK(above.label == "0.90");
  CHECK(above.standing == Standing::above);
  CHECK(below.standing == Standing::below);
  CHECK(at.standing == Standing::at);
  CHECK(above.line.size() == 2);
  CHECK(above.dots.size() == 6);
  CHECK(above.floor[1].y == doctest::Approx(0.25));
  CHECK(above.says.starts_with(
      "alibi on reverse: 0.90 at 24 tokens (seeds 0.90 0.91 0.90), 1.00 at 12 (trained on); above 0.25"));
  const ChartCell::AtLength &first = below.by_length.front(), &last = below.by_length.back();
  CHECK(first.x == 3);
  CHECK(first.accuracy == "1.00");
  CHECK(first.gain == 1);
  CHECK(first.standing == Standing::above);
  CHECK(last.standing == Standing::below);
}

// Today's map coloured 0.50 on `before`, which is chance, twice as good as 0.27 on `reverse`, which is chance as well.
TEST_CASE("grid: chance is grey, however high it is; where nothing can be gained nothing is above") {
  const auto task = [](const char* name, double level) {
    Sample sample{.tested = {{12, 1, level}, {24, 1, level}}};
    const BySeed here = {level, level, level};
    return test::together({rows(name, "none", here, here, sample), rows(name, "alibi", here, here, sample)});
  };
  const Study study({test::together({task("before", 0.5), task("reverse", 0.27), task("majority", 1)})});
  const ChartGrid grid = accuracy_grid(study.views.front(), "none");
  for (const ChartCell& one : grid.cells) CHECK(one.standing == Standing::at);
  CHECK(cell(grid, 1, 0).by_length.back().gain == 0);               // of 0.50 on before
  CHECK_FALSE(cell(grid, 1, 2).by_length.back().gain.has_value());  // majority: no order is needed
}

TEST_CASE("grid: seeds that may be above by chance are not; neither is one among many cells") {
  const BySeed wide = {0.3, 0.9, 0.6};
  const Study study(
      {test::together({rows("reverse", "rope", right, wide), rows("reverse", "none", blind, blind)})});
  CHECK(cell(accuracy_grid(study.views.front(), "none"), 1, 0).standing == Standing::at);
  // p = 0.01 alone, and more than 0.05 among 12 cells.
  const BySeed close = {0.42, 0.5, 0.46};
  std::vector<Result> results = test::together({rows("reverse", "rope", right, close)});
  CHECK(cell(accuracy_grid(Study({results}).views.front(), "rope"), 0, 0).standing == Standing::above);
  for (int i = 0; i < 11; ++i)
    results = test::together({results, rows(str("task", i), "rope", right, blind)});
  CHECK(cell(accuracy_grid(Study({results}).views.front(), "rope"), 0, 0).standing == Standing::at);
}

TEST_CASE("grid: the no-input baseline counts") {
  // Reading nothing gives 0.48 on sort at 24.
  Sample sample{.tested = {{12, 1, 0.26, 0.3}, {24, 1, 0.21, 0.48}}};
  const Study study({test::together({rows("sort", "rope", right, {0.48, 0.48, 0.48}, sample)})});
  CHECK(cell(accuracy_grid(study.views.front(), "rope"), 0, 0).standing == Standing::at);
}

TEST_CASE("grid: of generated answers that are one label, the no-input baseline is grey") {
  Sample sample{.model = "decoder", .tested = {{12, 1, {}, 0.1}, {24, 1, {}, 0.1}}};
  const auto grid_of = [&](const char* task) {
    return accuracy_grid(Study({rows(task, "rope", right, {0.5, 0.5, 0.5}, sample)}).views.front(), "rope");
  };
  const ChartGrid one_label = grid_of("needle"), several = grid_of("copy");
  REQUIRE_FALSE(one_label.cells.front().floor.empty());
  CHECK(one_label.cells.front().floor.back().y == 0.1);
  CHECK(svg_document(cell_key(one_label, true)).find("possible without reading") != std::string::npos);
  CHECK(several.cells.front().floor.empty());
  CHECK(svg_document(cell_key(several, true)).find("possible") == std::string::npos);
}

TEST_CASE("grid: the figure is well-formed, finite, equal each time, and names all it shows") {
  const Study study = small_study();
  const std::string figure = svg_document(grid_figure("A finding", study));
  CHECK(figure == svg_document(grid_figure("A finding", study)));
  const auto svg = test::read_svg(figure);
  CHECK(svg.fault == "");
  CHECK(test::has_only_finite_numbers(svg));
  for (const char* words :
       {"A finding", "none", "rope", "alibi", "reverse", "sort", "0.90", "3 1 2 → 2 1 3", "no positions"}) {
    CAPTURE(words);
    CHECK(svg.shows(words));
  }
  CHECK(svg.text("0.90").attributes.at("fill") == above_ink);
}

TEST_CASE("grid: in a figure a scheme of two widths is one row, with a column for each task and width") {
  std::vector<Result> results;
  for (const char* task : {"reverse", "sort"})
    for (const int width : {32, 64}) {
      Result one = test::result_of({.task = task, .scheme = "rope", .tested = {{12, width / 100.0}}});
      one.settings.model.d_model = width;
      one.settings.model.d_ff = 4 * width;
      results.push_back(one);
    }
  const Study study({results});
  const ChartGrid grid = accuracy_grid(study.views.front(), "rope", true);
  REQUIRE(grid.rows.size() == 1);
  CHECK(grid.rows[0].name == "rope");
  REQUIRE(grid.columns.size() == 4);
  CHECK(grid.columns[1].name == "reverse");
  CHECK(grid.columns[1].note == "width 64: 3 1 2 → 2 1 3");
  const char* labels[] = {"0.32", "0.64", "0.32", "0.64"};
  for (int c = 0; c < 4; ++c) CHECK(cell(grid, 0, c).label == labels[c]);
  CHECK(test::read_svg(svg_document(grid_figure("", study))).shows("width 64: 3 1 2 → 2"));
  CHECK(accuracy_grid(study.views.front(), "rope").rows[1].name == "rope (width 64)");  // on the page
}

TEST_CASE("grid: one length, one seed, a table or a missing cell have a cell as well") {
  Sample once{.tested = {{12, 1}}};
  once.task = "who_chased_whom";
  Result sentence = test::result_of(once);
  sentence.settings.dataset = "nowhere/who.tsv";
  std::vector<Result> results = {test::result_of({.task = "reverse", .scheme = "rope"}), sentence};
  results.push_back(test::result_of({.task = "sort", .scheme = "alibi", .tested = {{12, 0.5}}}));
  const Study study({results});
  const auto svg = test::read_svg(svg_document(grid_figure("", study)));
  CHECK(svg.fault == "");
  CHECK(test::has_only_finite_numbers(svg));
  const ChartGrid grid = accuracy_grid(study.views.front(), "rope");
  CHECK(std::ranges::count(grid.cells, std::string(), &ChartCell::label) == 3);
}

}  // namespace grid_test
