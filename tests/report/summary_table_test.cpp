#include "report/summary_table.h"

#include <doctest/doctest.h>

using namespace locus;

namespace {

LengthSummary at(int length, bool trained, std::vector<double> accuracy,
                 std::optional<double> ceiling = 0.25) {
  std::vector<double> exact;
  for (const double value : accuracy) exact.push_back(value / 2);
  return {length, trained, std::move(accuracy), std::move(exact), ceiling, 4000};
}

Summary row(std::string task, std::string scheme, std::vector<LengthSummary> by_length,
            std::string model = "encoder", bool dataset = false) {
  return {.task = std::move(task),
          .scheme = std::move(scheme),
          .model = std::move(model),
          .dataset = dataset,
          .parameters = 26122,
          .by_length = std::move(by_length)};
}

const std::string explanation =
    "order-blind ceiling: the best any encoder could do that sees the tokens but not their order, by "
    "counting.\n"
    "solved, steps: seeds that answered 99 % of fresh examples without a mistake, and after how many "
    "steps.\n";

}  // namespace

TEST_CASE("summary table: a row for each task and scheme, mean and spread by length, the ceilings beside") {
  Summary rope = row("reverse", "rope", {at(12, true, {1, 1}), at(24, false, {0.5, 0.75}, 0.125)});
  rope.steps_to_solve = {200, 250};
  Summary diverged = row("sort", "index", {at(12, true, {0.25, 0.75}), at(24, false, {0.5, 0.5})});
  diverged.diverged = 1;
  const std::string table = summary_table(
      {row("reverse", "none", {at(12, true, {0.25, 0.25}), at(24, false, {0.125, 0.125}, 0.125)}), rope,
       diverged},
      false);
  CHECK(
      table ==
      "mean token accuracy ± standard deviation over seeds, by length; * = a length it was trained on\n"
      "\n"
      "task     scheme          12*           24  order-blind ceiling            solved  steps  parameters\n"
      "───────  ──────  ───────────  ───────────  ───────────────────  ────────────────  ─────  ──────────\n"
      "reverse  none    0.250 ±.000  0.125 ±.000            .250 .125               0/2      -       26122\n"
      "         rope    1.000 ±.000  0.625 ±.177            .250 .125               2/2    225       26122\n"
      "───────  ──────  ───────────  ───────────  ───────────────────  ────────────────  ─────  ──────────\n"
      "sort     index   0.500 ±.354  0.500 ±.000            .250 .250  0/2 (1 diverged)      -       26122\n"
      "\n" +
          explanation);
}

TEST_CASE("summary table: decoders are measured by exact match and have no ceiling") {
  const std::string table = summary_table(
      {row("sort", "none", {at(12, true, {1, 1}, {}), at(16, false, {0.5, 0.5}, {})}, "decoder")}, false);
  CHECK(table ==
        "mean exact match ± standard deviation over seeds, by length; * = a length it was trained on\n"
        "\n"
        "task  scheme          12*           16  solved  steps  parameters\n"
        "────  ──────  ───────────  ───────────  ──────  ─────  ──────────\n"
        "sort  none    0.500 ±.000  0.250 ±.000     0/2      -       26122\n"
        "\n" +
            explanation);
}

TEST_CASE("summary table: the lengths of a dataset count together, in proportion to their examples") {
  LengthSummary few = at(6, true, {1, 0.5}, 0.5), many = at(8, true, {0.5, 0}, 0.25);
  few.examples = 100;
  many.examples = 300;
  const std::string table = summary_table({row("who", "none", {few, many}, "encoder", true)}, false);
  CHECK(table.find("all lengths  order-blind ceiling") != std::string::npos);
  CHECK(table.find("0.375 ±.354                 .312") !=
        std::string::npos);  // (1*1 + 0.5*3)/4 = .625, (.5*1 + 0*3)/4 = .125
}

TEST_CASE("summary table: rows with other lengths or another model stand in a table of their own") {
  const std::string table = summary_table(
      {row("sort", "none", {at(12, true, {1})}), row("sort", "rope", {at(16, true, {1})}),
       row("sort", "alibi", {at(12, true, {1})}, "decoder"), row("copy", "t5", {at(12, true, {1})})},
      false);
  std::size_t tables = 0;
  for (auto start = table.find("mean "); start != table.npos; start = table.find("mean ", start + 1))
    ++tables;
  CHECK(tables == 3);
  CHECK(table.find("alibi") > table.find("rope"));
  CHECK(table.find("t5") < table.find("rope"));
}

TEST_CASE("summary table: a single seed shows no spread, and colour only when asked for") {
  const std::vector<Summary> summaries = {row("sort", "rope", {at(12, true, {1})}),
                                          row("sort", "none", {at(12, true, {0.26})}),
                                          row("sort", "t5", {at(12, true, {0.5})})};
  const std::string plain = summary_table(summaries, false), coloured = summary_table(summaries, true);
  CHECK(plain.find("±.") == std::string::npos);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(coloured.find("\x1b[32m1.000\x1b[0m") != std::string::npos);  // solved
  CHECK(coloured.find("\x1b[2m0.260\x1b[0m") !=
        std::string::npos);  // no better than a model that sees no order
  CHECK(coloured.find("m0.500") == std::string::npos);
}

TEST_CASE("summary table: an ablation of three lengths fits into 110 columns") {
  Summary wide = row("majority", "sinusoidal",
                     {at(12, true, {1, 0.5}), at(18, false, {1, 0.5}), at(24, false, {1, 0.5})});
  wide.steps_to_solve = {1000};
  const std::string table = summary_table({wide}, false);
  const std::size_t start = table.find("majority"), end = table.find('\n', start);
  CHECK(end - start <= 110 + 3);  // three bytes more than columns: each ± takes two
}
