#include "ablation/reproduction.h"

#include <doctest/doctest.h>

#include "../support/samples.h"

using namespace locus;
using test::Sample;

namespace {

std::vector<Result> seeds(const std::string& task, const std::string& scheme, int count) {
  const Sample sample{.task = task, .scheme = scheme, .tested = {{12, 1}, {18, 1}, {24, 1}}};
  const test::BySeed right(static_cast<std::size_t>(count), 1.0);
  return test::seeds_of(sample, {right, right, right});
}

}  // namespace

using Lines = std::vector<std::string>;

TEST_CASE("commands: a whole grid is one command; what is usual is left out") {
  CHECK(reproduction_commands(test::together({seeds("sort", "none", 2), seeds("sort", "rope", 2),
                                              seeds("reverse", "none", 2), seeds("reverse", "rope", 2)})) ==
        Lines{"build/locus ablate --tasks sort reverse --schemes none rope --seeds 2 --no-aa"});
}

TEST_CASE("commands: the control that ran twice is named") {
  CHECK(reproduction_commands(test::together({seeds("sort", "none", 4), seeds("sort", "rope", 2)})) ==
        Lines{"build/locus ablate --tasks sort --schemes none rope --seeds 2 --control none"});
}

TEST_CASE("commands: cells that are no grid have a command each") {
  auto odd = seeds("sort", "rope", 2);
  odd.erase(odd.begin());
  CHECK(reproduction_commands(odd) == Lines{"build/locus train --task sort --scheme rope --seed 2"});
  auto tuned = seeds("sort", "rope", 1);
  tuned.front().settings.from = "runs/a b";
  CHECK(reproduction_commands(tuned) ==
        Lines{"build/locus train --task sort --scheme rope --seed 1 --from 'runs/a b'"});
}

TEST_CASE("commands: other lengths are named, and so is a dataset; words are quoted") {
  Sample sample{.task = "sort", .scheme = "rope none", .tested = {{12, 1}, {48, 1}}};
  auto results = test::seeds_of(sample, {{1}, {1}});
  CHECK(reproduction_commands(results) ==
        Lines{"build/locus ablate --tasks sort --scheme-by-layer 'rope none' --seeds 1 "
              "--no-aa --test-lengths 12,48"});
  results.front().settings.dataset =
      "nowhere/$(touch x).tsv";  // nothing is usual for a file that is not there
  CHECK(
      reproduction_commands(results) ==
      Lines{"build/locus ablate --datasets 'nowhere/$(touch x).tsv' --scheme-by-layer 'rope none' --seeds 1 "
            "--no-aa --heads 2 --d-model 32 --d-ff 128 --steps 1000 --lr 0.003 --train-lengths 12 "
            "--test-lengths 12,48"});
}

TEST_CASE("commands: a default that depends on another setting is named when it does not follow from it") {
  auto results = seeds("sort", "rope", 1);
  results.front().settings.model.d_model = 64;  // d_ff stays 128, and would be 256
  CHECK(reproduction_commands(results) ==
        Lines{"build/locus ablate --tasks sort --schemes rope --seeds 1 --no-aa "
              "--d-model 64 --d-ff 128"});
}

TEST_CASE("commands: models that were trained as one scheme and tested as several are one command") {
  auto trained = seeds("sort", "rope", 2), tested = seeds("sort", "rope:extend=pi,factor=2", 2);
  for (Result& result : tested) result.settings.trained_as = "rope";
  CHECK(reproduction_commands(test::together({trained, tested})) ==
        Lines{"build/locus ablate --tasks sort --schemes rope rope:extend=pi,factor=2 --seeds 2 --no-aa "
              "--trained-as rope"});
  tested.erase(tested.begin());  // an ablation on its way; `locus train` could not do it
  CHECK(reproduction_commands(tested) ==
        Lines{"build/locus ablate --tasks sort --schemes rope:extend=pi,factor=2 --seeds 2 "
              "--no-aa --trained-as rope"});
}
