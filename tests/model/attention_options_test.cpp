// --score-scale log: scores times ln n, n being the number of keys that a query sees. --window-by-layer: it sees those near
// it. --qk-norm: queries and keys of one length.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../support/errors.h"
#include "../support/random_values.h"
#include "../support/specs.h"
#include "autograd/gradient_check.h"
#include "autograd/ops.h"
#include "base/size.h"
#include "model/transformer.h"

namespace attention_options_test {

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

namespace {

ModelSettings windowed(ModelKind kind, const std::string& scheme, const std::string& windows,
                       int layers = 1) {
  ModelSettings settings = tiny(kind, scheme, "none");
  settings.window_by_layer = windows;
  settings.layers = layers;
  return settings;
}

Reals logits_of(const Transformer& model, const std::vector<int>& read) {
  const Reals parameters = random_parameters(model);
  Tape tape(parameters.data());
  const auto length = static_cast<int>(read.size());
  const Tensor y = model.logits(tape, {read, length, count_up(tape, length)});
  return {y.value(), y.value() + y.count()};
}

}  // namespace

TEST_CASE("window: weights outside are 0, and the others keep their proportions") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const char* scheme : {"none", "rope", "alibi", "shaw", "t5"})
      for (const int window : {1, 2, 4, 9}) {
        CAPTURE(to_string(kind));
        CAPTURE(scheme);
        CAPTURE(window);
        const std::vector<double> all = weights_of(tiny(kind, scheme, "none")),
                                  near = weights_of(windowed(kind, scheme, str(window)));
        for (std::size_t row = 0; row < all.size() / T; ++row) {
          double sum = 0;
          const auto seen = [&](int key) { return std::abs(key - static_cast<int>(row % T)) <= window; };
          for (int key = 0; key < T; ++key) sum += seen(key) ? all[row * T + as_size(key)] : 0;
          for (int key = 0; key < T; ++key) {
            const double is = near[row * T + as_size(key)];
            if (!seen(key)) CHECK(is == 0);
            if (seen(key))
              CHECK(std::abs(is - all[row * T + as_size(key)] / sum) <
                    static_cast<double>(tolerance(1e-5, 1e-13)));
          }
        }
      }
}

// What n layers of a window w compute at a token hangs on the tokens up to n w away, to the last bit, and on no others.
TEST_CASE("window: n layers reach exactly n times as far as one") {
  struct Case {
    std::string windows;
    int layers, reach;
  };
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string scheme : {"none", "rope", "sinusoidal", "alibi", "shaw", "t5"})
      for (const Case& c :
           {Case{"1", 1, 1}, {"1", 3, 3}, {"2", 2, 4}, {"1 3", 2, 4}, {"1 3", 3, 5}, {"2 none", 2, 99}}) {
        CAPTURE(to_string(kind));
        CAPTURE(scheme);
        CAPTURE(c.windows);
        CAPTURE(c.layers);
        const Transformer model(windowed(kind, scheme, c.windows, c.layers), five_tokens);
        CHECK(model.receptive_field() == (c.reach == 99 ? no_limit : c.reach));
        constexpr int length = 12, changed = 5, vocabulary = 5;
        const std::vector<int> before{3, 1, 4, 1, 0, 2, 2, 4, 3, 0, 1, 4};
        std::vector<int> after = before;
        after[changed] = 0;
        const Reals one = logits_of(model, before), two = logits_of(model, after);
        for (int t = 0; t < length; ++t) {
          CAPTURE(t);
          const bool reached =
              std::abs(t - changed) <= c.reach && (kind == ModelKind::encoder || t >= changed);
          CHECK(std::equal(one.begin() + t * vocabulary, one.begin() + (t + 1) * vocabulary,
                           two.begin() + t * vocabulary) == !reached);
        }
      }
}

TEST_CASE("window: --score-scale log counts the keys within it") {
  ModelSettings near = windowed(ModelKind::encoder, "none", "1");
  const std::vector<double> plain = weights_of(near);
  near.score_scale = "log";
  const std::vector<double> scaled = weights_of(near);
  // The first row sees two keys, the second three: a ratio of two weights is raised to the power ln n.
  const auto ratio = [](const std::vector<double>& of, int row, int a, int b) {
    return of[as_size(row * T + a)] / of[as_size(row * T + b)];
  };
  CHECK(ratio(scaled, 0, 0, 1) ==
        doctest::Approx(std::pow(ratio(plain, 0, 0, 1), std::log(2))).epsilon(1e-4));
  CHECK(ratio(scaled, 1, 0, 2) ==
        doctest::Approx(std::pow(ratio(plain, 1, 0, 2), std::log(3))).epsilon(1e-4));
}

TEST_CASE("window: an encoder without positions sees who is near, and not on which side") {
  const auto blindness = [](const char* scheme, const char* windows) {
    return Transformer(windowed(ModelKind::encoder, scheme, windows, 2), five_tokens).blindness();
  };
  CHECK(blindness("none", "none") == Blindness::order);
  CHECK(blindness("none", "none 2") == Blindness::mirror);
  CHECK(blindness("alibi", "2") == Blindness::mirror);
  CHECK(blindness("rope", "2") == Blindness::none);
  const Transformer model(windowed(ModelKind::encoder, "none", "1", 2), five_tokens);
  Reals forward = logits_of(model, {3, 1, 4, 1, 0}), mirrored = logits_of(model, {0, 1, 4, 1, 3});
  for (int t = 0; t < T; ++t)
    for (int v = 0; v < 5; ++v)
      CHECK(static_cast<double>(forward[as_size(t * 5 + v)]) ==
            doctest::Approx(static_cast<double>(mirrored[as_size((T - 1 - t) * 5 + v)])).epsilon(1e-4));
  CHECK(logits_of(model, {3, 1, 4, 0, 1}) != forward);
}

TEST_CASE("window: refused where it makes no sense") {
  const auto error = [](const std::string& scheme, const std::string& windows) {
    return error_of([&] { Transformer(windowed(ModelKind::decoder, scheme, windows, 2), five_tokens); });
  };
  for (const std::string wrong : {"0", "-1", "4.5", "all", "", "4  none"}) {
    CAPTURE(wrong);
    const std::string said = error("none", wrong);
    CHECK(said.starts_with(str("[model] --window-by-layer '", wrong, "': '")));
    CHECK(said.ends_with(
        "is not a window. Hint: give the tokens seen on each side, 1 or more, or none, for each layer in "
        "turn: \"4 none\""));
  }
  CHECK(
      error("none", "4 4 none") ==
      "[model] --window-by-layer '4 4 none' names 3 windows for 2 layers. Hint: name no more windows than there are "
      "layers");
  ModelSettings delta = windowed(ModelKind::decoder, "none", "none 4", 2);
  delta.mixer_by_layer = "attention delta";
  CHECK(
      error_of([&] { Transformer(delta, five_tokens); }) ==
      "[model] --window-by-layer gives layer 1 a window, and it has no attention to cut. Hint: write none for its layers "
      "of the delta rule, as in --mixer-by-layer \"delta attention\" --window-by-layer \"none 4\"");
  delta.mixer_by_layer = "delta attention";
  CHECK(error_of([&] { Transformer(delta, five_tokens); }) == "no error");
  CHECK(error("stick-breaking", "4 none") ==
        "[scheme] 'stick-breaking' has no softmax, whose scores --window-by-layer would cut. Hint: leave "
        "--window-by-layer out, or choose another scheme");
}

TEST_CASE("qk-norm: scores hang on the directions of queries and keys, and on gains") {
  for (const char* scheme : {"none", "rope", "alibi"}) {
    CAPTURE(scheme);
    ModelSettings settings = tiny(ModelKind::encoder, scheme, "none");
    settings.qk_norm = true;
    const Transformer model(settings, five_tokens);
    Reals parameters = random_parameters(model);
    const auto weights = [&] {
      Tape tape(parameters.data());
      std::vector<Tensor> attention;
      Inputs inputs{tokens, T, count_up(tape, T)};
      inputs.attention = &attention;
      model.logits(tape, inputs);
      return std::vector<double>(attention[0].value(), attention[0].value() + attention[0].count());
    };
    const std::vector<double> before = weights();
    const auto multiply = [&](const std::string& name, Real factor) {
      for (const auto& [entry, where, initial] : model.parameters().entries())
        if (entry.starts_with(name))
          for (std::size_t i = 0; i < where.shape.count(); ++i) parameters[where.offset + i] *= factor;
    };
    multiply("layer0.attention.query.", 7);
    multiply("layer0.attention.key.", 0.5f);
    const std::vector<double> same = weights();
    multiply("layer0.attention.query_norm.gain", 2);
    const std::vector<double> sharper = weights();
    for (std::size_t i = 0; i < before.size(); ++i)
      CHECK(same[i] == doctest::Approx(before[i]).epsilon(static_cast<double>(tolerance(1e-4, 1e-9))));
    CHECK(std::ranges::max(sharper) > std::ranges::max(before));
  }
}

#ifdef LOCUS_DOUBLE
TEST_CASE("window, qk-norm: gradients agree with differences") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
    CAPTURE(to_string(kind));
    ModelSettings settings = windowed(kind, "rope", "1 none", 2);
    settings.qk_norm = true;
    settings.score_scale = "log";
    const Transformer model(settings, five_tokens);
    std::vector<CheckedInput> inputs;
    for (const auto& [name, where, initial] : model.parameters().entries()) inputs.push_back({name, where});
    CHECK(check_gradients(
              [&](Tape& tape) {
                return 100 * model.logits(tape, {tokens, T, count_up(tape, T)});
              },
              inputs, random_parameters(model), 4) == "");
  }
}

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

}  // namespace attention_options_test
