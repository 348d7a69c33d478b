// Constructed models do exactly what is said of them, and so do the instruments that are applied to them.
#include "examine/construct.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../support/errors.h"
#include "examine/attention_maps.h"
#include "train/evaluate.h"

using namespace locus;

namespace {

struct Built {
  explicit Built(Construction c)
      : construction(std::move(c)),
        run(settings_of(construction)),
        parameters(construct(construction, run.model())) {}

  const Transformer& transformer() const { return dynamic_cast<const Transformer&>(run.model()); }
  double accuracy_at(int length) const {
    Pool pool(1);
    return run.test(length, parameters.data(), pool).score.exact_match;
  }
  Tokens answer_to(const Tokens& input) const { return answer_of(run.model(), parameters.data(), input); }

  Construction construction;
  Run run;
  Reals parameters;
};

Construction small(const std::string& name) {
  return {.name = name, .test_lengths = {12, 24}, .test_examples = 64};
}

// The mean weight of the key before, over queries from 1 on.
double weight_of_the_one_before(const Built& built, int length) {
  const Tokens& input = built.run.task().test_set(length, 1)[0].input;
  const AttentionMap map = attention_maps(built.transformer(), built.parameters.data(), input)[0];
  double sum = 0;
  for (int query = 1; query < length; ++query)
    sum += map.weights[static_cast<std::size_t>(query * length + query - 1)];
  return sum / (length - 1);
}

// What `previous` answers when token i is told position told[i]: the token that is told the position before, or the
// nearest one. Empty where no such token is nearer than all others.
Tokens previous_when_told(const Tokens& input, const std::vector<int>& told) {
  Tokens answers;
  for (const int position : told) {
    const auto nearest =
        std::ranges::min_element(told, {}, [&](int other) { return std::abs(other - (position - 1)); });
    answers.push_back(input[static_cast<std::size_t>(nearest - told.begin())]);
  }
  return answers;
}

}  // namespace

TEST_CASE("construct: all three are exact at 12, 24, 48 and 96 tokens") {
  for (const std::string& name : construction_names()) {
    CAPTURE(name);
    const Built built({.name = name, .test_examples = 100});
    for (const int length : {12, 24, 48, 96}) {
      CAPTURE(length);
      CHECK(built.accuracy_at(length) == 1);
    }
    for (const int length : {1, 2, 3})  // every answer to the sample inputs, however short
      if (const auto exists = built.run.task().length_from(length); exists == length)
        for (const Example& example : built.run.task().test_set(length, 20))
          CHECK(count_right(built.run.batcher().batch({&example, 1}), built.answer_to(example.input),
                            built.run.batcher().end())
                    .exact == 1);
  }
}

TEST_CASE("construct: the head of previous looks at the token before, through the shift matrix") {
  CHECK(weight_of_the_one_before(Built(small("previous")), 24) > 0.999);
  const Tokens input{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
  const Built built(small("previous"));
  const AttentionMap map = attention_maps(built.transformer(), built.parameters.data(), input)[0];
  CHECK(map.weights[0] > 0.999);  // before the first token there is none: it looks at itself
}

TEST_CASE("construct: of codes that are equally far apart, the right key gets e^s / (e^s + T - 1)") {
  for (const bool log_scale : {false, true})
    for (const int length : {12, 24}) {
      Construction c = small("previous");
      c.codes = "onehot";
      c.sharpness = 2;
      if (log_scale) c.score_scale = "log";
      const double sharpness = log_scale ? 2 * std::log(length) / std::log(12) : 2,
                   right = std::exp(sharpness);
      CHECK(weight_of_the_one_before(Built(c), length) ==
            doctest::Approx(right / (right + length - 1)).epsilon(1e-4));
    }
}

TEST_CASE("construct: blunt scores fail on longer inputs, and times ln T they do not") {
  Construction c{
      .name = "previous", .codes = "onehot", .sharpness = 2, .test_lengths = {12, 96}, .test_examples = 100};
  const Built blunt(c);
  c.score_scale = "log";
  const Built scaled(c);
  CHECK(blunt.accuracy_at(12) == 1);
  CHECK(blunt.accuracy_at(96) < 0.5);  // whole answers
  CHECK(scaled.accuracy_at(12) == 1);
  CHECK(scaled.accuracy_at(96) == 1);
}

TEST_CASE("construct: told other positions, previous answers what follows from them") {
  const auto check_told = [](const char* change, const std::vector<int>& told) {
    Built built(small("previous"));
    built.run.tell(parse_position_change(change));
    for (const Example& example : built.run.task().test_set(12, 64)) {
      CAPTURE(change);
      CHECK(built.answer_to(example.input) == previous_when_told(example.input, told));
    }
  };
  const auto positions = [](auto of) {
    std::vector<int> told;
    for (int p = 0; p < 12; ++p) told.push_back(of(p));
    return told;
  };
  check_told("swap:2,7", positions([](int p) { return p == 2 ? 7 : p == 7 ? 2 : p; }));
  check_told("shift:100", positions([](int p) { return p + 100; }));
  check_told("scale:3",
             positions([](int p) { return 3 * p; }));  // 3p - 1 is nearest to 3p: each answers itself
  check_told("reversed", positions([](int p) { return 11 - p; }));

  Built constant(small("previous"));  // all keys alike: each answers the most frequent token
  constant.run.tell(parse_position_change("constant"));
  CHECK(constant.answer_to({3, 1, 4, 1, 1}) == Tokens{1, 1, 1, 1, 1});
}

TEST_CASE("construct: sort told the reversed positions answers in descending order; count is told none") {
  Built sort(small("sort"));
  sort.run.tell(parse_position_change("reversed"));
  CHECK(sort.answer_to({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}) == Tokens{9, 8, 6, 5, 5, 5, 4, 3, 3, 2, 1, 1});
  Built constant(small("sort"));  // all are told the first position
  constant.run.tell(parse_position_change("constant"));
  CHECK(constant.answer_to({3, 1, 4, 1}) == Tokens{1, 1, 1, 1});
  Built count(small("count"));
  CHECK(error_of([&] { count.run.tell(parse_position_change("reversed")); }) ==
        "[positions] 'none' looks at no positions. Hint: what it shows follows from the tokens and the mask "
        "alone");
}

TEST_CASE("construct: without its only head, previous and count answer 0 always, and sort 9") {
  for (const std::string& name : construction_names()) {
    CAPTURE(name);
    const Built built(small(name));
    Reals silent = built.parameters;
    built.transformer().silence(silent, 0, 0);
    for (const int answer : answer_of(built.run.model(), silent.data(), {3, 1, 4, 1, 1}))
      CHECK(answer == (name == "sort" ? 9 : 0));
  }
}

TEST_CASE("construct: wrong names and codes are refused") {
  CHECK(error_of([] {
          settings_of({.name = "sorted"});
        }).starts_with("[construct] there is no construction 'sorted'. Hint: did you mean 'sort'?"));
  CHECK(error_of([] {
          settings_of({.name = "previous", .codes = "rope"});
        }).starts_with("[construct] there is no code of positions for previous 'rope'. Hint:"));
  CHECK(error_of([] { settings_of({.name = "sort", .codes = "onehot"}); }) ==
        "[construct] --codes has no effect on sort. Hint: leave it out");
}
