#include "ablation/summary.h"

#include <doctest/doctest.h>

#include <tuple>

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

TEST_CASE("summary: rows of one task, scheme and model say in which settings they differ") {
  Json wide = line("rope", 1, 0.5, 0.5), from = wide, decoder = wide;
  wide.set("d_model", 64);
  from.set("from", "runs/a");
  decoder.set("model", "decoder");
  const auto summaries =
      summarise(results({line("none", 1, 0.5, 0.5), line("rope", 1, 0.5, 0.5), wide, from, decoder}));
  REQUIRE(summaries.size() == 5);
  CHECK(summaries[0].variant == "");
  CHECK(summaries[1].variant == "d_model=32 from=none");
  CHECK(summaries[2].variant == "d_model=64 from=none");
  CHECK(summaries[3].variant == "d_model=32 from=runs/a");
  CHECK(summaries[4].variant == "");
  CHECK(summaries[0].name() == "none");
  CHECK(summaries[2].name() == "rope (d_model=64 from=none)");

  Json longer = line("rope", 1, 0.5, 0.5);
  longer.set("train_lengths", Json::Array{2, 16});
  CHECK(summarise(results({line("rope", 1, 0.5, 0.5), longer}))[1].variant == "train_lengths=2,16");
}

TEST_CASE("summary: seeds of a control that no other scheme has can stand in a row of their own") {
  std::vector<Json> lines;
  for (int seed = 1; seed <= 4; ++seed) lines.push_back(line("none", seed, 0.1 * seed, 0));
  for (int seed = 1; seed <= 2; ++seed) lines.push_back(line("rope", seed, 1, 1));
  CHECK(summarise(results(lines)).size() == 2);
  const auto apart = summarise(results(lines), ExtraSeeds::in_a_row_of_their_own);
  REQUIRE(apart.size() == 3);
  CHECK(apart[0].name() == "none");
  CHECK(apart[0].seed == std::vector{1LL, 2LL});
  CHECK(apart[1].name() == "none (again)");
  CHECK(apart[1].seed == std::vector{3LL, 4LL});
  CHECK(apart[1].by_length[0].token_accuracy == std::vector{0.1 * 3, 0.1 * 4});
  CHECK(apart[2].name() == "rope");

  lines.push_back(line("rope", 3, 1, 1));  // an ablation on its way: none only came first
  CHECK(summarise(results(lines), ExtraSeeds::in_a_row_of_their_own).size() == 2);
}

TEST_CASE("summary: an inner width that follows from the width goes without saying") {
  const auto variant = [](int d_ff) {
    Json narrow = line("rope", 1, 0.5, 0.5), wide = narrow;
    narrow.set("d_ff", 128);
    wide.set("d_model", 64);
    wide.set("d_ff", d_ff);
    return summarise(results({narrow, wide}))[1].variant;
  };
  CHECK(variant(256) == "d_model=64");
  CHECK(variant(200) == "d_model=64 d_ff=200");
}

TEST_CASE("summary: seeds stand in their order, whatever that of the lines") {
  const auto summaries =
      summarise(results({line("none", 3, 0.75, 0.5), line("none", 1, 0.25, 0), line("none", 2, 0.5, 0.25)}));
  CHECK(summaries[0].seed == std::vector{1LL, 2LL, 3LL});
  CHECK(summaries[0].by_length[0].token_accuracy == std::vector{0.25, 0.5, 0.75});
}

TEST_CASE("summary: the lengths of a table count together, in proportion to their examples") {
  Json json = line("none", 1, 1, 0.5);
  Json::Array by_length = json.array("by_length", "");
  by_length[0].set("examples", 100);
  by_length[0].set("no_input_baseline", 0.125);
  by_length[1].set("examples", 300);
  by_length[1].set("no_input_baseline", 0.25);
  json.set("by_length", by_length);
  const Summary row = summarise(results({json})).front();
  const LengthSummary all = all_lengths(row);
  CHECK(all.token_accuracy == std::vector{0.625});
  CHECK(all.exact_match == std::vector{0.3125});
  CHECK(all.order_blind_ceiling == 0.25);
  CHECK(all.no_input_baseline == 0.21875);
  CHECK(all.examples == 400);
  CHECK_FALSE(all_lengths(summarise(results({line("none", 1, 1, 0.5)})).front()).no_input_baseline);
}

TEST_CASE("summary: rows are compared at the longest trained length and the longest of all") {
  const auto lengths = [](const Summary& row) {
    std::vector<int> found;
    for (const LengthSummary& at : headline_lengths(row)) found.push_back(at.length);
    return found;
  };
  Json json = line("none", 1, 1, 0.5);
  CHECK(lengths(summarise(results({json})).front()) == std::vector{12, 18});
  json.set("train_lengths", Json::Array{2, 18});
  CHECK(lengths(summarise(results({json})).front()) == std::vector{18});
  json.set("train_lengths", Json::Array{2, 6});
  CHECK(lengths(summarise(results({json})).front()) == std::vector{18});
  json.set("dataset", "who.tsv");
  CHECK(lengths(summarise(results({json})).front()) == std::vector{0});
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
  CHECK(error_of([] { summarise({{Json(3), "f:1"}}); }) == "[f:1] 'a line' should be an object, is a number");
  Json one_length = line("none", 1, 0.5, 0.5);
  one_length.set("train_lengths", Json::Array{12});
  CHECK(error_of([&] { summarise(results({one_length})); }) ==
        "[f:1] 'train_lengths' should hold two numbers");
  for (const auto& [key, value, complaint] :
       {std::tuple<const char*, Json, const char*>{"token_accuracy", 1.5, "from 0 to 1, is 1.5"},
        {"exact_match", -0.5, "from 0 to 1, is -0.5"},
        {"order_blind_ceiling", 2, "from 0 to 1, is 2"},
        {"no_input_baseline", 7, "from 0 to 1, is 7"},
        {"examples", 0, "from 1 to 1000000, is 0"},
        {"length", 1e15, "from 1 to 1000000, is 1000000000000000"}}) {
    Json first = line("none", 1, 0.5, 0.5);
    Json::Array by_length = first.array("by_length", "");
    by_length[1].set(key, value);
    first.set("by_length", by_length);
    CHECK(error_of([&] { summarise(results({first})); }) == text("[f:1] '", key, "' should be ", complaint));
  }
  Json no_length = line("none", 1, 0.5, 0.5);
  no_length.set("by_length", Json::Array{});
  CHECK(error_of([&] { summarise(results({no_length})); }) == "[f:1] 'by_length' holds no length");
}
