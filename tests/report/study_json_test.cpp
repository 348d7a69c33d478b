#include "report/study_json.h"

#include <doctest/doctest.h>

#include "ablation/summary.h"

using namespace locus;

namespace {

Result line(const std::string& scheme, int seed, double accuracy) {
  Json json = parse_json(
      R"({"task":"sort","dataset":null,"scheme":"","model":"encoder","seed":0,"train_lengths":[12,12],)"
      R"("parameters":100,"steps_to_solve":null,"status":"finished","by_length":[{"length":12,)"
      R"("exact_match":0.5,"order_blind_ceiling":0.25,"no_input_baseline":0.125,"examples":4000}]})",
      "");
  json.set("scheme", scheme);
  json.set("seed", seed);
  Json length = json.array("by_length", "")[0];
  length.set("token_accuracy", accuracy);
  json.set("by_length", Json::Array{length});
  if (accuracy == 1) json.set("steps_to_solve", 150);
  return {json, ""};
}

}  // namespace

TEST_CASE("study json: every seed, interval and comparison, in plain keys") {
  Records table;
  for (int seed = 1; seed <= 4; ++seed) table.results.push_back(line("none", seed, 0.25));
  for (int seed = 1; seed <= 2; ++seed) table.results.push_back(line("rope", seed, 1));
  const Json json = to_json(table, "");
  CHECK(parse_json(to_string(json), "") == json);
  CHECK(json.string("control", "") == "none");
  REQUIRE(json.array("rows", "").size() == 3);
  const Json &again = json.array("rows", "")[1], &rope = json.array("rows", "")[2];
  CHECK(again.boolean("again", ""));
  CHECK(again.member("seeds", "") == Json(Json::Array{3, 4}));
  CHECK(rope.string("scheme", "") == "rope");
  CHECK(rope.integer("parameters", "") == 100);
  CHECK(rope.member("steps_to_solve", "") == Json(Json::Array{150, 150}));
  CHECK(rope.array("success_interval", "")[0].as_number("", "") == doctest::Approx(0.34238));
  const Json& at = rope.array("by_length", "")[0];
  CHECK(at.member("token_accuracy", "") == Json(Json::Array{1, 1}));
  CHECK(at.number("mean", "") == 1);
  CHECK(at.member("interval", "") == Json(Json::Array{1, 1}));
  CHECK(at.number("order_blind_ceiling", "") == 0.25);
  CHECK(at.number("no_input_baseline", "") == 0.125);
  REQUIRE(json.array("comparisons", "").size() == 2);
  const Json &aa = json.array("comparisons", "")[0], &better = json.array("comparisons", "")[1];
  CHECK(aa.boolean("again", ""));
  CHECK(aa.string("verdict", "") == "not distinguishable");
  CHECK(better.string("verdict", "") == "better");
  CHECK(better.number("difference", "") == 0.75);
  CHECK(better.integer("pairs", "") == 2);
  CHECK(better.integer("length", "") == 12);
}
