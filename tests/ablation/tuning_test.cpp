#include "ablation/tuning.h"

#include <doctest/doctest.h>

#include "../support/errors.h"
#include "../support/samples.h"

using namespace locus;

namespace {

void add(Records& study, const std::string& scheme, double rate, int seed, double accuracy, double loss) {
  study.results.push_back(test::result_of({.scheme = scheme, .seed = seed}, "f"));
  RunSettings& settings = study.results.back().settings;
  settings.train.optimizer.learning_rate = rate;
  study.curves.push_back({settings, {{50, 100}, {2, loss}, {0.9, accuracy}}});
}

std::string rates(const std::vector<Result>& results) {
  std::string all;
  for (const auto& [settings, outcome, where] : results)
    all += text(settings.model.scheme, settings.train.seed, "@", settings.train.optimizer.learning_rate, " ");
  return all;
}

}  // namespace

TEST_CASE("tuning: each scheme keeps the rate at which its last probes were best, over all seeds") {
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

TEST_CASE("tuning: without several rates, or without curves, there is nothing to choose by") {
  Records study;
  add(study, "none", 0.5, 1, 0.3, 1);
  CHECK(error_of([&] {
          at_best_rates(study);
        }).starts_with("[report] no runs differ in the learning rate alone, so there is none to choose"));
  add(study, "none", 0.25, 1, 0.3, 1);
  study.curves.pop_back();
  CHECK(error_of([&] {
          at_best_rates(study);
        }).starts_with("[f] this run has no learning curve to choose its learning rate by"));
}
