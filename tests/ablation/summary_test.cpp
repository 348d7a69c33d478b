#include "ablation/summary.h"

#include <doctest/doctest.h>

#include "../support/errors.h"

using namespace locus;

namespace {

// A line of results: two test lengths with these token accuracies.
Json line(const std::string& scheme, int seed, double at_12, double at_18) {
  Json json = parse_json(
      R"({"task":"sort","dataset":null,"scheme":"","model":"encoder","seed":0,"d_model":32,"train_lengths":[2,12],)"
      R"("parameters":100,"steps":50,"steps_to_solve":null,"loss":0.5,"status":"finished"})",
      "");
  json.set("scheme", scheme);
  json.set("seed", seed);
  Json::Array by_length;
  for (const auto& [length, accuracy] : {std::pair{12, at_12}, {18, at_18}}) {
    Json entry = parse_json(R"({"order_blind_ceiling":0.25,"examples":4000})", "");
    entry.set("length", length);
    entry.set("token_accuracy", accuracy);
    entry.set("exact_match", accuracy / 2);
    by_length.push_back(entry);
  }
  json.set("by_length", by_length);
  return json;
}

std::vector<Result> results(const std::vector<Json>& lines) {
  std::vector<Result> all;
  for (const Json& json : lines) all.push_back({json, text("f:", all.size() + 1)});
  return all;
}

std::string error_with(const std::string& key, const Json& value) {
  Json second = line("none", 2, 0.5, 0.5);
  second.set(key, value);
  return error_of([&] { summarise(results({line("none", 1, 0.5, 0.5), second})); });
}

}  // namespace

TEST_CASE("summary: cells that differ in nothing but the seed are taken together, in order of appearance") {
  Json solved = line("rope", 1, 1, 0.75), diverged = line("rope", 2, 0.125, 0.25);
  solved.set("steps_to_solve", 40);
  solved.set("steps", 45);
  diverged.set("status", "diverged");
  const auto summaries =
      summarise(results({line("none", 1, 0.5, 0.25), solved, line("none", 2, 0.625, 0.375), diverged}));
  REQUIRE(summaries.size() == 2);
  const Summary &none = summaries[0], &rope = summaries[1];
  CHECK(none.scheme == "none");
  CHECK(none.task == "sort");
  CHECK(none.model == "encoder");
  CHECK_FALSE(none.dataset);
  CHECK(none.parameters == 100);
  CHECK(none.seeds() == 2);
  CHECK(none.diverged == 0);
  CHECK(none.steps_to_solve.empty());
  REQUIRE(none.by_length.size() == 2);
  CHECK(none.by_length[0].length == 12);
  CHECK(none.by_length[0].trained);
  CHECK_FALSE(none.by_length[1].trained);
  CHECK(none.by_length[0].token_accuracy == std::vector{0.5, 0.625});
  CHECK(none.by_length[1].token_accuracy == std::vector{0.25, 0.375});
  CHECK(none.by_length[1].exact_match == std::vector{0.125, 0.1875});
  CHECK(none.by_length[0].order_blind_ceiling == 0.25);
  CHECK(none.by_length[0].examples == 4000);
  CHECK(rope.scheme == "rope");
  CHECK(rope.steps_to_solve == std::vector{40.0});
  CHECK(rope.diverged == 1);
}

TEST_CASE("summary: cells that differ in any other setting stay apart") {
  for (const auto& [key, value] : {std::pair<const char*, Json>{"d_model", 64},
                                   {"model", "decoder"},
                                   {"task", "copy"},
                                   {"dataset", "copy.tsv"},
                                   {"train_lengths", Json::Array{3, 12}}}) {
    Json other = line("none", 2, 0.5, 0.5);
    other.set(key, value);
    CHECK(summarise(results({line("none", 1, 0.5, 0.5), other})).size() == 2);
  }
  CHECK(summarise(results({line("none", 1, 0.5, 0.5), line("none", 2, 0.5, 0.5)})).size() == 1);
  CHECK(summarise({}).empty());
}

TEST_CASE("summary: without a ceiling there is none") {
  Json json = line("none", 1, 0.5, 0.5);
  Json::Array by_length = json.array("by_length", "");
  by_length[1].set("order_blind_ceiling", nullptr);
  json.set("by_length", by_length);
  const auto summaries = summarise(results({json}));
  CHECK(summaries[0].by_length[0].order_blind_ceiling == 0.25);
  CHECK_FALSE(summaries[0].by_length[1].order_blind_ceiling);
}

TEST_CASE("summary: a line that cannot be understood is named") {
  CHECK(error_with("seed", 2) == "no error");
  CHECK(error_with("seed", 1) == "[f:2] this cell was there before. Hint: give each folder once");
  CHECK(error_with("status", nullptr) == "[f:2] 'status' should be a string, is null");
  CHECK(error_with("steps_to_solve", "soon") == "[f:2] 'steps_to_solve' should be a number, is a string");
  CHECK(error_with("by_length", Json::Array{line("none", 2, 0.5, 0.5).array("by_length", "")[0]}) ==
        "[f:2] 'by_length' has another size than for the other seeds");
  CHECK(error_with("by_length", 3) == "[f:2] 'by_length' should be an array, is a number");
  CHECK(error_of([] {
          summarise({{Json(3), "f:1"}});
        }) == "[f:1] 'a result' should be an object, is a number");
  Json one_length = line("none", 1, 0.5, 0.5);
  one_length.set("train_lengths", Json::Array{12});
  CHECK(error_of([&] { summarise(results({one_length})); }) ==
        "[f:1] 'train_lengths' should hold two numbers");
  Json no_length = line("none", 1, 0.5, 0.5);
  no_length.set("by_length", Json::Array{});
  CHECK(error_of([&] { summarise(results({no_length})); }) == "[f:1] 'by_length' holds no length");
}
