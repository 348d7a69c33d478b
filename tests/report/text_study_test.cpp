#include "report/text_study.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../support/samples.h"
#include "io/json.h"
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
        "         12*             24\n"
        "───────  ──────────────  ───────────────────\n"
        "unigram  20.0            20.0\n"
        "bigram   8.00            8.00\n"
        "floor    2.00            2.00\n"
        "none     4.00 4.00-4.00  8.00 4.00-16.0\n"
        "rope     4.00 2.00-8.00  2.00 2.00-2.00 of 1\n"
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
  CHECK(summary.find("decoder: token accuracy") != summary.npos);  // not exact match: nothing is generated
  CHECK(summary.find("perplexity: e to the mean loss") != summary.npos);
  const Study toy({{test::result_of({})}});
  CHECK(perplexity_tables(toy, 80, false).empty());
  CHECK(text_study_figures(toy).empty());
}

TEST_CASE("texts in a study: the JSON holds the losses by seed, null where there is none") {
  const Json json = to_json(two_schemes());
  const Json at = json.array("rows", "")[1].array("by_length", "")[1];
  CHECK(to_string(at.member("loss", "")) == to_string(Json(Json::Array{Json(), Json(std::log(2))})));
  CHECK(at.array("loss_sliding", "")[0].is_null());
  CHECK(at.number("unigram_loss", "") == std::log(20));
  CHECK(at.number("floor", "") == std::log(2));
}

TEST_CASE("texts in a study: the figure is the loss by position, the page has it first") {
  const std::vector<Figure> figures = text_study_figures(two_schemes());
  REQUIRE(figures.size() == 1);
  CHECK(
      figures[0].title ==
      "notes in windows of 24 tokens, decoders: perplexity of rope 2.00 (the best) to none 8.00 (the worst); "
      "trained on 12");
  CHECK(svg_document(study_figure("", two_schemes())) == svg_document(figures[0]));
  const std::string page = report_page(two_schemes());
  const auto perplexity = page.find("id=\"perplexity\""), accuracy = page.find("id=\"accuracy\"");
  CHECK(perplexity < accuracy);
  CHECK(accuracy != page.npos);
  CHECK(page.find("In windows of 24 tokens of notes the lowest perplexity") != page.npos);
  CHECK(report_page(Study({{test::result_of({})}})).find("id=\"perplexity\"") == page.npos);
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
