#include "report/attention/attention.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../draw/svg_reader.h"

using namespace locus;

namespace {

AttentionMap looks_at_itself(Head head, bool causal) { return {head, 2, causal, {1, 0, 0, 1}, 0}; }

bool says(const test::Svg& svg, std::string_view words) {
  return std::ranges::any_of(svg.named("text"), [&](const auto& element) { return element.text == words; });
}

}  // namespace

TEST_CASE("attention figure: a map per head with its tokens, its distances as bars, one colour bar") {
  const std::vector<AttentionMap> maps{looks_at_itself({0, 0}, false), looks_at_itself({0, 1}, false),
                                       looks_at_itself({1, 0}, false)};
  const test::Svg svg = test::read_svg(
      svg_document(attention_figure("Attention", {"input: dog cat", "answer: cat"}, maps, {"dog", "cat"})));
  for (const char* words : {"Attention", "input: dog cat", "answer: cat", "head 0.0, over 1.0 tokens",
                            "head 1.0, over 1.0 tokens", "dog", "key minus query"})
    CHECK_MESSAGE(says(svg, words), words);
  CHECK(says(svg, "1"));  // one token after
  const auto of = [&](std::string_view words) {
    return std::ranges::count_if(svg.named("text"),
                                 [&](const auto& element) { return element.text == words; });
  };
  CHECK(of("share of the attention") == 3);
  CHECK(of("attention weight") == 1);  // one colour bar
}

TEST_CASE(
    "attention figure: a causal head's bars end at the token itself, and what it cannot see is marked") {
  const test::Svg svg =
      test::read_svg(svg_document(attention_figure("", {}, {looks_at_itself({0, 0}, true)}, {"dog", "cat"})));
  CHECK(says(svg, "−1"));
  CHECK(says(svg, "0"));
  CHECK_FALSE(says(svg, "1"));
  CHECK(says(svg, "not seen"));
}

TEST_CASE("attention figure: of a head that reads the mirror image the bars count key plus query") {
  const AttentionMap mirrors{{0, 0}, 3, false, {0, 0, 1, 0, 1, 0, 1, 0, 0}, 0};
  const test::Svg svg = test::read_svg(svg_document(attention_figure("", {}, {mirrors}, {"a", "b", "c"})));
  CHECK(says(svg, "key plus query"));
  CHECK_FALSE(says(svg, "key minus query"));
  CHECK(says(svg, "1.00"));  // all of it where the sum is 2
}

// The title stands above the row of the last query, which shows what the answer is read from.
TEST_CASE("attention: a decoder's habit is that of the queries that give the answer") {
  AttentionMap map{{0, 1}, 8, true, std::vector<double>(64), 0, 5};  // BOS a b c d SEP y z
  for (int query = 0; query < 8; ++query)
    for (int key = 0; key <= query; ++key)
      map.weights[static_cast<std::size_t>(query * 8 + key)] = query < 5 ? 1.0 / (query + 1) : key == 5;
  CHECK(attention_finding("none on sort", {map}) ==
        "Head 0.1 of none on sort looks at SEP, position 5 (100 % of its attention)");
}

TEST_CASE("attention: a habit is a distance, the mirrored position, or one position") {
  const auto map_of = [](int length, bool causal, auto&& key_of) {
    AttentionMap map{
        {0, 0}, length, causal, std::vector<double>(static_cast<std::size_t>(length * length)), 0};
    for (int query = 0; query < length; ++query)
      map.weights[static_cast<std::size_t>(query * length + key_of(query))] = 1;
    return map;
  };
  const auto said = [](const AttentionMap& map) { return habit_of(map).words; };
  CHECK(said(map_of(6, false, [](int q) { return q; })) == "itself");
  CHECK(said(map_of(6, true, [](int q) { return q > 1 ? q - 2 : 0; })) == "2 before");
  CHECK(said(map_of(6, false, [](int q) { return q < 5 ? q + 1 : 5; })) == "1 after");
  CHECK(said(map_of(6, false, [](int q) { return 5 - q; })) == "the mirrored position");
  CHECK(said(map_of(6, false, [](int) { return 4; })) == "position 4");
  // A decoder that reads BOS a b c SEP, and at SEP and later looks back from the end.
  CHECK(said(map_of(8, true, [](int q) { return q >= 4 ? 7 - q : 0; })) == "the mirrored position");

  AttentionMap even = map_of(6, false, [](int q) { return q; });
  for (double& weight : even.weights) weight = 1.0 / 6;
  CHECK(attention_finding("none on sort", {even}) == "No head of none on sort looks mostly at one position");
  CHECK(attention_finding("rope on sort", {even, map_of(6, false, [](int q) { return 5 - q; })}) ==
        "Head 0.0 of rope on sort looks at the mirrored position (100 % of its attention)");
}
