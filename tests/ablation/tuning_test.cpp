#include "ablation/tuning.h"

#include <doctest/doctest.h>

#include <cmath>

#include "../support/errors.h"
#include "../support/samples.h"
#include "ablation/comparison.h"

using namespace locus;

namespace {

void add(Records& study, const std::string& scheme, double rate, int seed, double accuracy, double loss) {
  study.results.push_back(test::result_of({.scheme = scheme, .seed = seed}, "f"));
  study.results.back().settings.train.optimizer.learning_rate = rate;
  study.results.back().outcome.curve = {{50, 100}, {2, loss}, {0.9, accuracy}};
}

std::string rates(const std::vector<Result>& results) {
  std::string all;
  for (const auto& [settings, outcome, where] : results)
    all += str(settings.model.scheme, settings.train.seed, "@", settings.train.optimizer.learning_rate, " ");
  return all;
}

}  // namespace

TEST_CASE("tuning: each scheme keeps the rate at which its last validations were best, over all seeds") {
  Records study;
  add(study, "none", 0.5, 1, 0.3, 1);
  add(study, "none", 0.25, 1, 0.3, 0.9);  // as accurate, at a lower loss
  add(study, "rope", 0.5, 1, 0.9, 1);
  add(study, "rope", 0.25, 1, 1, 1);
  add(study, "rope", 0.5, 2, 0.9, 1);
  add(study, "rope", 0.25, 2, 0.7, 1);
  const Tuned tuned = at_best_rates(study);
  CHECK(rates(tuned.results) == "none1@0.25 rope1@0.5 rope2@0.5 ");
  REQUIRE(tuned.chosen.size() == 2);
  CHECK(tuned.chosen[0].settings.model.scheme == "none");
  CHECK(tuned.chosen[0].settings.train.optimizer.learning_rate == 0.25);
  CHECK(tuned.chosen[1].settings.train.optimizer.learning_rate == 0.5);
  CHECK(tuned.chosen[1].tried == 2);
}

TEST_CASE("tuning: a text is judged by its loss") {
  for (const bool text : {false, true}) {
    Records study;
    add(study, "rope", 0.5, 1, 0.837, 0.359);
    add(study, "rope", 0.25, 1, 0.836, 0.357);  // less accurate, at a lower loss
    if (text)
      for (Result& result : study.results) result.settings.dataset = "prose.txt";
    CHECK(rates(at_best_rates(study).results) == (text ? "rope1@0.25 " : "rope1@0.5 "));
  }
}

TEST_CASE("tuning: without several rates, or without curves, there is nothing to choose by") {
  Records study;
  add(study, "none", 0.5, 1, 0.3, 1);
  CHECK(error_of([&] {
          at_best_rates(study);
        }).starts_with("[report] no runs differ in the learning rate alone, so there is none to choose"));
  add(study, "none", 0.25, 1, 0.3, 1);
  study.results.back().outcome.curve = {};
  CHECK(error_of([&] {
          at_best_rates(study);
        }).starts_with("[f] this run has no learning curve to choose its learning rate by"));
}

TEST_CASE("tuning: of rates that solve the task in every seed, the soonest is the best") {
  const auto add_solved = [](Records& study, double rate, int seed, std::optional<int> steps, double last) {
    add(study, "rope", rate, seed, last, 1);
    study.results.back().outcome.steps_to_solve = steps;
  };
  Records study;
  add_solved(study, 0.125, 1, 900, 1);  // their last validations would name 0.125
  add_solved(study, 0.25, 1, 300, 0.991);
  add_solved(study, 0.5, 1, 400, 0.995);
  CHECK(at_best_rates(study).chosen.front().settings.train.optimizer.learning_rate == 0.25);
  add_solved(study, 0.125, 2, 900, 1);
  add_solved(study, 0.25, 2, {}, 0.98);  // not in every seed
  add_solved(study, 0.5, 2, 400, 0.995);
  CHECK(at_best_rates(study).chosen.front().settings.train.optimizer.learning_rate == 0.5);
}

TEST_CASE("tuning: a choice at the edge of the rates that were tried is warned of") {
  Records study;
  for (const double rate : {0.125, 0.25, 0.5}) add(study, "rope", rate, 1, 0.5 - std::abs(rate - 0.25), 1);
  CHECK_FALSE(chosen_rates(study).front().is_at_edge());
  CHECK(edge_warning(chosen_rates(study)) == "");
  for (const double rate : {0.125, 0.25, 0.5}) add(study, "none", rate, 1, rate, 1);    // the largest
  for (const double rate : {0.125, 0.25, 0.5}) add(study, "t5", rate, 1, 1 - rate, 1);  // the smallest
  const std::string warning = edge_warning(chosen_rates(study));
  CHECK(
      warning.starts_with("warning: for 2 of 3 choices the best learning rate is the smallest or the largest "
                          "that was tried: reverse with none (0.5), reverse with t5 (0.125). Hint: "));
  study.results.back().outcome.curve = {};
  CHECK(chosen_rates(study).empty());
}

TEST_CASE(
    "tuning: rates within 20 % of the best are kept beside it, and are looked at where it was not trained") {
  Records study;
  for (int seed = 1; seed <= 3; ++seed) {
    add(study, "none", 0.5, seed, 0.9, 1);
    add(study, "rope", 0.125, seed, 0.7, 1);  // 78 % of the best
    add(study, "rope", 0.25, seed, 0.73, 1);  // 81 %
    add(study, "rope", 0.5, seed, 0.9, 1);
  }
  for (Result& result : study.results) {
    const bool other_rate = result.settings.train.optimizer.learning_rate == 0.25;
    const bool none = result.settings.model.scheme == "none";
    for (LengthScore& at : result.outcome.by_length)
      at.score.token_accuracy = (none         ? 0.3
                                 : other_rate ? 0.2
                                              : 0.4) +
                                0.001 * static_cast<double>(result.settings.train.seed);
  }
  Tuned tuned = at_best_rates(study);
  REQUIRE(tuned.chosen.size() == 1);
  CHECK(rates(tuned.chosen[0].near) == "rope1@0.25 rope2@0.25 rope3@0.25 ");
  const std::vector<ResultRow> rows = summarise(Records{.results = tuned.results}, tuned.chosen);
  const auto found = compare(rows, "none");
  REQUIRE(found.size() == 2);
  CHECK(found[0].length == 12);
  CHECK(found[0].verdict == Verdict::better);  // trained on
  CHECK(found[0].other_rates.empty());
  CHECK(found[1].length == 24);
  CHECK(found[1].verdict == Verdict::cannot_tell);
  CHECK_FALSE(found[1].seeds_needed);  // no number of seeds would settle it
  CHECK(
      verdict_text(found[1]) ==
      "cannot tell: other learning rates disagree (rope 0.202 at learning rate 0.25, none 0.302 at learning rate 0.5)");
  CHECK(compare(summarise(Records{.results = tuned.results}), "none")[1].verdict == Verdict::better);
}

TEST_CASE("tuning: rates of recalibration are rates, too, with an edge of their own") {
  const auto study_of = [](std::vector<double> rates, std::vector<double> again, double best) {
    Records study;
    for (const double rate : rates)
      for (const double second : again) {
        add(study, "rope", rate, 1, 0.5 - std::abs(second - best), 1);
        RunSettings& settings = study.results.back().settings;
        settings.trained_as = "t5";
        settings.recalibrate = 20;
        settings.recalibrate_rate = second;
      }
    return study;
  };
  const auto one_rate = chosen_rates(study_of({0.5}, {0.125, 0.25}, 0.25));
  REQUIRE(one_rate.size() == 1);
  CHECK(one_rate.front().is_at_edge());
  CHECK(edge_warning(one_rate) ==
        "warning: for 1 of 1 choices the best learning rate is the smallest or the largest that was tried: "
        "reverse with rope (recalibrated at 0.25). Hint: a better one may lie beyond; more rates in "
        "--recalibrate-lr until each best has one on either side");
  CHECK(tried_text(one_rate) == "2");
  CHECK_FALSE(chosen_rates(study_of({0.5}, {0.125, 0.25, 0.5}, 0.25)).front().is_at_edge());
  const auto both = chosen_rates(study_of({0.25, 0.5}, {0.125, 0.25, 0.5}, 0.5));
  CHECK(edge_warning(both).find("more rates in --lr and --recalibrate-lr until") != std::string::npos);
  CHECK(tried_text(both) == "6");
  CHECK(tried_text({one_rate.front(), both.front()}) == "2 to 6");
}
