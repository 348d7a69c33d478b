#include "ablation/tuning.h"

#include <doctest/doctest.h>

#include "../support/errors.h"

using namespace locus;

namespace {

struct Runs {
  std::vector<Result> results;
  std::vector<CellCurve> curves;

  void add(const std::string& scheme, double rate, int seed, double accuracy, double loss) {
    Json json = parse_json(R"({"task":"sort","scheme":"","model":"encoder","seed":0,"learning_rate":0})", "");
    json.set("scheme", scheme);
    json.set("learning_rate", rate);
    json.set("seed", seed);
    results.push_back({json, "f"});
    curves.push_back({settings_text(json, "", false), seed, {{50, 100}, {2, loss}, {0.9, accuracy}}});
  }
};

std::string rates(const std::vector<Result>& results) {
  std::string all;
  for (const auto& [json, where] : results)
    all +=
        text(json.string("scheme", ""), json.integer("seed", ""), "@", json.number("learning_rate", ""), " ");
  return all;
}

}  // namespace

TEST_CASE("tuning: each scheme keeps the rate at which its last probes were best, over all seeds") {
  Runs study;
  study.add("none", 0.5, 1, 0.3, 1);
  study.add("none", 0.25, 1, 0.3, 0.9);  // as accurate, at a lower loss
  study.add("rope", 0.5, 1, 0.9, 1);
  study.add("rope", 0.25, 1, 1, 1);
  study.add("rope", 0.5, 2, 0.9, 1);
  study.add("rope", 0.25, 2, 0.7, 1);
  const Tuned tuned = at_best_rates(study.results, study.curves);
  CHECK(rates(tuned.results) == "none1@0.25 rope1@0.5 rope2@0.5 ");
  REQUIRE(tuned.chosen.size() == 2);
  CHECK(tuned.chosen[0].scheme == "none");
  CHECK(tuned.chosen[0].rate == 0.25);
  CHECK(tuned.chosen[1].rate == 0.5);
  CHECK(tuned.chosen[1].tried == 2);
}

TEST_CASE("tuning: without several rates, or without curves, there is nothing to choose by") {
  Runs study;
  study.add("none", 0.5, 1, 0.3, 1);
  CHECK(error_of([&] {
          at_best_rates(study.results, study.curves);
        }).starts_with("[report] no runs differ in the learning rate alone, so there is none to choose"));
  study.add("none", 0.25, 1, 0.3, 1);
  study.curves.pop_back();
  CHECK(error_of([&] {
          at_best_rates(study.results, study.curves);
        }).starts_with("[f] this run has no learning curve to choose its learning rate by"));
}
