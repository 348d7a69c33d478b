#include "report/figures.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "svg_reader.h"

using namespace locus;

namespace {

AttentionMap looks_at_itself(Head head, bool causal) { return {head, 2, causal, {1, 0, 0, 1}, 0}; }

bool says(const test::Svg& svg, std::string_view words) {
  return std::ranges::any_of(svg.named("text"), [&](const auto& element) { return element.text == words; });
}

}  // namespace

TEST_CASE("attention figure: a map per head with its tokens, a chart of distances per layer") {
  const std::vector<AttentionMap> maps{looks_at_itself({0, 0}, false), looks_at_itself({0, 1}, false),
                                       looks_at_itself({1, 0}, false)};
  const test::Svg svg = test::read_svg(svg_document(attention_figure("Attention", maps, {"dog", "cat"})));
  for (const char* words : {"Attention", "head 0.0, entropy 0.00 bits", "head 1.0, entropy 0.00 bits", "dog",
                            "layer 0: how far its heads look", "layer 1: how far its heads look"})
    CHECK_MESSAGE(says(svg, words), words);
  CHECK(says(svg, "1"));  // one token after
  CHECK_FALSE(says(svg, "layer 2: how far its heads look"));
}

TEST_CASE("attention figure: a causal head's chart ends at the token itself") {
  const test::Svg svg =
      test::read_svg(svg_document(attention_figure("", {looks_at_itself({0, 0}, true)}, {"dog", "cat"})));
  CHECK(says(svg, "−1"));
  CHECK(says(svg, "0"));
  CHECK_FALSE(says(svg, "1"));
}
