// Recurrent networks: what they see, and that they need no positions. Their numbers: pytorch_golden_test.cpp.
#include "model/recurrent.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "../support/random_values.h"
#include "autograd/gradient_check.h"
#include "base/error.h"

namespace recurrent_test {

using namespace locus;

namespace {

using Values = Reals;
using TokenIds = std::vector<int>;

constexpr int vocabulary = 5, T = 6;
constexpr ModelKind kinds[] = {ModelKind::rnn, ModelKind::gru};

ModelSettings tiny(ModelKind kind, const std::string& scheme = "none") {
  return {.kind = kind, .scheme = scheme, .layers = 2, .d_model = 8};
}
TaskShape answers(bool generates, bool pooled = false) {
  return {.vocabulary = vocabulary, .pooled = pooled, .generates = generates};
}

Values logits_of(const Model& model, const TokenIds& tokens, int length = T) {
  const Values parameters = model.parameters().sample(1);
  Tape tape(parameters.data());
  const Tensor logits = model.logits(tape, {tokens, length, count_up(tape, length)});
  return {logits.value(), logits.value() + logits.count()};
}

// The places whose logits change when the token at one place does.
std::vector<int> places_that_notice(const Model& model, int changed) {
  TokenIds tokens = {0, 1, 2, 3, 4, 0};
  const Values before = logits_of(model, tokens);
  tokens[static_cast<std::size_t>(changed)] = (changed + 1) % vocabulary;
  const Values after = logits_of(model, tokens);
  std::vector<int> places;
  for (int t = 0; t < T; ++t)
    if (!std::equal(before.begin() + t * vocabulary, before.begin() + (t + 1) * vocabulary,
                    after.begin() + t * vocabulary))
      places.push_back(t);
  return places;
}

}  // namespace

TEST_CASE("recurrent: (B,T,V) logits, or (B,V) when one answer is asked for") {
  for (const ModelKind kind : kinds)
    for (const bool pooled : {false, true}) {
      const Recurrent model(tiny(kind), answers(false, pooled));
      const Values parameters = model.parameters().sample(1);
      Tape tape(parameters.data());
      const TokenIds tokens(12);
      const Tensor logits = model.logits(tape, {tokens, 4, count_up(tape, 4)});
      CHECK(logits.shape() == (pooled ? Shape{3, vocabulary} : Shape{3, 4, vocabulary}));
    }
}

TEST_CASE("recurrent: every answer depends on every token, and when it generates on none that comes later") {
  for (const ModelKind kind : kinds)
    for (int changed = 0; changed < T; ++changed) {
      CAPTURE(to_string(kind));
      CAPTURE(changed);
      std::vector<int> all, from_there_on;
      for (int t = 0; t < T; ++t) {
        all.push_back(t);
        if (t >= changed) from_there_on.push_back(t);
      }
      CHECK(places_that_notice(Recurrent(tiny(kind), answers(false)), changed) == all);
      CHECK(places_that_notice(Recurrent(tiny(kind), answers(true)), changed) == from_there_on);
    }
}

TEST_CASE("recurrent: order is seen without positions, and positions themselves are not looked at") {
  for (const ModelKind kind : kinds)
    for (const bool generates : {false, true}) {
      const Recurrent model(tiny(kind), answers(generates));
      const Values straight = logits_of(model, {0, 1, 2, 3, 4, 0}),
                   swapped = logits_of(model, {1, 0, 2, 3, 4, 0});
      Real largest = 0;
      for (int v = 0; v < vocabulary; ++v)  // what is said about the third token, which has not moved
        largest = std::max(largest, std::abs(straight[static_cast<std::size_t>(2 * vocabulary + v)] -
                                             swapped[static_cast<std::size_t>(2 * vocabulary + v)]));
      CHECK(largest > Real(1e-3));

      const Values parameters = model.parameters().sample(1);
      Tape tape(parameters.data());
      const double places[] = {9, 3, 1000, 0.5, -7, 2};
      const TokenIds tokens = {0, 1, 2, 3, 4, 0};
      const Tensor elsewhere = model.logits(tape, {tokens, T, {1, T, places}});
      CHECK(std::equal(straight.begin(), straight.end(), elsewhere.value()));
    }
}

TEST_CASE("recurrent: a batch gives what its examples give one by one") {
  for (const ModelKind kind : kinds)
    for (const bool generates : {false, true}) {
      const Recurrent model(tiny(kind), answers(generates));
      const TokenIds first = {0, 1, 2, 3, 4, 0}, second = {4, 4, 1, 0, 2, 2};
      TokenIds both = first;
      both.insert(both.end(), second.begin(), second.end());
      Values expected = logits_of(model, first);
      const Values more = logits_of(model, second), together = logits_of(model, both);
      expected.insert(expected.end(), more.begin(), more.end());
      REQUIRE(together.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(std::abs(together[i] - expected[i]) <= tolerance(1e-6, 1e-14));
    }
}

TEST_CASE("recurrent: schemes at the embedding are heard, those inside attention are refused") {
  for (const ModelKind kind : kinds) {
    const TokenIds tokens = {0, 1, 2, 3, 4, 0};
    CHECK(logits_of(Recurrent(tiny(kind, "sinusoidal"), answers(false)), tokens) !=
          logits_of(Recurrent(tiny(kind), answers(false)), tokens));
    CHECK(Recurrent(tiny(kind, "learned:capacity=9"), answers(false)).capacity() == 9);
    for (const char* spec : {"rope", "alibi"})
      CHECK_THROWS_WITH_AS(Recurrent(tiny(kind, spec), answers(false)),
                           str("[scheme] '", spec, "' works inside attention, and the ", kind,
                               " has none. Hint: use none or sinusoidal: it reads in order anyway")
                               .c_str(),
                           UsageError);
    CHECK_THROWS_AS(Recurrent(tiny(kind, "sinusoidal+t5"), answers(false)), UsageError);
    CHECK_THROWS_AS(Recurrent(tiny(kind, "none none"), answers(false)), UsageError);
  }
}

TEST_CASE("recurrent: half of the width reads each way, so it must have two halves") {
  ModelSettings settings = tiny(ModelKind::gru);
  settings.d_model = 7;
  CHECK_THROWS_WITH_AS(check(settings, answers(false)),
                       "[model] --d-model 7 cannot be halved. Hint: half of the width reads from left to "
                       "right, half from right to left: try --d-model 8",
                       UsageError);
  CHECK_NOTHROW(check(settings, answers(true)));
  settings.heads = 0;  // sizes of transformers only
  settings.d_ff = 0;
  CHECK_NOTHROW(Recurrent(settings, answers(true)).parameters());
  settings.layers = 0;
  CHECK_THROWS_WITH_AS(check(settings, answers(true)), "[model] --layers is 0. Hint: give 1 or more",
                       UsageError);
}

#ifdef LOCUS_DOUBLE

TEST_CASE("recurrent: gradients of whole models agree with differences") {
  for (const ModelKind kind : kinds)
    for (const bool generates : {false, true})
      for (const bool pooled : {false, true}) {
        CAPTURE(to_string(kind));
        CAPTURE(generates);
        CAPTURE(pooled);
        const Recurrent model(tiny(kind, "learned:capacity=4,join=concat"), answers(generates, pooled));
        const TokenIds tokens = {0, 1, 2, 3, 4, 0, 2, 2};
        std::vector<CheckedInput> inputs;
        for (const auto& [name, where, initial] : model.parameters().entries())
          inputs.push_back({name, where});
        CHECK(check_gradients(
                  [&](Tape& tape) {
                    return model.logits(tape, {tokens, 4, count_up(tape, 4)});
                  },
                  inputs, random_values(model.parameters().count(), 1, 0.5), 2) == "");
      }
}
#endif

}  // namespace recurrent_test
