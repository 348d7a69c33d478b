#include "ablation/comparison.h"

#include <doctest/doctest.h>

#include "../support/errors.h"

using namespace locus;

namespace {

ResultRow row(std::string task, std::string scheme, std::vector<double> at_12, std::vector<double> at_24,
              long long first_seed = 1) {
  const auto at = [](int length, bool trained, const std::vector<double>& accuracy) {
    return RowAtLength{length, trained, accuracy, accuracy, 0.25, 4000};
  };
  ResultRow summary{.task = std::move(task),
                    .scheme = std::move(scheme),
                    .model = "encoder",
                    .is_table = false,
                    .parameters = 100,
                    .by_length = {at(12, true, at_12), at(18, false, at_12), at(24, false, at_24)}};
  for (std::size_t i = 0; i < at_12.size(); ++i)
    summary.seed.push_back(first_seed + static_cast<long long>(i));
  return summary;
}

const ResultRow none = row("sort", "none", {0.26, 0.27, 0.26}, {0.21, 0.21, 0.20});
const ResultRow rope = row("sort", "rope", {1, 1, 0.99}, {0.22, 0.20, 0.21});

}  // namespace

TEST_CASE(
    "comparison: each row against the control of its task, at the longest trained and the longest length") {
  const std::vector<ResultRow> rows = {rope, none, row("copy", "rope", {1, 1, 1}, {0.1, 0.1, 0.1}),
                                       row("copy", "none", {1, 1, 1}, {1, 1, 1})};
  const auto found = compare(rows, "none");
  REQUIRE(found.size() == 4);
  CHECK(found[0].row == 0);
  CHECK(found[0].control == 1);
  CHECK(found[0].length == 12);
  CHECK(found[0].trained);
  CHECK(found[0].pairs == 3);
  CHECK(found[0].difference.mean == doctest::Approx(0.7333333));
  CHECK(found[0].verdict == Verdict::better);
  CHECK(found[1].length == 24);
  CHECK_FALSE(found[1].trained);
  CHECK(found[1].verdict == Verdict::cannot_tell);  // 0.003 apart, of seeds that spread by 0.02
  CHECK(found[2].control == 3);
  CHECK(found[2].difference.mean == 0);
  CHECK(found[2].verdict == Verdict::equal);
  CHECK(found[3].verdict == Verdict::worse);
  for (const Comparison& one : found) CHECK_FALSE(one.is_aa);
}

TEST_CASE(
    "comparison: one seed supports no verdict, and is not among the comparisons that Holm corrects for") {
  const ResultRow one = row("sort", "alibi", {1}, {1});
  const auto found = compare({none, rope, one}, "none");
  REQUIRE(found.size() == 4);
  CHECK(found[2].pairs == 1);
  CHECK(found[2].difference.mean == doctest::Approx(0.74));
  CHECK(found[2].verdict == Verdict::none_with_one_seed);
  CHECK(to_string(found[2].verdict) == "one seed: no verdict");
  CHECK(found[0].verdict == Verdict::better);
  CHECK(found[0].adjusted_p == compare({none, rope}, "none")[0].adjusted_p);
}

TEST_CASE("comparison: seeds are paired by their number, those of one row alone are left out") {
  const auto found = compare(
      {row("sort", "none", {0.25, 0.5, 0.75}, {0, 0, 0}, 1), row("sort", "rope", {0.5, 1, 1}, {0, 0, 0}, 2)},
      "none");
  CHECK(found[0].pairs == 2);
  CHECK(found[0].difference.mean == 0.125);  // (0.5 - 0.5, 1 - 0.75) / 2
}

TEST_CASE("comparison: seeds that only the control has make an A/A row, and it says noise") {
  const ResultRow twice =
      row("sort", "none", {0.26, 0.27, 0.26, 0.27, 0.26, 0.26}, {0.2, 0.2, 0.2, 0.2, 0.2, 0.2});
  const auto found = compare({twice, rope}, "none");
  REQUIRE(found.size() == 4);
  CHECK(found[0].pairs == 3);
  CHECK(found[2].is_aa);
  CHECK(found[2].pairs == 3);
  CHECK(found[2].difference.mean == doctest::Approx(0));
  CHECK((found[2].verdict == Verdict::equal || found[2].verdict == Verdict::cannot_tell));
  CHECK(found[2].difference.interval->low < 0);
  CHECK(found[2].difference.interval->high > 0);
  CHECK(compare({twice}, "none").empty());

  ResultRow again = row("sort", "none", {0.27, 0.26, 0.26}, {0.2, 0.2, 0.2}, 4);  // in a row of its own
  again.again = true;
  const auto apart = compare({row("sort", "none", {0.26, 0.27, 0.26}, {0.2, 0.2, 0.2}), again, rope}, "none");
  REQUIRE(apart.size() == 4);
  CHECK(apart[0].is_aa);
  CHECK(apart[0].row == 1);
  CHECK(apart[0].difference.mean == found[2].difference.mean);
  CHECK(apart[0].adjusted_p == found[2].adjusted_p);
}

TEST_CASE("comparison: a row is compared with the control of its own settings, or with the only one") {
  const auto wide = [](ResultRow summary, int width) {
    summary.variant = str("d_model=", width);
    summary.settings.model.d_model = width;
    return summary;
  };
  const auto found = compare({wide(none, 32), wide(none, 64), wide(rope, 64), wide(rope, 16)}, "none");
  REQUIRE(found.size() == 2);
  CHECK(found[0].row == 2);
  CHECK(found[0].control == 1);
  CHECK(compare({none, wide(rope, 16)}, "none").size() == 2);
  const auto longer = [](ResultRow summary, std::string variant) {
    summary.variant = std::move(variant);
    summary.settings.train.steps = 4000;
    return summary;
  };
  ResultRow shorter = none;
  shorter.variant = "max_steps=1000";
  const auto alone = compare({shorter, longer(none, "max_steps=4000"), longer(rope, "")}, "none");
  REQUIRE(alone.size() == 2);  // the only rope is no variant
  CHECK(alone[0].control == 1);
}

TEST_CASE("comparison: many comparisons raise what it takes to be told apart") {
  const ResultRow control = row("sort", "none", {0.50, 0.52, 0.54}, {0.5, 0.5, 0.5}),
                  better = row("sort", "rope", {0.61, 0.67, 0.73}, {0.5, 0.5, 0.5});
  const auto alone = compare({control, better}, "none");
  CHECK(alone[0].difference.p < 0.025);
  CHECK(alone[0].adjusted_p == alone[0].difference.p);  // the other length is another question
  CHECK(alone[0].verdict == Verdict::better);
  std::vector<ResultRow> many = {control, better};
  for (int i = 0; i < 10; ++i) many.push_back(row("sort", str("s", i), {0.5, 0.52, 0.54}, {0.5, 0.5, 0.5}));
  CHECK(compare(many, "none")[0].verdict == Verdict::cannot_tell);
}

TEST_CASE("comparison: equal is shown by an equivalence test; a wide spread says that it cannot be told") {
  const ResultRow control = row("sort", "none", {1, 1, 1}, {1, 1, 1}),
                  same = row("sort", "rope", {0.999, 1, 1}, {1, 1, 1}),
                  wide = row("sort", "t5", {0.63, 0.82, 1}, {1, 1, 1});
  CHECK(compare({control, same}, "none")[0].verdict == Verdict::equal);
  CHECK(to_string(Verdict::equal) == "equal within 0.02");
  const Comparison spread = compare({control, wide}, "none")[0];
  CHECK(spread.difference.mean == doctest::Approx(-0.1833).epsilon(0.001));
  CHECK(spread.verdict == Verdict::cannot_tell);
  CHECK(to_string(spread.verdict) == "cannot tell");
  CHECK(spread.seeds_needed.value() > 3);
  CHECK(verdict_text(spread) == str("cannot tell; about ", *spread.seeds_needed, " seeds would"));
  CHECK_FALSE(compare({control, same}, "none")[0].seeds_needed);
  CHECK(verdict_text(compare({control, same}, "none")[0]) == "equal within 0.02");
}

TEST_CASE(
    "comparison: a family is the schemes of one task at one length, without the control against itself") {
  const ResultRow control = row("sort", "none", {0.50, 0.52, 0.54}, {0.5, 0.5, 0.5}),
                  better = row("sort", "rope", {0.61, 0.67, 0.73}, {0.5, 0.5, 0.5});
  ResultRow again = row("sort", "none", {0.51, 0.5, 0.5}, {0.5, 0.5, 0.5}, 4);
  again.again = true;
  const double alone = compare({control, better}, "none")[0].adjusted_p;
  const auto of_rope = [](const std::vector<ResultRow>& rows) {
    for (const Comparison& one : compare(rows, "none"))
      if (rows[one.row].scheme == "rope" && rows[one.row].task == "sort" && one.trained)
        return one.adjusted_p;
    return -1.0;
  };
  CHECK(of_rope({control, again, better}) == alone);
  std::vector<ResultRow> more = {control, better};
  for (int i = 0; i < 10; ++i) {
    more.push_back(row(str("task", i), "none", {0.5, 0.52, 0.54}, {0.5, 0.5, 0.5}));
    more.push_back(row(str("task", i), "rope", {0.5, 0.52, 0.54}, {0.5, 0.5, 0.5}));
  }
  CHECK(of_rope(more) == alone);
  more.push_back(row("sort", "t5", {0.5, 0.52, 0.54}, {0.5, 0.5, 0.5}));
  CHECK(of_rope(more) == doctest::Approx(2 * alone));
}

TEST_CASE("comparison: the control is none, or the first scheme there is; an unknown one is refused") {
  CHECK(usual_control({rope, none}) == "none");
  CHECK(usual_control({rope, row("sort", "t5", {1}, {1})}) == "rope");
  CHECK(error_of([] {
          compare({rope, none}, "non");
        }).starts_with("[report] no result has the scheme 'non'. Hint: did you mean 'none'?"));
  CHECK(error_of([] { usual_control({}); }) == "[report] there are no results to compare");
}

// With a learning rate of its own for each scheme, at two widths, no row was compared with anything.
TEST_CASE("comparison: schemes with rates of their own are compared with the control of their width") {
  std::vector<ResultRow> rows;
  for (const int width : {32, 64})
    for (const char* scheme : {"none", "rope"}) {
      rows.push_back(row("sort", scheme, {0.5, 0.51, 0.5}, {0.5, 0.5, 0.5}));
      rows.back().settings.model.d_model = width;
      rows.back().variant = str(scheme, width);
    }
  const std::vector<Comparison> found = compare(rows, "none");
  REQUIRE_FALSE(found.empty());
  for (const Comparison& one : found)
    CHECK(rows[one.row].settings.model.d_model == rows[one.control].settings.model.d_model);
}
