#include "report/summary_table.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../support/samples.h"
#include "base/text.h"
#include "io/utf8.h"
#include "report/page/findings.h"

using namespace locus;

namespace {

using Tested = std::vector<test::Tested>;

Result line(const std::string& task, const std::string& scheme, int seed, Tested tested,
            std::optional<int> solved = {}, const std::string& model = "encoder") {
  for (auto& at : tested) at.baseline = 0.125;
  return test::result_of({.task = task,
                          .scheme = scheme,
                          .model = model,
                          .seed = seed,
                          .tested = tested,
                          .steps_to_solve = solved});
}

Records three_rows() {
  Records table;
  for (int seed = 1; seed <= 4; ++seed)
    table.results.push_back(
        line("sort", "none", seed, {{12, 0.25}, {18, 0.24}, {24, seed < 3 ? 0.22 : 0.23}}));
  for (int seed = 1; seed <= 2; ++seed) {
    table.results.push_back(
        line("sort", "rope", seed, {{12, 1}, {18, 0.5}, {24, 0.3 + 0.01 * seed}}, 150 * seed));
    Outcome& outcome = table.results.back().outcome;
    outcome.training_seconds = 2;
    outcome.curve = {{50, 100}, {1, 0.5}, {seed == 1 ? 0.0 : 0.5, 1}};
  }
  return table;
}

const std::string legend_of_three =
    "order-blind   the most that an encoder gets which does not see order; counted\n"
    "no input      always the most frequent answer\n"
    "solved        seeds that get 99 % of fresh inputs right, @ after how many steps\n"
    "ms            for a step of training, on one thread\n"
    "(.26 to 1)    95 % interval: seeds differ, and the test set is finite\n"
    "↑ ≈ ?         better than none, equal within 0.02, cannot tell; paired by seeds, 5 % for all schemes\n"
    "              of a task and length (Holm)\n"
    "(again)       the same on other seeds: what differs is chance\n";

std::string on_one_line(std::string words) {
  std::ranges::replace(words, '\n', ' ');
  return words;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : split(text, '\n')) widest = std::max(widest, display_width(line));
  return widest;
}

}  // namespace

TEST_CASE(
    "summary table: baselines, then a row per scheme with interval, verdict and costs; the control twice") {
  CHECK(summary_table(Study(three_rows()), 100, false) ==
        "encoder: token accuracy, mean (95 % interval), by length (*: trained on)\n"
        "\n"
        "              12*                 18                 24                  solved    params  ms\n"
        "────────────  ──────────────────  ─────────────────  ──────────────────  ────────  ──────  ──\n"
        "sort\n"
        "order-blind   0.25                0.25               0.25\n"
        "no input      0.12                0.12               0.12\n"
        "none          0.25 (.24 to .26)   0.24 (.23 to .25)  0.22 (.21 to .23)   0/2        26122\n"
        "none (again)  0.25 (.24 to .26)≈  0.24 (.23 to .25)  0.23 (.22 to .24)?  0/2        26122\n"
        "rope          1.00↑               0.50 (.48 to .52)  0.32 (.25 to .38)↑  2/2 @225   26122   2\n"
        "\n" +
            legend_of_three);
}

TEST_CASE("summary table: what does not fit is left out, never an accuracy trained at or the longest") {
  const std::string wide = summary_table(Study(three_rows()), 105, false);
  CHECK(wide.find("  2/2 @225   26122   2  ▃▃▃▃▃▃▃▃▃█\n") != std::string::npos);
  for (const std::size_t width : {105u, 104u, 92u, 80u, 70u, 60u, 55u}) {
    CAPTURE(width);
    const std::string table = summary_table(Study(three_rows()), width, false);
    CHECK(widest_line(table) <= width);
    CHECK(table.find("12*") != std::string::npos);
    CHECK(table.find(")↑") != std::string::npos);  // at 24
    CHECK((table.find("learning") == std::string::npos) == (width < 105));
    CHECK((table.find("params") == std::string::npos) == (width <= 80));
    CHECK((table.find("  18  ") == std::string::npos) == (width <= 80));
    CHECK((table.find("  solved") == std::string::npos) == (width <= 60));
    CHECK((table.find("2 of 3\nlengths") != std::string::npos ||
           table.find("2 of 3 lengths") != std::string::npos ||
           table.find("2\nof 3 lengths") != std::string::npos) == (width <= 80));
  }
}

TEST_CASE("summary table: the legend explains the signs that are there, and no others") {
  Records table;
  table.results = {line("sort", "none", 1, {{12, 0.25}}), line("sort", "none", 2, {{12, 0.25}}),
                   line("sort", "rope", 1, {{12, 1}}), line("sort", "rope", 2, {{12, 1}})};
  const std::string shown = on_one_line(summary_table(Study(table), 200, false));
  CHECK(shown.find("↑             better than none; paired") != std::string::npos);
  for (const char* sign : {"↓", "≈", "?", "⊤", "⊥", "(again)", "order-blind, "})
    CHECK(shown.find(sign) == std::string::npos);
  const std::string narrow = summary_table(Study(three_rows()), 80, false);  // has no room for ms
  CHECK(narrow.find("\nms ") == std::string::npos);
}

TEST_CASE("findings in the terminal: the sentences of the page, in lines that fit") {
  const Study study(three_rows());
  const std::string words = findings_text(study, 70);
  CHECK(widest_line(words) <= 70);
  CHECK(words.find('`') == std::string::npos);
  const std::string flat = on_one_line(words);
  REQUIRE(!findings(study).empty());
  for (const auto& [lead, sentences] : findings(study)) {
    std::string expected = str(lead, ": ", sentences);
    std::erase(expected, '`');
    CHECK_MESSAGE(flat.find(expected) != std::string::npos, expected);
  }
}

// Rows of two folders, each scheme with other steps, were compared as if they had the same.
TEST_CASE("summary table: a control of other settings is named with what differs") {
  Records table;
  for (int seed = 1; seed <= 2; ++seed)
    for (const Result& one : {line("sort", "none", seed, {{12, 0.25}}),
                              line("copy", "none", seed, {{12, 0.25}}), line("sort", "rope", seed, {{12, 1}}),
                              line("copy", "rope", seed, {{12, 1}}), line("sort", "t5", seed, {{12, 1}})})
      table.results.push_back(one);
  CHECK(summary_table(Study(table), 80, false).find("More than the scheme") == std::string::npos);
  for (Result& one : table.results)
    if (one.settings.model.scheme == "rope") one.settings.train.steps = 4000;
  CHECK(summary_table(Study(table), 120, false)
            .find("\nMore than the scheme differs from the control: max_steps (rope).\n") !=
        std::string::npos);
}

// The page gives every rate that was chosen for a scheme.
TEST_CASE("summary table: learning rates that were chosen for each scheme are no such difference") {
  Records table;
  table.results = {line("sort", "none", 1, {{12, 0.25}}), line("sort", "rope", 1, {{12, 1}})};
  table.results[1].settings.train.optimizer.learning_rate = 0.01;
  const auto noted = [](const Study& study) {
    return summary_table(study, 120, false).find("Each scheme has a learning rate of its own.") !=
           std::string::npos;
  };
  CHECK(noted(Study(table)));
  CHECK_FALSE(noted(Study(table, "", {{table.results[1].settings, 2, 0.003, 0.01}})));
}

TEST_CASE("summary table: a long name has a line of its own") {
  Records table;
  table.results = {line("sort", "rope:base=100,extend=yarn,factor=4", 1, {{12, 1}})};
  CHECK(summary_table(Study(table), 80, false)
            .find("\nrope:base=100,extend=yarn,factor=4\n             1.00 ") != std::string::npos);
}

TEST_CASE("summary table: where seeds disagree whether the task is solved, their rate is told") {
  Records table;
  table.results = {line("sort", "rope", 1, {{12, 1}}, 500), line("sort", "rope", 2, {{12, 0.9}}),
                   line("sort", "t5", 1, {{12, 1}}, 500)};
  const std::string shown = summary_table(Study(table), 80, false);
  CHECK(shown.find("\nsort with rope: 1 of 2 seeds solved it, a rate from 0.09 to 0.91\n") !=
        std::string::npos);
  CHECK(shown.find("sort with t5") == std::string::npos);
}

TEST_CASE("summary table: decoders are measured by exact match, without ceiling and baseline") {
  Records table;
  table.results = {line("sort", "none", 1, {{12, 0.5}, {16, 0.25}}, {}, "decoder")};
  const std::string shown = summary_table(Study(table), 80, false);
  CHECK(shown.starts_with("decoder: exact match, by length (*: trained on)\n"));
  CHECK(shown.find("none  0.50  0.25  0/1      26122\n") != std::string::npos);
  CHECK(shown.find("\norder-blind  ") == std::string::npos);
  CHECK(shown.find("\nno input  ") == std::string::npos);
  // An answer of one label is right as a whole when its token is.
  table.results = {line("needle", "none", 1, {{12, 0.5}, {16, 0.25}}, {}, "decoder")};
  CHECK(summary_table(Study(table), 80, false).find("\nno input  ") != std::string::npos);
}

TEST_CASE("summary table: the lengths of a table of examples count together") {
  Records table;
  table.results = {line("who", "none", 1, {{12, 1}, {16, 0.5}})};
  table.results[0].settings.dataset = "who.tsv";
  const std::string shown = summary_table(Study(table), 80, false);
  CHECK(shown.find("held-out rows of all lengths") != std::string::npos);
  CHECK(shown.find("none         0.75 ") != std::string::npos);
}

TEST_CASE("summary table: rows tested at other lengths or of another model stand in a table of their own") {
  Records table;
  table.results = {line("sort", "none", 1, {{12, 1}}), line("sort", "rope", 1, {{16, 1}}),
                   line("sort", "alibi", 1, {{12, 1}}, {}, "decoder"), line("copy", "t5", 1, {{12, 1}})};
  const std::string shown = summary_table(Study(table), 80, false);
  std::size_t tables = 0;
  for (auto start = shown.find("coder: "); start != shown.npos; start = shown.find("coder: ", start + 1))
    ++tables;
  CHECK(tables == 3);
  CHECK(shown.find("alibi") > shown.find("rope"));
  CHECK(shown.find("t5") < shown.find("rope"));
}

TEST_CASE(
    "summary table: a single seed shows no interval, a diverged one is named, colour only when asked for") {
  Records table;
  table.results = {line("sort", "rope", 1, {{12, 1}}), line("sort", "none", 1, {{12, 0.26}}),
                   line("sort", "t5", 1, {{12, 0.5}})};
  table.results[2].outcome.status = TrainStatus::diverged;
  const std::string plain = summary_table(Study(table), 80, false),
                    coloured = summary_table(Study(table), 80, true);
  CHECK(plain.find("1.00 (") == std::string::npos);
  CHECK(plain.find("(.26 to 1)") == std::string::npos);
  CHECK(plain.find("≈") == std::string::npos);  // 1.000 against 0.260, on one seed each
  CHECK(plain.find("no sign       one seed to compare: no verdict\n") != std::string::npos);
  CHECK(plain.find("0/1 (1 diverged)") != std::string::npos);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(coloured.find("\x1b[32m1.00\x1b[0m") != std::string::npos);  // solved, of one seed
  CHECK(coloured.find("\x1b[2m0.26") == std::string::npos);  // one seed does not show that it is no better
  CHECK(coloured.find("m0.50") == std::string::npos);
}

// A weak case among the rows of its own kind of model, which those of other models cannot make weaker.
TEST_CASE("table: what is below reading nothing is found for each kind of model") {
  Records records;
  const double weak[] = {0.03, 0.06, 0.07};  // below 0.125: p = 0.03, and of five together 0.15
  for (int seed = 1; seed <= 3; ++seed) {
    records.results.push_back(line("sort", "rope", seed, {{12, weak[seed - 1]}}));
    for (const char* scheme : {"none", "t5", "learned", "index"})
      records.results.push_back(line("sort", scheme, seed, {{12, 0.125}}, {}, "gru"));
  }
  CHECK(summary_table(Study(records), 120, false).find("⊥") != std::string::npos);
}

TEST_CASE("sparkline: a bar per value, from nothing to all") {
  const Curve curve{{10, 20, 30, 40, 50, 60, 70}, std::vector<double>(7), {0, 0.13, 0.5, 0.99, 1, 7, -1}};
  CHECK(sparkline({curve}, 100) ==
        "▁▂▅██"
        "█▁▁▁▁");
  CHECK(sparkline({}, 100) == "");
}

TEST_CASE("sparkline: curves are averaged step by step, and one that has ended keeps its last accuracy") {
  const Curve early{{50, 100}, {1, 1}, {0.5, 1}}, late{{50, 100, 150, 200}, {1, 1, 1, 1}, {0, 0, 0.5, 0.5}};
  CHECK(mean_accuracy({early, late}, 100) == 0.5);
  CHECK(mean_accuracy({early, late}, 200) == 0.75);
  CHECK(sparkline({early, late}, 200) ==
        "▃▃▃▃▅"
        "▅▅▆▆▆");
}

TEST_CASE(
    "table: a scheme that cannot tell left from right stands below its own ceiling, and is marked on it") {
  Records records;
  for (int seed = 1; seed <= 2; ++seed)
    for (const Result& one : {line("previous", "rope", seed, {{12, 1}, {24, 0.5}}),
                              line("previous", "alibi", seed, {{12, 0.551}, {24, 0.4}}),
                              line("sort", "rope", seed, {{12, 1}, {24, 1}})})
      records.results.push_back(one);
  const std::string table = summary_table(Study(records), 80, false);
  CHECK(table.find("mirror-blind  0.5") != table.npos);
  const auto alibi = table.find("alibi ", table.find("previous"));
  const std::string line_of_alibi = table.substr(alibi, table.find('\n', alibi) - alibi);
  CAPTURE(line_of_alibi);
  CHECK(line_of_alibi.find("⊤") != std::string::npos);
  CHECK(line_of_alibi.find("⊤") == line_of_alibi.rfind("⊤"));
  const Study one_seed({{line("previous", "alibi", 1, {{12, 0.551}, {24, 0.4}})}});
  CHECK(summary_table(one_seed, 80, false).find("0.55⊤") == std::string::npos);  // shows no equality
  CHECK(on_one_line(table).find("mirror-blind", table.find("\nsort\n")) ==
        on_one_line(table).find("mirror-blind  the same, if"));
  const Study without({{line("previous", "rope", 1, {{12, 0.551}, {24, 0.5}})}});
  CHECK(summary_table(without, 80, false).find("mirror-blind") == std::string::npos);
}

TEST_CASE("summary table: of seeds that are split the table counts those above, not their mean") {
  Records records;
  const double split[] = {0.02, 0.98, 1};
  for (int seed = 1; seed <= 3; ++seed)
    for (const Result& one : {line("sort", "none", seed, {{12, 0.25}, {24, 0.25}}),
                              line("sort", "t5", seed, {{12, 1}, {24, split[seed - 1]}})})
      records.results.push_back(one);
  const std::string table = summary_table(Study(records), 120, false);
  CAPTURE(table);
  CHECK(table.find("2/3¦ (.21 to .94)?") != table.npos);
  CHECK(table.find("0.67") == table.npos);
  CHECK(table.find("split: no seed is near the mean") != table.npos);
  CHECK(table.find("where seeds are split: sort with t5 at 24") != table.npos);
}

TEST_CASE("table: what is below reading nothing is marked, and what cannot be told has a number of seeds") {
  Records records;
  const double spread[] = {0.1, 0.4, 0.7};
  for (int seed = 1; seed <= 3; ++seed)
    for (const Result& one : {line("sort", "none", seed, {{12, 0.25}, {24, 0.25}}),
                              line("sort", "rope", seed, {{12, 1}, {24, 0.05}}),
                              line("sort", "t5", seed, {{12, spread[seed - 1]}, {24, 0.25}})})
      records.results.push_back(one);
  const std::string table = summary_table(Study(records), 120, false);
  CAPTURE(table);
  CHECK(table.find("↓⊥") != table.npos);  // 0.05, where the baseline is 0.125
  CHECK(table.find("⊥") != table.rfind("⊥"));
  CHECK(table.find("below reading nothing") != table.npos);
  CHECK(table.find("undecided (?): sort with t5 at 12 (about ") != table.npos);
}
