#include "ablation/judgement.h"

#include <doctest/doctest.h>

using namespace locus;

namespace {

ResultRow row(const std::vector<std::pair<int, bool>>& lengths, bool dataset = false) {
  ResultRow summary{
      .task = "sort", .scheme = "rope", .model = "encoder", .is_table = dataset, .parameters = 1};
  for (const auto& [length, trained] : lengths)
    summary.by_length.push_back({length, trained, {1, 0.5}, {0.5, 0}, 0.25, 100});
  summary.seed = {1, 2};
  return summary;
}

}  // namespace

TEST_CASE("judgement: the longest length trained on, and the longest of all if it is beyond") {
  const auto headline = [](const ResultRow& row) {
    std::vector<int> found;
    for (const RowAtLength& at : headline_lengths(row)) found.push_back(at.length);
    return found;
  };
  const ResultRow both = row({{8, true}, {12, true}, {24, false}, {18, false}});
  CHECK(in_distribution(both)->length == 12);
  CHECK(out_of_distribution(both)->length == 24);
  CHECK(headline(both) == std::vector{12, 24});
  CHECK(headline(row({{8, true}})) == std::vector{8});
  CHECK(headline(row({{18, false}, {24, false}})) == std::vector{24});
  CHECK(headline(row({{4, false}, {8, true}})) == std::vector{8});  // shorter than trained is not beyond
}

TEST_CASE("judgement: a dataset counts as a whole") {
  const ResultRow table = row({{5, true}, {7, true}}, true);
  CHECK(in_distribution(table)->length == 0);
  CHECK(in_distribution(table)->examples == 200);
  CHECK_FALSE(out_of_distribution(table));
  CHECK(headline_lengths(table).size() == 1);
}

TEST_CASE("judgement: answers that are generated count as a whole") {
  ResultRow generated = row({{12, true}});
  CHECK(measure_name(generated) == std::string("token accuracy"));
  CHECK(generated.accuracy(generated.by_length[0]) == std::vector{1, 0.5});
  generated.generates = true;
  CHECK(measure_name(generated) == std::string("exact match"));
  CHECK(generated.accuracy(generated.by_length[0]) == std::vector{0.5, 0.0});
}

TEST_CASE("judgement: every seed must be right in 99 % of the answers to solve a task") {
  ResultRow tested = row({{12, true}, {24, false}});
  CHECK_FALSE(solves(tested));
  tested.by_length[0].token_accuracy = {1, 0.99};
  CHECK(solves(tested));
  CHECK_FALSE(solves(tested, tested.by_length[1]));
  tested.generates = true;
  CHECK_FALSE(solves(tested));
  tested.steps_to_solve = {50};
  CHECK(only_some_seeds_solve(tested));
  tested.steps_to_solve = {50, 100};
  CHECK_FALSE(only_some_seeds_solve(tested));
  tested.steps_to_solve = {};
  CHECK_FALSE(only_some_seeds_solve(tested));
}

TEST_CASE(
    "judgement: at the order-blind ceiling or far below it, a row is no better than one blind to order") {
  ResultRow tested = row({{12, true}});
  RowAtLength& at = tested.by_length[0];  // the ceiling is 0.25
  at.examples = 40000;
  const auto blind = [&](double accuracy, double spread = 0) {
    at.token_accuracy = {accuracy - spread, accuracy + spread};
    return no_better_than_order_blind(tested, at);
  };
  CHECK(blind(0));
  CHECK(blind(0.25));
  CHECK(blind(0.266));
  CHECK_FALSE(blind(0.269));  // below 0.27, by less than the test set shows
  CHECK_FALSE(blind(0.271));
  CHECK_FALSE(blind(0.25, 0.02));  // two seeds of this spread show nothing
  at.token_accuracy = {0.25};      // nor does one
  CHECK_FALSE(no_better_than_order_blind(tested, at));
  at.order_blind_ceiling = 0.985;  // order is hardly needed
  CHECK_FALSE(blind(0.25));
  at.order_blind_ceiling.reset();
  CHECK_FALSE(blind(0.25));
  at.no_input_baseline = 0.4;
  CHECK(blind_level(tested, at) == 0.4);
  tested.generates = true;
  CHECK(blind_level(tested, at) == 0);
  at.order_blind_ceiling = 0.25;  // of tokens: it says nothing of whole answers
  at.exact_match = {0.1, 0.1};
  CHECK_FALSE(no_better_than_order_blind(tested, at));
}

TEST_CASE("judgement: whole answers are compared with one whole answer to all inputs, seed by seed") {
  ResultRow generated = row({{24, false}});
  RowAtLength& at = generated.by_length[0];
  generated.generates = true;
  generated.seed = {1, 2, 3, 4, 5};
  at.examples = 4000;
  at.no_input_baseline = 0.4;  // of tokens
  const auto standing = [&](const std::vector<double>& exact_match) {
    at.exact_match = exact_match;
    return judged({{&generated, at}}).front().standing;
  };
  // t5 on sort: five seeds above what is free, as different as they are. p = 0.06 by Student, 0.5 among 24 cells.
  CHECK(standing({0.25, 0.23, 0.11, 0.72, 0.15}) == Standing::above);
  CHECK(standing({0.9, 0, 0, 0, 0}) == Standing::at);  // one seed may be luck
  CHECK(standing({0, 0, 0, 0, 0}) == Standing::at);
  CHECK(standing({0.01, 0.01, 0.01, 0.01, 0.02}) == Standing::at);  // within the margin
  at.constant_answer = 0.1;
  CHECK(standing({0.1, 0.1, 0.1, 0.1, 0.1}) == Standing::at);
  CHECK(standing({0.25, 0.23, 0.12, 0.72, 0.15}) == Standing::above);
  CHECK(standing({0.25, 0.23, 0.1, 0.72, 0.15}) == Standing::at);
  CHECK(standing({0, 0, 0, 0, 0}) == Standing::below);
  CHECK(gain(generated, at) == 0);  // the share of answers, whatever is free
}

TEST_CASE("judgement: a model that cannot tell left from right is judged by the mirror-blind ceiling") {
  ResultRow tested = row({{12, true}});
  RowAtLength& at = tested.by_length[0];
  CHECK_FALSE(is_mirror_blind(tested));
  CHECK_FALSE(own_ceiling(tested, at));
  tested.scheme = "none";
  CHECK(own_ceiling(tested, at) == 0.25);
  tested.model = "gru";
  CHECK_FALSE(own_ceiling(tested, at));

  tested.scheme = "alibi";
  tested.model = "encoder";
  at.mirror_blind_ceiling = 0.55;
  CHECK(is_mirror_blind(tested));
  CHECK(own_ceiling(tested, at) == 0.55);
  at.examples = 40000;
  const auto is_on = [&](double accuracy, double spread = 0) {
    at.token_accuracy = {accuracy - spread, accuracy + spread};
    return is_on_mirror_blind_ceiling(tested, at);
  };
  CHECK(is_on(0.55));
  CHECK(is_on(0.535));
  CHECK_FALSE(is_on(0.531));  // within 0.02 of it, by less than the test set shows
  CHECK_FALSE(is_on(0.529));
  CHECK_FALSE(is_on(0.55, 0.02));
  at.mirror_blind_ceiling = 1;  // no direction is needed
  CHECK_FALSE(is_on(1));
}

TEST_CASE("judgement: what gets less than the most frequent answer would is below reading nothing") {
  ResultRow low = row({{12, true}}), high = low, unknown = low;
  const auto set = [](ResultRow& of, std::vector<double> accuracy) {
    of.by_length[0].token_accuracy = std::move(accuracy);
    of.by_length[0].examples = 4000;
    of.by_length[0].no_input_baseline = 0.6;
  };
  set(low, {0.3, 0.31});  // above the order-blind ceiling of 0.25, and still below 0.6
  set(high, {0.59, 0.6});
  set(unknown, {0.3, 0.9});
  const std::vector<Judged> all = {
      {&low, low.by_length[0]}, {&high, high.by_length[0]}, {&unknown, unknown.by_length[0]}};
  const std::vector<Judged> below = below_reading_nothing(all);
  REQUIRE(below.size() == 1);
  CHECK(below[0].row == &low);
  CHECK(below[0].standing == Standing::below);
  low.generates = true;  // whole answers have no such baseline
  CHECK(below_reading_nothing({{&low, low.by_length[0]}}).empty());
}
