#include "report/text_study.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../support/errors.h"
#include "../support/samples.h"
#include "io/json.h"
#include "report/page/findings.h"
#include "report/page/page.h"
#include "report/summary_table.h"

using namespace locus;

namespace {

// Decoders trained on windows of 12 tokens of a text, and read in windows of 12 and 24. `loss`: at both lengths.
Result reading_text(const std::string& scheme, int seed, std::vector<std::optional<double>> loss) {
  Result result = test::result_of({.task = "notes", .scheme = scheme, .model = "decoder", .seed = seed});
  result.settings.dataset = "gone/notes.txt";
  result.outcome.generates = false;
  for (std::size_t i = 0; i < loss.size(); ++i) {
    LengthScore& at = result.outcome.by_length[i];
    at.text = {.unigram = std::log(20), .bigram = std::log(8), .floor = std::log(2), .floor_by_position = {}};
    at.text->floor_by_position.assign(static_cast<std::size_t>(at.length), std::log(2));
    if (!loss[i]) continue;
    at.score.text = TextLoss{*loss[i], *loss[i] + std::log(1.5), {}};
    at.score.text->by_position.assign(static_cast<std::size_t>(at.length), *loss[i]);
  }
  return result;
}

Study two_schemes() {
  const double ln2 = std::log(2);
  return Study({{reading_text("none", 1, {ln2 * 2, ln2 * 4}), reading_text("none", 2, {ln2 * 2, ln2 * 2}),
                 reading_text("rope", 1, {ln2, std::nullopt}), reading_text("rope", 2, {ln2 * 3, ln2})}});
}

}  // namespace

TEST_CASE("texts in a study: perplexity is e to the mean loss, of the seeds that have one") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(mean_perplexity({std::log(2), std::log(8)}) == doctest::Approx(4));
  CHECK(mean_perplexity({std::log(2), nan}) == doctest::Approx(2));
  CHECK(std::isnan(mean_perplexity({nan})));
  CHECK(perplexity_text(1.274) == "1.27");
  CHECK(perplexity_text(24.36) == "24.4");
  CHECK(perplexity_text(12345.6) == "12346");
}

TEST_CASE("texts in a study: the table has both readings, the levels of counting, and every seed's range") {
  CHECK(perplexity_tables(two_schemes(), 80, false) ==
        "decoder: perplexity of notes, in windows (all tokens of each window, also the\n"
        "first, which have little before them) by length (*: trained on); mean over\n"
        "seeds, smallest-largest\n"
        "\n"
        "         12*             24                   params\n"
        "───────  ──────────────  ───────────────────  ──────\n"
        "unigram  20.0            20.0\n"
        "bigram   8.00            8.00\n"
        "floor    2.00            2.00\n"
        "none     4.00 4.00-4.00  8.00 4.00-16.0        26122\n"
        "rope     4.00 2.00-8.00  2.00 2.00-2.00 of 1   26122\n"
        "\n"
        "decoder: perplexity of notes, sliding (the second half of each window: every\n"
        "token once, with half a window or more before it) by length (*: trained on);\n"
        "mean over seeds, smallest-largest\n"
        "\n"
        "         12*             24\n"
        "───────  ──────────────  ───────────────────\n"
        "unigram  20.0            20.0\n"
        "bigram   8.00            8.00\n"
        "floor    2.00            2.00\n"
        "none     6.00 6.00-6.00  12.0 6.00-24.0\n"
        "rope     6.00 3.00-12.0  3.00 3.00-3.00 of 1\n"
        "\n");
  const std::string summary = summary_table(two_schemes(), 80, false);
  CHECK(summary.find("accuracy") == summary.npos);
  CHECK(summary.find("perplexity    e to the mean loss") != summary.npos);
  const Study toy({{test::result_of({})}});
  CHECK(perplexity_tables(toy, 80, false).empty());
  CHECK(text_study_figures(toy).empty());
}

TEST_CASE("texts in a study: the figure is the loss by position, the page has it first") {
  const std::vector<Figure> figures = text_study_figures(two_schemes());
  REQUIRE(figures.size() == 1);
  CHECK(
      figures[0].title ==
      "notes, decoders: perplexity by position; in the last 12 characters of each window of 24, from rope 3.00 "
      "(the best) to none 12.0 (the worst); trained on 12");
  CHECK(svg_document(figures[0]).find("perplexity (lower is better), mean over seeds") != std::string::npos);
  CHECK(svg_document(study_figure("", two_schemes())) == svg_document(figures[0]));
  const std::string page = report_page(two_schemes());
  CHECK(page.find("id=\"perplexity\"") != page.npos);
  CHECK(page.find("id=\"accuracy\"") == page.npos);
  CHECK(page.find("<h2 id=\"perplexity-heading\">") != page.npos);
  CHECK(report_page(Study({{test::result_of({})}})).find("id=\"perplexity\"") == page.npos);
}

// Counting tokens has perplexity 20. `learned` has the highest accuracy here, and a perplexity far above that beyond the
// windows trained on.
TEST_CASE("texts in a study: verdicts and sentences follow the loss, whatever the accuracy") {
  std::vector<Result> results;
  for (int seed = 1; seed <= 5; ++seed)
    for (const auto& [scheme, trained, beyond, accuracy] :
         {std::tuple{"none", 4.0, 8.0, 0.3}, {"rope", 3.0, 5.0, 0.2}, {"learned", 3.0, 200.0, 0.9}}) {
      const double spread = 0.01 * seed;
      results.push_back(
          reading_text(scheme, seed, {std::log(trained) + spread, std::log(beyond) + spread * spread}));
      for (LengthScore& at : results.back().outcome.by_length) {
        at.score.token_accuracy = accuracy + spread;
        at.no_input_baseline = 0.1;
      }
    }
  const Study study({results});
  for (const Comparison& one : compare(study.rows, study.control)) {
    const ResultRow& row = study.rows[one.row];
    CHECK(std::string(measure_name(row)) == "negative loss");
    CHECK(to_string(one.verdict) == (row.scheme == "learned" && !one.trained ? "worse" : "better"));
  }
  const ResultRow& learned = study.rows[2];
  CHECK(mean(learned.measure(learned.by_length[1])) == doctest::Approx(-std::log(200) - 0.0011));
  const std::string page = report_page(study), table = summary_table(study, 120, false);
  const auto says = [](const std::string& all, const char* words) { return all.find(words) != all.npos; };
  CHECK(says(
      headline(study),
      "Trained on notes in windows of 12 characters, no scheme predicts windows of 24 as well as those of 12, after 1,000 "
      "steps. The numbers are perplexities, the lower the better: a model is as unsure as if it chose between so "
      "many characters, in the last 12 characters of each window of 24. A guess from the frequencies of the characters has 20.0: `none` (12.0) and `rope` (7.51) do better, `learned` (300.3) does worse."));
  CHECK(says(page, ">12.0<small>"));  // the table that is not folded has the same numbers
  CHECK(page.find("perplexity, sliding") < page.find("perplexity, in windows"));
  CHECK(says(page, "trained to predict the next character of the text notes in windows of 12 characters"));
  CHECK_FALSE(says(page, "small task"));
  CHECK_FALSE(says(page, "without order or reading"));
  CHECK_FALSE(says(page, "order-blind ceiling of notes"));
  CHECK(says(table, "5.01 5.00-5.01↑"));
  CHECK(says(table, "200.2 200.0-200.5↓⊥"));
  CHECK_FALSE(says(table, "token accuracy"));

  results.push_back(test::result_of({.model = "decoder"}));  // and a toy task: in a view of its own
  const Study both({results}, "rope");
  REQUIRE(both.views.size() == 2);
  CHECK(
      says(report_page(both), "trained on 1 small task and to predict the next character of the text notes"));
}

TEST_CASE("texts in a study: one that was read in two ways is refused, with what differs and the cure") {
  const auto error_with = [](const auto& change) {
    std::vector<Result> results = {reading_text("none", 1, {1.0, 2.0}), reading_text("rope", 1, {1.0, 2.0})};
    results[0].where = "a:1";
    results[1].where = "b:1";
    change(results[1].settings);
    return error_of([&] { Study({results}); });
  };
  CHECK(
      error_with([](RunSettings& s) { s.text.tokens = "word"; }) ==
      "[b:1] the text 'notes' was read with --tokens word here and with --tokens char in a:1: their perplexities "
      "cannot be compared. Hint: make one report for each --tokens");
  CHECK(error_with([](RunSettings& s) {
          s.text.min_count = 3;
        }).find("--min-count 3 here and with --min-count 1") != std::string::npos);
  CHECK(error_with([](RunSettings& s) { s.test_examples = 7; }).find("with --test-examples 7 here") !=
        std::string::npos);
  CHECK(error_with([](RunSettings&) {}) == "no error");
}

TEST_CASE("texts in a study: a line of results is read back with its losses, and as what was not generated") {
  const Result written = reading_text("none", 1, {1.0, 2.0});
  const Result read = read_result(to_json(written), "here");
  CHECK_FALSE(read.outcome.generates);
  REQUIRE(read.outcome.by_length[1].score.text);
  CHECK(read.outcome.by_length[1].score.text->loss == 2.0);
  const Study study({{read}});
  CHECK_FALSE(study.rows[0].is_table);  // windows have lengths; the rows of a table are taken together
  REQUIRE(study.rows[0].by_length[1].text);
  CHECK(study.rows[0].by_length[1].text->by_position.size() == 24);
}
