#include "report/figures.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../support/errors.h"
#include "svg_reader.h"

using namespace locus;

namespace {

Summary row(std::string task, std::string scheme, std::string model = "encoder") {
  Summary summary{.task = std::move(task),
                  .scheme = std::move(scheme),
                  .model = std::move(model),
                  .dataset = false,
                  .parameters = 100};
  for (const int length : {12, 18, 24})
    summary.by_length.push_back({length, length == 12, {0.75, 0.25}, {0.5, 0}, 0.25, 4000});
  return summary;
}

test::Svg draw(const std::vector<Summary>& summaries) {
  return test::read_svg(svg_document(accuracy_figure(summaries)));
}

long count(const test::Svg& svg, std::string_view words) {
  return std::ranges::count_if(svg.named("text"), [&](const auto& element) { return element.text == words; });
}

}  // namespace

TEST_CASE("accuracy figure: a panel for each task, one key for all") {
  const auto svg = draw({row("sort", "none"), row("sort", "rope"), row("copy", "none"), row("copy", "rope")});
  CHECK(svg.fault == "");
  CHECK(test::has_only_finite_numbers(svg));
  for (const char* once : {"sort", "copy", "none", "rope", "order-blind ceiling"}) {
    CAPTURE(once);
    CHECK(count(svg, once) == 1);
  }
  CHECK(count(svg, "token accuracy") == 2);
  CHECK(count(svg, "length of the input") == 2);
  CHECK(count(svg, "trained") == 2);
}

TEST_CASE("accuracy figure: the key names every scheme, also those that are not in all panels") {
  const auto svg =
      draw({row("sort", "none"), row("sort", "rope"), row("copy", "none"), row("copy", "alibi")});
  for (const char* once : {"none", "rope", "alibi"}) CHECK(count(svg, once) == 1);
}

TEST_CASE("accuracy figure: a scheme looks the same in every panel") {
  const auto svg = draw({row("sort", "none"), row("sort", "rope"), row("copy", "rope")});
  std::vector<std::string> colours;
  // Every marker carries a tooltip that begins with its scheme's name, and the element that holds it its
  // colour.
  for (std::size_t i = 1; i < svg.elements.size(); ++i)
    if (svg.elements[i].name == "title" && svg.elements[i].text.starts_with("rope"))
      colours.push_back(svg.elements[i - 1].attributes.at("fill"));
  CHECK(colours.size() >= 6);
  CHECK(std::ranges::count(colours, colours.front()) == std::ssize(colours));
}

TEST_CASE("accuracy figure: a decoder is drawn by exact match") {
  Summary decoder = row("sort", "none", "decoder");
  decoder.generates = true;
  for (auto& at : decoder.by_length) at.order_blind_ceiling.reset();
  const auto svg = draw({decoder});
  CHECK(count(svg, "exact match") == 1);
  CHECK(count(svg, "token accuracy") == 0);
  CHECK(count(svg, "order-blind ceiling") == 0);
  CHECK(std::ranges::any_of(svg.named("title"),
                            [](const auto& title) { return title.text.starts_with("none: 12, 0.25"); }));
}

TEST_CASE("accuracy figure: the same task with either model makes two panels") {
  const auto svg = draw({row("sort", "none"), row("sort", "none", "decoder")});
  CHECK(count(svg, "sort") == 2);
}

TEST_CASE("accuracy figure: without two lengths there is no curve") {
  Summary one_length = row("sort", "none"), dataset = row("who", "none");
  one_length.by_length.resize(1);
  dataset.dataset = true;
  const std::string nothing =
      "[report] no task was tested at two or more lengths, so there is no curve to draw";
  CHECK(error_of([&] { accuracy_figure({one_length, dataset}); }) == nothing);
  CHECK(error_of([&] { accuracy_figure({}); }) == nothing);
}

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
  CHECK(says(svg, "-1"));
  CHECK(says(svg, "0"));
  CHECK_FALSE(says(svg, "1"));
}
