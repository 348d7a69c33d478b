#include "train/evaluate.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "../support/specs.h"
#include "../support/tiny_run.h"
#include "base/random.h"

using namespace locus;

namespace {

constexpr Draws draws{1, Purpose::test_positions, 6};

// What generate() says to the examples, each by itself: how many whole answers are right, and which share of the tokens
// of the targets it gives at their place.
struct Generated {
  int exact = 0;
  double token_accuracy = 0;
};
Generated generated(const Run& run, const Reals& parameters, std::span<const Example> examples) {
  int exact = 0, right = 0;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto& [input, target] = examples[i];
    const Tokens answer = generate(run.model(), parameters.data(), run.batcher(), input,
                                   static_cast<int>(target.size()) + 1, draws.at(i));
    exact += answer == target;
    for (std::size_t at = 0; at < std::min(answer.size(), target.size()); ++at)
      right += answer[at] == target[at];
    tokens += target.size();
  }
  return {exact, right / static_cast<double>(tokens)};
}

struct Sample {
  Reals parameters;
  std::vector<Example> examples;
  Generated expected;
};

// Random parameters, and inputs of 6 tokens whose targets are what the model generates, of up to 5 tokens; in every
// third example one token is changed, and in every fourth one is missing or too many. Seeds are tried until some
// answers end soon and others late.
Sample sample(const Run& run, int count) {
  const std::span<const Example> drawn = run.task().test_set(6, count);
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    Sample made{run.model().parameters().sample(seed), {drawn.begin(), drawn.end()}, {}};
    const Reals moves = random_values(made.parameters.size(), seed, 0.3);
    for (std::size_t i = 0; i < moves.size(); ++i) made.parameters[i] += moves[i];
    std::set<std::size_t> lengths;
    for (std::size_t i = 0; i < made.examples.size(); ++i) {
      auto& [input, target] = made.examples[i];
      target = generate(run.model(), made.parameters.data(), run.batcher(), input, 5, draws.at(i));
      lengths.insert(target.size());
      if (i % 3 == 0 && !target.empty()) target[i / 3 % target.size()] ^= 1;
      if (i % 8 == 1 && !target.empty()) target.pop_back();
      if (i % 8 == 5) target.push_back(0);
    }
    made.expected = generated(run, made.parameters, made.examples);
    if (made.expected.exact > count / 10 && lengths.size() > 2) return made;
  }
  FAIL("no seed gives answers of different lengths");
  return {};
}

std::vector<RunSettings> generating_models() {
  std::vector<std::string> specs = every_spec(64, true);
  for (const char* composed : {"randomized+sinusoidal", "alibi+randomized", "fraction+rope",
                               "rope:extend=dynamic,original=4+alibi", "none rope:extend=dynamic,original=4"})
    specs.push_back(composed);
  std::vector<RunSettings> models;
  for (const std::string& spec : specs) {
    RunSettings settings = tiny_settings("unique", "none", ModelKind::decoder);
    settings.model.scheme = spec;
    settings.model.layers = 2;
    models.push_back(complete(settings));
  }
  for (const ModelKind kind : {ModelKind::rnn, ModelKind::gru})
    models.push_back(tiny_settings("unique", "none", kind));
  return models;
}

}  // namespace

TEST_CASE("evaluate: a decoder is scored by what generate() says to each example alone, for every scheme") {
  Pool pool(2);
  for (const RunSettings& settings : generating_models()) {
    CAPTURE(to_string(settings.model.scheme));
    const Run run(settings);
    const auto [parameters, examples, expected] = sample(run, 40);
    CHECK(expected.exact < 40);
    const Score score = evaluate(run.model(), parameters.data(), run.batcher(), examples, draws, pool);
    CHECK(score.exact_match == expected.exact / 40.0);
    CHECK(score.token_accuracy == expected.token_accuracy);
  }
}

TEST_CASE(
    "evaluate: the score of an example depends neither on the others of its batch nor on their length") {
  Pool pool(1);
  for (const RunSettings& settings : generating_models()) {
    CAPTURE(to_string(settings.model.scheme));
    const Run run(settings);
    const auto [parameters, examples, expected] = sample(run, examples_per_draw);
    const auto score = [&, &weights = parameters](std::span<const Example> some) {
      return evaluate(run.model(), weights.data(), run.batcher(), some, draws, pool);
    };
    double exact_alone = 0, right = 0, answers = 0;
    for (const Example& example : examples) {
      const Score alone = score({&example, 1});
      const auto count = static_cast<double>(example.target.size());
      exact_alone += alone.exact_match;
      right += alone.token_accuracy * count;
      answers += count;
    }
    const Score all = score(examples);
    CHECK(exact_alone == expected.exact);
    CHECK(all.exact_match * static_cast<double>(examples.size()) == expected.exact);
    CHECK(all.token_accuracy * answers == doctest::Approx(right).epsilon(1e-12));
  }
}

TEST_CASE("evaluate: trained models score as in free generation") {
  for (const auto& [task, kind] : {std::pair{"sort", ModelKind::decoder}, {"unique", ModelKind::gru}})
    for (const int steps : {0, 300}) {
      RunSettings settings = tiny_settings(task, "none", kind, 300);
      CAPTURE(settings.task);
      CAPTURE(steps);
      settings.train.lengths = {3, 5};
      settings.model.d_model = 16;
      settings.train.optimizer.learning_rate = 0.01;
      Training training(settings);
      training.steps(steps);
      const Real* parameters = training.trainer.parameters().data();
      for (const int length : {3, 4, 6}) {
        CAPTURE(length);
        const auto examples = training.run.task().test_set(length, 60);
        const auto [exact, token_accuracy] = generated(training.run, training.trainer.parameters(), examples);
        const Score score = evaluate(training.run.model(), parameters, training.run.batcher(), examples,
                                     draws, training.pool);
        CHECK(score.exact_match == exact / 60.0);
        CHECK(score.token_accuracy == token_accuracy);
        if (steps > 0 && length == 3) CHECK((exact > 0 && exact < 60));  // or both would be right trivially
      }
    }
}

TEST_CASE(
    "evaluate: of answers of one token, token accuracy is exact match, once the model ends its answers") {
  RunSettings settings = tiny_settings("before", "none", ModelKind::decoder, 200);
  settings.train.optimizer.learning_rate = 0.01;
  Training training(settings);
  training.steps(100);
  const Score score = training.run.test(6, training.trainer.parameters().data(), training.pool).score;
  CHECK(score.token_accuracy == score.exact_match);
  CHECK((score.exact_match > 0 && score.exact_match < 1));
}

TEST_CASE("evaluate: generation stops at the number of tokens asked for") {
  Training training(tiny_settings("sort", "none", ModelKind::decoder));
  for (const int most : {0, 1, 4})
    CHECK(generate(training.run.model(), training.trainer.parameters().data(), training.run.batcher(),
                   {3, 1, 2}, most)
              .size() <= static_cast<std::size_t>(most));
}

TEST_CASE("evaluate: a set of examples scores as its parts do, whatever their number") {
  Training training(tiny_settings("reverse", "sinusoidal"));
  const auto score = [&](std::span<const Example> examples) {
    return evaluate(training.run.model(), training.trainer.parameters().data(), training.run.batcher(),
                    examples, draws, training.pool);
  };
  const auto examples = training.run.task().test_set(6, 50);
  double right = 0;
  for (const Example& example : examples) right += score({&example, 1}).token_accuracy;
  const Score all = score(examples);
  CHECK(all.examples == 50);
  CHECK(all.token_accuracy > 0);
  CHECK(all.token_accuracy == doctest::Approx(right / 50));
}

TEST_CASE("evaluate: nothing to test scores nothing") {
  Training training(tiny_settings("before", "none"), 2);
  const Score score = evaluate(training.run.model(), training.trainer.parameters().data(),
                               training.run.batcher(), {}, draws, training.pool);
  CHECK(score.examples == 0);
  CHECK(score.token_accuracy == 0);
  CHECK(score.exact_match == 0);
}
