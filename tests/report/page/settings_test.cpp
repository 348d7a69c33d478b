#include <doctest/doctest.h>

#include "report/page/parts.h"
#include "samples.h"

using namespace locus;
using test::Sample;

namespace {

const std::string sizes =
    " --model encoder --layers 2 --heads 2 --d-model 32 --d-ff 128 --batch 64 --steps 1000 --lr 0.003 "
    "--test-examples "
    "4000";

std::vector<Result> seeds(const std::string& task, const std::string& scheme, int count) {
  const Sample sample{.task = task, .scheme = scheme, .tested = {{12, 1}, {18, 1}, {24, 1}}};
  const test::BySeed right(static_cast<std::size_t>(count), 1.0);
  return test::seeds_of(sample, {right, right, right});
}

}  // namespace

TEST_CASE("commands: a whole grid is one command, its usual lengths left out") {
  CHECK(commands(test::together({seeds("sort", "none", 2), seeds("sort", "rope", 2),
                                 seeds("reverse", "none", 2), seeds("reverse", "rope", 2)})) ==
        std::vector<std::string>{
            "build/locus ablate --tasks sort reverse --schemes none rope --seeds 2 --no-aa" + sizes});
}

TEST_CASE("commands: the control that ran twice is named") {
  CHECK(commands(test::together({seeds("sort", "none", 4), seeds("sort", "rope", 2)})) ==
        std::vector<std::string>{
            "build/locus ablate --tasks sort --schemes none rope --seeds 2 --control none" + sizes});
}

TEST_CASE("commands: what is no grid is told cell by cell") {
  auto odd = seeds("sort", "rope", 2);
  odd.erase(odd.begin());
  CHECK(commands(odd) ==
        std::vector<std::string>{"build/locus train --task sort --scheme rope --seed 2" + sizes});
  auto tuned = seeds("sort", "rope", 1);
  tuned.front().json.set("from", "runs/a b");
  CHECK(commands(tuned) == std::vector<std::string>{"build/locus train --task sort --scheme rope --seed 1" +
                                                    sizes + " --from 'runs/a b'"});
}

TEST_CASE("commands: other lengths are named, and so is a table; words are quoted") {
  Sample sample{.task = "sort", .scheme = "rope none", .tested = {{12, 1}, {48, 1}}};
  auto results = test::seeds_of(sample, {{1}, {1}});
  CHECK(commands(results) ==
        std::vector<std::string>{
            "build/locus ablate --tasks sort --scheme-by-layer 'rope none' --seeds 1 --no-aa" + sizes +
            " --test-lengths 12,48"});
  results.front().json.set("dataset", "nowhere/$(touch x).tsv");
  CHECK(commands(results) ==
        std::vector<std::string>{
            "build/locus ablate --datasets 'nowhere/$(touch x).tsv' --scheme-by-layer 'rope none' "
            "--seeds 1 --no-aa" +
            sizes + " --train-lengths 12-12 --test-lengths 12,48"});
}
