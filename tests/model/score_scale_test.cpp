// --score-scale log: scores times ln n, n being the number of keys that a query sees.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../support/errors.h"
#include "../support/random_values.h"
#include "../support/specs.h"
#include "autograd/gradient_check.h"
#include "autograd/ops.h"
#include "model/transformer.h"

namespace score_scale_test {

using namespace locus;

namespace {

constexpr int T = 5;
const TaskShape five_tokens{.vocabulary = 5};
const std::vector<int> tokens{3, 1, 4, 1, 0};

ModelSettings tiny(ModelKind kind, const std::string& scheme, const std::string& score_scale) {
  ModelSettings settings{.kind = kind, .scheme = scheme, .layers = 1, .heads = 2, .d_model = 8, .d_ff = 6};
  settings.score_scale = score_scale;
  return settings;
}

Reals random_parameters(const Transformer& model) {
  Reals values = model.parameters().sample(1);
  const Reals moves = random_values(values.size(), 1, 0.3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += moves[i];
  return values;
}

// The weights of the only layer, (H,T,T).
std::vector<double> weights_of(const ModelSettings& settings) {
  const Transformer model(settings, five_tokens);
  const Reals parameters = random_parameters(model);
  Tape tape(parameters.data());
  std::vector<Tensor> attention;
  Inputs inputs{tokens, T, count_up(tape, T)};
  inputs.attention = &attention;
  model.logits(tape, inputs);
  return {attention[0].value(), attention[0].value() + attention[0].count()};
}

}  // namespace

// A softmax of scores times f: each weight of the softmax of the scores raised to the power f, divided by their sum.
TEST_CASE("score scale: log raises every weight to the power ln n, biases of schemes included") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const char* scheme : {"none", "rope", "alibi"}) {
      CAPTURE(to_string(kind));
      CAPTURE(scheme);
      const std::vector<double> plain = weights_of(tiny(kind, scheme, "none")),
                                scaled = weights_of(tiny(kind, scheme, "log"));
      for (std::size_t row = 0; row < plain.size() / T; ++row) {
        const double n = kind == ModelKind::decoder ? static_cast<double>(row % T + 1) : T;
        double sum = 0;
        for (std::size_t key = 0; key < T; ++key)
          if (plain[row * T + key] > 0) sum += std::pow(plain[row * T + key], std::log(n));
        for (std::size_t key = 0; key < T; ++key) {
          const double weight = plain[row * T + key],
                       expected = weight > 0 ? std::pow(weight, std::log(n)) / sum : 0;
          CHECK(std::abs(scaled[row * T + key] - expected) < static_cast<double>(tolerance(1e-5, 1e-13)));
        }
      }
      CHECK(plain != scaled);
    }
}

TEST_CASE("score scale: none is the default, and the model has the same parameters either way") {
  const Transformer plain(tiny(ModelKind::encoder, "rope", ModelSettings().score_scale), five_tokens),
      scaled(tiny(ModelKind::encoder, "rope", "log"), five_tokens);
  CHECK(plain.settings().score_scale == "none");
  CHECK(plain.parameters().sample(3) == scaled.parameters().sample(3));
}

TEST_CASE("score scale: refused where no softmax reads the scores, and by a wrong name") {
  const auto error = [](ModelKind kind, const char* scheme, const char* score_scale) {
    return error_of([&] { Transformer(tiny(kind, scheme, score_scale), five_tokens); });
  };
  CHECK(error(ModelKind::decoder, "stick-breaking", "log") ==
        "[scheme] 'stick-breaking' has no softmax, whose scores --score-scale log would scale. Hint: leave "
        "--score-scale out, or choose another scheme");
  CHECK(error(ModelKind::decoder, "stick-breaking+alibi", "log").starts_with("[scheme]"));
  CHECK(error(ModelKind::decoder, "stick-breaking", "none") == "no error");
  CHECK(
      error(ModelKind::encoder, "none", "lgo").starts_with("[model] there is no --score-scale 'lgo'. Hint:"));
}

TEST_CASE("schemes: replaces_softmax says whether the weights hook gives weights") {
  for (const std::string& spec : every_spec(T, true)) {
    CAPTURE(spec);
    ModelSettings settings = tiny(ModelKind::decoder, spec, "none");
    settings.d_model = 16;
    const Transformer model(settings, five_tokens);
    const Reals parameters = random_parameters(model);
    Tape tape(parameters.data());
    const Reals scores = random_values(2 * T * T, 3);
    const Tensor x = tape.constant({1, 2, T, T}, scores.data());
    CHECK(model.scheme().weights(x, Mask::causal).has_value() == model.scheme().replaces_softmax());
  }
}

#ifdef LOCUS_DOUBLE
TEST_CASE("score scale: gradients agree with differences") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
    CAPTURE(to_string(kind));
    const Transformer model(tiny(kind, "alibi", "log"), five_tokens);
    std::vector<CheckedInput> inputs;
    for (const auto& [name, where, initial] : model.parameters().entries())
      if (!name.ends_with(".key.bias")) inputs.push_back({name, where});  // it changes no softmax
    CHECK(check_gradients(
              [&](Tape& tape) {
                return 100 * model.logits(tape, {tokens, T, count_up(tape, T)});
              },
              inputs, random_parameters(model), 4) == "");
  }
}
#endif

}  // namespace score_scale_test
