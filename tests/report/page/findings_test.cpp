#include "report/page/findings.h"

#include <doctest/doctest.h>

#include "../../support/samples.h"
#include "base/file.h"

using namespace locus;
using test::BySeed;
using test::Sample;

namespace {

const BySeed right = {1, 1, 1}, nearly = {0.998, 1, 0.999};

std::vector<Result> rows(const std::string& task, const std::string& scheme, const BySeed& trained,
                         const BySeed& beyond, Sample sample = {}) {
  sample.task = task;
  sample.scheme = scheme;
  return test::seeds_of(sample, {trained, beyond});
}

Sample solved_after(int steps, int parameters = 26122) {
  return {.steps_to_solve = steps, .parameters = parameters};
}

// The text under this heading; "" when nothing was found.
std::string found(const std::vector<std::vector<Result>>& parts, const std::string& lead) {
  const std::vector<Summary> summaries = summarise({test::together(parts)});
  for (const Finding& one : findings(views(summaries).front()))
    if (one.lead == lead) return one.text;
  return "";
}

const std::string ceiling = "Without order, the ceiling holds", leak = "Order leaks in",
                  learns = "At the length trained on", nothing = "Positions that do not help",
                  longest = "On the longest inputs", too_near = "Not distinguishable",
                  by_heart = "Right is not the same as understood", quick = "Quick to learn",
                  disagree = "Seeds disagree", noise = "How much is noise", sizes = "Mind the sizes",
                  blew_up = "Diverged", few = "Few seeds", mask = "A decoder sees order without being told";

}  // namespace

TEST_CASE("findings: the encoder without positions on its ceiling, and where it is not") {
  const auto on = rows("reverse", "none", {0.25, 0.26, 0.25}, {0.25, 0.25, 0.24});
  const auto under = rows("sort", "none", {0.15, 0.15, 0.15}, {0.25, 0.25, 0.25});
  CHECK(found({on}, ceiling) ==
        "Without positions (`none`) the encoder lands on the order-blind ceiling of reverse, at every length "
        "tested, within 0.003.");
  CHECK(found({on, under}, ceiling) ==
        "Without positions (`none`) the encoder lands on the order-blind ceiling of 1 of 2 tasks, at every "
        "length "
        "tested, within 0.003. It does not on sort.");
  CHECK(found({under}, ceiling) == "");
  CHECK(found({rows("reverse", "rope", {0.25, 0.25, 0.25}, {0.25, 0.25, 0.25})}, ceiling) == "");
}

TEST_CASE("findings: the encoder without positions above its ceiling is a leak, unless it may be chance") {
  const auto above = rows("reverse", "none", {0.4, 0.41, 0.42}, {0.25, 0.25, 0.25});
  const std::string words = found({above}, leak);
  CHECK(words.starts_with(
      "On reverse at 12 tokens the encoder without positions reaches 0.41, above the ceiling "
      "of 0.25"));
  CHECK(found({above}, ceiling) == "");
  CHECK(found({rows("reverse", "none", {0.2, 0.3, 0.4}, {0.25, 0.25, 0.25})}, leak) == "");
  Sample decoder{.model = "decoder"};
  CHECK(found({rows("reverse", "none", {0.4, 0.41, 0.42}, {0.25, 0.25, 0.25}, decoder)}, leak) == "");
}

TEST_CASE("findings: a decoder that solves a task without positions") {
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}}, {24, 1, {}}}};
  CHECK(found({rows("sort", "none", right, {0.5, 0.5, 0.5}, decoder)}, mask) ==
        "Without positions (`none`) the decoder solves sort in every seed: its causal mask shows it where "
        "tokens "
        "stand.");
  CHECK(found({rows("sort", "none", {1, 1, 0.9}, right, decoder)}, mask) == "");
  CHECK(found({rows("sort", "none", right, right)}, mask) == "");
}

TEST_CASE("findings: who solves every task at the length trained on, in every seed") {
  const auto all = [&](const std::string& scheme, const BySeed& sort) {
    return test::together({rows("reverse", scheme, right, right), rows("sort", scheme, sort, right)});
  };
  CHECK(found({all("rope", right), all("t5", {1, 1, 0.98}), all("shaw", nearly)}, learns) ==
        "2 of 3 schemes solve all 2 tasks there in every seed: `rope` and `shaw`.");
  CHECK(found({all("rope", {1, 1, 0.5}), all("t5", {1, 1, 0.98})}, learns) == "");
  CHECK(found({all("rope", right)}, learns) == "");  // nobody to compare with
  // A scheme that was not run on all tasks is not counted.
  CHECK(found({all("rope", right), all("shaw", right), rows("sort", "t5", right, right)}, learns) ==
        "2 of 2 schemes solve all 2 tasks there in every seed: `rope` and `shaw`.");
}

TEST_CASE("findings: schemes that stay on the ceiling, where order is worth something") {
  const BySeed blind = {0.25, 0.25, 0.26};
  CHECK(found({rows("sort", "alibi", blind, blind), rows("before", "alibi", blind, blind),
               rows("sort", "rope", right, right), rows("sort", "none", blind, blind)},
              nothing) ==
        "No better, even at the length trained on, than a model blind to order: `alibi` on sort and before.");
  CHECK(found({rows("sort", "rope", {0.3, 0.3, 0.3}, blind)}, nothing) == "");
  CHECK(found({rows("majority", "rope", right, right, {.tested = {{12, 1, 1.0}, {24, 1, 1.0}}})}, nothing) ==
        "");
}

TEST_CASE("findings: the best on the longest inputs, if its lead is more than chance") {
  const auto sinusoidal = rows("sort", "sinusoidal", right, {0.4, 0.41, 0.4});
  CHECK(found({rows("sort", "rope", right, {0.9, 0.91, 0.92}), sinusoidal}, longest) ==
        "Ahead of every other scheme: `rope` on sort (0.91 at 24 tokens, 1.00 at 12 tokens).");
  const auto wide = rows("sort", "rope", right, {0.3, 0.95, 0.6});
  CHECK(found({wide, sinusoidal}, longest) == "");
  CHECK(found({wide, sinusoidal}, too_near) ==
        "The two that lead on the longest inputs cannot be told apart by these seeds: `rope` and "
        "`sinusoidal` on "
        "sort (0.62, 0.40).");
  CHECK(found({rows("sort", "rope", right, {0.9, 0.91, 0.92}), sinusoidal}, too_near) == "");
  CHECK(found({rows("sort", "rope", right, {0.9, 0.91, 0.92})}, longest) == "");  // alone
  CHECK(found({rows("sort", "rope", {1}, {0.9}), rows("sort", "t5", {1}, {0.1})}, longest) ==
        "");  // one seed
}

TEST_CASE("findings: tasks on which nobody carries over") {
  const BySeed blind = {0.25, 0.25, 0.26};
  CHECK(found({rows("reverse", "rope", right, blind), rows("reverse", "t5", right, {0.2, 0.2, 0.2})},
              longest) ==
        "On reverse no scheme beats both the order-blind ceiling and the no-input baseline.");
  Sample unread{.tested = {{12, 1}, {24, 1, 0.25, 0.5}}};
  CHECK(found({rows("reverse", "rope", right, {0.5, 0.5, 0.5}, unread)}, longest) != "");
  Sample decoder{.model = "decoder", .tested = {{12, 1, {}}, {24, 1, {}}}};
  CHECK(found({rows("copy", "rope", right, {0, 0.01, 0}, decoder)}, longest) ==
        "On copy no scheme gets even 2\u00a0% of the answers right.");
  CHECK(found({rows("copy", "rope", right, {0, 0.5, 0}, decoder)}, longest) == "");
}

TEST_CASE("findings: right as trained, and worse than blind beyond") {
  const BySeed below = {0.1, 0.11, 0.12};
  CHECK(found({rows("reverse", "learned", right, below)}, by_heart) ==
        "`learned` solves reverse at 12 tokens, and at 24 tokens gets 0.11, less than the 0.25 of a model "
        "that sees "
        "no order.");
  CHECK(found({rows("reverse", "learned", right, below), rows("sort", "learned", right, {0.15, 0.15, 0.15})},
              by_heart)
            .ends_with("The same holds for 1 other pair of scheme and task."));
  CHECK(found({rows("reverse", "learned", {0.9, 1, 1}, below)}, by_heart) == "");
  CHECK(found({rows("reverse", "learned", right, {0.1, 0.3, 0.2})}, by_heart) == "");
}

TEST_CASE("findings: quick and slow among those that solve everything") {
  const auto fast = rows("sort", "rope", right, right, solved_after(100)),
             slow = rows("sort", "t5", right, right, solved_after(900));
  CHECK(found({slow, fast}, quick) ==
        "Of the schemes that solve everything, `rope` needs the fewest steps (100 on average over tasks and "
        "seeds), "
        "`t5` the most (900).");
  CHECK(found({fast, rows("sort", "t5", right, right, solved_after(100))}, quick) == "");
  CHECK(found({fast, rows("sort", "t5", right, right)}, quick) == "");  // never solved
}

TEST_CASE("findings: seeds that disagree, and few of them") {
  auto one = rows("sort", "rope", right, right, solved_after(100));
  one.back() = rows("sort", "rope", right, right).back();
  CHECK(found({one}, disagree) ==
        "Solved in some seeds only: `rope` on sort (2 of 3). There the dots say more than "
        "the mean.");
  CHECK(found({rows("sort", "rope", right, right, solved_after(100))}, disagree) == "");
  CHECK(found({one}, few) ==
        "With 3 seeds, a small difference may be luck: take five or more before claiming one.");
  CHECK(found({rows("sort", "rope", {1}, {1})}, few).starts_with("With 1 seed, "));
  CHECK(found({rows("sort", "rope", {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1})}, few) == "");
}

TEST_CASE("findings: the control against itself") {
  const auto rope = rows("sort", "rope", right, right);
  CHECK(
      found({rows("sort", "none", {.25, .26, .25, .25, .25, .26}, {.25, .25, .25, .26, .25, .25}), rope},
            noise) ==
      "`none` against itself, on other seeds, differs by up to 0.003, which is not distinguishable from 0.");
  CHECK(found({rows("sort", "none", right, right), rope}, noise) == "");  // no seeds of its own
  CHECK(found({rows("sort", "none", {.25, .25, .25, .75, .75, .75}, {.25, .25, .25, .25, .25, .25}), rope},
              "The control differs from itself")
            .starts_with("`none` on sort, trained twice on different seeds, differs by 0.500"));
}

TEST_CASE("findings: sizes that differ, and models that blew up") {
  const auto small = rows("sort", "rope", right, right),
             large = rows("sort", "learned", right, right, {.parameters = 42506});
  CHECK(found({small, large}, sizes) == "On sort `learned` has 1.6 times the parameters of `rope`.");
  CHECK(found({small, rows("sort", "t5", right, right, {.parameters = 26186})}, sizes) == "");
  // Tasks differ in size for reasons of their own.
  CHECK(found({small, rows("copy", "learned", right, right, {.parameters = 42506})}, sizes) == "");
  CHECK(found({rows("sort", "rope", right, right, {.status = TrainStatus::diverged})}, blew_up) ==
        "Training diverged in 3 models: `rope` on sort. (The loss was not a finite number, or at the end "
        "above 2 times that of a uniform guess.)");
  CHECK(found({small}, blew_up) == "");
}

TEST_CASE("findings: what the README quotes is what the page says of the recorded encoders") {
  std::string readme = read_file("README.md");
  for (const std::string line_break : {"\n> ", "\n>\n"})
    for (std::size_t at; (at = readme.find(line_break)) != readme.npos;)
      readme.replace(at, line_break.size(), 1, ' ');
  const Study study(read_records({"lessons/results/encoder"}));
  int quoted = 0;
  for (const Finding& one : findings(study.views.front())) {
    const std::string lead = "**" + one.lead + ".** ";
    if (readme.find(lead) == readme.npos) continue;
    ++quoted;
    CAPTURE(one.text);
    CHECK(readme.find(lead + one.text) != readme.npos);
  }
  CHECK(quoted == 3);
}
