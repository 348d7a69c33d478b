#include "examine/answer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "../support/errors.h"
#include "../support/made_up_answer.h"
#include "../support/random_values.h"
#include "../support/tiny_run.h"
#include "examine/attention_maps.h"

using namespace locus;

namespace {

RunSettings settings_of(const std::string& task, ModelKind kind) {
  return tiny_settings(task, is_recurrent(kind) ? "none" : "sinusoidal", kind);
}

}  // namespace

TEST_CASE("answer: each token is the most likely one, with its probability, of the logits shown") {
  for (const ModelKind kind : all_model_kinds)
    for (const char* name : {"before", "reverse", "unique"}) {
      if (kind == ModelKind::encoder && std::string(name) == "unique") continue;  // generation
      CAPTURE(to_string(kind));
      CAPTURE(name);
      Training training(settings_of(name, kind));
      training.steps(12);
      const Real* parameters = training.trainer.parameters().data();
      const Run& run = training.run;
      for (const Example& example : run.task().test_set(6, 5)) {
        const Answer answer = ask(run, parameters, example.input);
        CHECK(answer.input == example.input);
        Tape tape(parameters);
        const Tensor logits =
            run.model().logits(tape, inputs_at_test(tape, answer.read, static_cast<int>(answer.read.size())));
        const auto V = static_cast<std::size_t>(run.batcher().vocabulary());
        REQUIRE(answer.logits.size() == static_cast<std::size_t>(logits.shape().rows()));
        for (std::size_t i = 0; i < answer.logits.size(); ++i)
          CHECK(std::equal(answer.logits[i].begin(), answer.logits[i].end(), logits.value() + i * V));
        const bool generates = run.batcher().generates();
        const std::size_t first = generates ? example.input.size() + 1 : 0;
        REQUIRE(answer.tokens.size() == answer.logits.size() - first);
        for (std::size_t i = 0; i < answer.tokens.size(); ++i) {
          const Reals& row = answer.logits[first + i];
          double sum = 0;
          for (const Real logit : row) sum += std::exp(double{logit});
          const auto token = static_cast<std::size_t>(answer.tokens[i].token);
          CHECK(row[token] == std::ranges::max(row));
          CHECK(answer.tokens[i].probability ==
                doctest::Approx(std::exp(double{row[token]}) / sum).epsilon(1e-5));
        }
        Tokens target = example.target;
        if (generates) target.push_back(run.batcher().end());
        CHECK(answer.target == target);
      }
    }
}

TEST_CASE("answer: what is generated is what generate() gives, up to its EOS") {
  Training training(settings_of("unique", ModelKind::decoder));
  training.steps(12);
  const Run& run = training.run;
  const Real* parameters = training.trainer.parameters().data();
  int ended = 0;
  for (const Example& example : run.task().test_set(6, 16)) {
    const Answer answer = ask(run, parameters, example.input);
    Tokens tokens = run.batcher().prompt(example.input), said;
    for (const AnswerToken& token : answer.tokens) said.push_back(token.token);
    if (said.back() == run.batcher().end()) {
      said.pop_back();
      ++ended;
    } else {
      CHECK(said.size() == 7);  // as long as the longest target, and a token that is no EOS
      said.pop_back();
    }
    CHECK(said == generate(run.model(), parameters, run.batcher(), example.input, 6));
    tokens.insert(tokens.end(), said.begin(), said.end());
    CHECK(answer.read == tokens);
  }
  CAPTURE(ended);
}

TEST_CASE("answer: a position is wrong where the answer differs, ends early or goes on too long") {
  using Wrong = std::vector<bool>;
  CHECK(made_up_answer({1, 2}, Tokens{1, 2}).wrong() == Wrong{false, false});
  CHECK(made_up_answer({1, 2}, Tokens{2, 2}).wrong() == Wrong{true, false});
  CHECK(made_up_answer({1}, Tokens{1, 2}).wrong() == Wrong{false, true});
  CHECK(made_up_answer({1, 2, 3}, Tokens{1, 2}).wrong() == Wrong{false, false, true});
  CHECK(made_up_answer({1, 2, 3}, {}).wrong().empty());
  CHECK(made_up_answer({3, 2, 1}, Tokens{1, 2}).wrong_count() == 2);
}

TEST_CASE("answer: a length that was never trained is said") {
  const auto said = [](RunSettings settings, int length) { return untrained_length(Run(settings), length); };
  CHECK(said(tiny_settings("sort", "none"), 6) == "");
  CHECK(said(tiny_settings("sort", "none"), 5) == "length 5 was never trained (trained at 6)");
  const RunSettings decoder = tiny_settings("unique", "none", ModelKind::decoder);
  CHECK(said(decoder, 5) == "");
  CHECK(said(decoder, 6) == "length 6 was never trained (trained at 3 to 5)");
  RunSettings pairs = tiny_settings("sort", "none");
  pairs.task = "brackets";  // lengths are even
  pairs.train.lengths = {4, 8};
  pairs.test_lengths = {8};
  CHECK(said(pairs, 6) == "");
  CHECK(said(pairs, 5) == "length 5 was never trained (trained at 4 to 8)");
  pairs.train.lengths = {4, 8, {4, 8}};
  CHECK(said(pairs, 6) == "length 6 was never trained (trained at 4,8)");
  pairs.train.lengths = {4, 8};
  pairs.from = "runs/other";
  CHECK(said(pairs, 10) == "length 10 was not trained in this run (trained at 4 to 8)");
  const RunSettings table = tiny_table_settings("datasets/who_chased_whom.tsv");  // 5, 7 and 8 words
  CHECK(said(table, 7) == "");
  CHECK(said(table, 6) == "length 6 was never trained (trained at 5 to 8)");
}

TEST_CASE("answer: of a table the target is that of the row, if there is one") {
  Training training(tiny_table_settings("datasets/who_chased_whom.tsv"));
  const auto asked = [&](const char* words) {
    return ask(training.run, training.trainer.parameters().data(), read_tokens(training.run.task(), words));
  };
  const Answer row = asked("the cow chased the dog");
  REQUIRE(row.target.has_value());
  CHECK(spell(training.run.task(), *row.target) == "dog");
  CHECK_FALSE(asked("the dog the dog dog").target.has_value());
  CHECK_FALSE(asked("dog").target.has_value());
}

TEST_CASE("answer: an input longer than the positions of the scheme is refused") {
  const Run run(tiny_settings("sort", "learned:capacity=9"));
  const Reals parameters = run.model().parameters().sample(1);
  CHECK(ask(run, parameters.data(), Tokens(9, 1)).tokens.size() == 9);
  CHECK(error_of([&] { ask(run, parameters.data(), Tokens(10, 1)); }) ==
        "[ask] the model would read 10 tokens; the most is 9. Hint: give a shorter input");
}

// Where a scheme is given the length (fraction) or draws positions, the logits of an earlier token change as the answer
// grows: what is shown must be what chose each token.
TEST_CASE("answer: the logits and maps of a generated answer are those of the passes that chose its tokens") {
  for (const char* scheme : {"fraction", "randomized+rope", "rope"}) {
    CAPTURE(scheme);
    RunSettings settings = tiny_settings("copy", scheme, ModelKind::decoder);
    Training training(settings);
    training.to_the_end();
    const Real* parameters = training.trainer.parameters().data();
    const Run& run = training.run;
    for (const Example& example : run.task().test_set(6, 10)) {
      const Answer answer = ask(run, parameters, example.input);
      const std::size_t prompt = run.batcher().prompt(example.input).size();
      REQUIRE(answer.logits.size() == answer.read.size());
      REQUIRE(answer.tokens.size() >= answer.read.size() - prompt);
      for (std::size_t i = 0; i < answer.tokens.size() && prompt - 1 + i < answer.logits.size(); ++i) {
        const Reals& row = answer.logits[prompt - 1 + i];
        CHECK(std::ranges::max_element(row) - row.begin() == answer.tokens[i].token);
      }
      const auto& model = dynamic_cast<const Transformer&>(run.model());
      const auto whole = attention_maps(model, parameters, answer.read, static_cast<int>(prompt) - 1);
      for (std::size_t T = prompt; T <= answer.read.size(); ++T) {
        const auto pass =
            attention_maps(model, parameters, std::span(answer.read).first(T), static_cast<int>(T) - 1);
        for (std::size_t map = 0; map < whole.size(); ++map)
          for (std::size_t key = 0; key < T; ++key)
            CHECK(whole[map].weights[(T - 1) * answer.read.size() + key] ==
                  pass[map].weights[(T - 1) * T + key]);
      }
    }
  }
}
