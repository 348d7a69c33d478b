// Layers of the gated delta rule (model/gated_delta.h). Gradients of the op: autograd/gradient_test.cpp; logits computed with
// numpy: cli/read_checkpoint_test.cpp.
#include "model/gated_delta.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "../support/errors.h"
#include "../support/random_values.h"
#include "autograd/gradient_check.h"
#include "autograd/ops.h"
#include "base/size.h"
#include "model/transformer.h"

namespace gated_delta_test {

using namespace locus;

namespace {

const TaskShape five_tokens{.vocabulary = 5};

ModelSettings tiny(const std::string& mixers, const std::string& scheme = "none", int layers = 2) {
  ModelSettings settings{
      .kind = ModelKind::decoder, .scheme = scheme, .layers = layers, .heads = 2, .d_model = 16, .d_ff = 6};
  settings.mixer_by_layer = mixers;
  return settings;
}

Reals random_parameters(const Transformer& model) {
  Reals values = model.parameters().sample(1);
  const Reals moves = random_values(values.size(), 1, 0.1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += moves[i];
  return values;
}

Reals logits_of(const Transformer& model, const std::vector<int>& read) {
  const Reals parameters = random_parameters(model);
  Tape tape(parameters.data());
  const auto length = static_cast<int>(read.size());
  const Tensor y = model.logits(tape, {read, length, count_up(tape, length)});
  return {y.value(), y.value() + y.count()};
}

// What one head of width d reads with these numbers.
std::vector<double> read(int d, const std::vector<Real>& q, const std::vector<Real>& k,
                         const std::vector<Real>& v, const std::vector<Real>& decay,
                         const std::vector<Real>& beta) {
  Tape tape;
  const auto T = static_cast<int>(decay.size());
  const auto rows = [&](const std::vector<Real>& of) { return tape.constant({1, 1, T, d}, of.data()); };
  const auto gate = [&](const std::vector<Real>& of) { return tape.constant({1, T, 1}, of.data()); };
  const Tensor y = gated_delta_rule(rows(q), rows(k), rows(v), gate(decay), gate(beta));
  return {y.value(), y.value() + y.count()};
}

// The same as the paper writes it, one matrix for each token, in double:
// S_t = S_(t-1) (decay (I - beta k k^T)) + beta v k^T, and o_t = S_t q_t.
std::vector<double> read_by_matrices(int d, const std::vector<Real>& q, const std::vector<Real>& k,
                                     const std::vector<Real>& v, const std::vector<Real>& decay,
                                     const std::vector<Real>& beta) {
  const auto n = as_size(d);
  std::vector<double> S(n * n), next(n * n), all;
  for (std::size_t t = 0; t < decay.size(); ++t) {
    const auto at = [&](const std::vector<Real>& of, std::size_t i) {
      return static_cast<double>(of[t * n + i]);
    };
    const auto a = static_cast<double>(decay[t]), b = static_cast<double>(beta[t]);
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column) {
        double sum = b * at(v, row) * at(k, column);
        for (std::size_t i = 0; i < n; ++i)
          sum += S[row * n + i] * a * ((i == column ? 1 : 0) - b * at(k, i) * at(k, column));
        next[row * n + column] = sum;
      }
    S = next;
    for (std::size_t row = 0; row < n; ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += S[row * n + i] * at(q, i);
      all.push_back(sum);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("gated delta rule: a key keeps the last value written to it, less what was forgotten") {
  const std::vector<Real> first{1, 0, 1, 0, 1, 0}, second{0, 1, 0, 1, 0, 1}, one{1, 1, 1};
  const std::vector<Real> keys{1, 0, 0, 1, 1, 0}, values{2, 3, 4, 5, 6, 7};
  // Asked for the first key: its value, the same after another key was written, then the new one.
  CHECK(read(2, first, keys, values, one, one) == std::vector<double>{2, 3, 2, 3, 6, 7});
  CHECK(read(2, second, keys, values, one, one) == std::vector<double>{0, 0, 4, 5, 4, 5});
  // Half of it is forgotten at each later token; what is written at beta 1/2 is the mean of old and new.
  const std::vector<Real> half(3, Real{0.5});
  CHECK(read(2, first, keys, values, half, one) == std::vector<double>{2, 3, 1, 1.5, 6, 7});
  CHECK(read(2, first, keys, values, one, half) == std::vector<double>{1, 1.5, 1, 1.5, 3.5, 4.25});
}

TEST_CASE("gated delta rule: it agrees with the product of matrices that the paper writes, at two sizes") {
  for (const auto& [T, d] : {std::pair{5, 3}, std::pair{40, 16}}) {
    const auto n = as_size(T) * as_size(d);
    const auto numbers = [&](std::uint64_t seed, std::size_t count, double from, double to) {
      const Reals drawn = random_values(count, seed, 1.0);
      std::vector<Real> values;
      for (const Real x : drawn)
        values.push_back(static_cast<Real>(from + (to - from) / (1 + std::exp(-double(x)))));
      return values;
    };
    const auto q = numbers(1, n, -1, 1), v = numbers(3, n, -2, 2), decay = numbers(4, as_size(T), 0.5, 1),
               beta = numbers(5, as_size(T), 0, 1);
    auto k = numbers(2, n, -1, 1);
    for (std::size_t t = 0; t < as_size(T); ++t) {  // of length 1, as the layer makes them
      double square = 0;
      for (std::size_t i = 0; i < as_size(d); ++i)
        square += double(k[t * as_size(d) + i]) * double(k[t * as_size(d) + i]);
      for (std::size_t i = 0; i < as_size(d); ++i)
        k[t * as_size(d) + i] /= static_cast<Real>(std::sqrt(square));
    }
    const auto ours = read(d, q, k, v, decay, beta), theirs = read_by_matrices(d, q, k, v, decay, beta);
    const double tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-4;
    for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(ours[i] - theirs[i]) < tolerance);
  }
}

TEST_CASE("gated delta rule: a decoder without positions knows the order of what it read") {
  const Transformer one_layer(tiny("delta", "none", 1), five_tokens),
      attention(tiny("attention", "none", 1), five_tokens);
  const auto last_of = [](const Transformer& model, const std::vector<int>& tokens) {
    const Reals all = logits_of(model, tokens);
    return Reals(all.end() - 5, all.end());
  };
  CHECK(last_of(one_layer, {3, 1, 4, 0}) != last_of(one_layer, {1, 3, 4, 0}));
  const Reals a = last_of(attention, {3, 1, 4, 0}), b = last_of(attention, {1, 3, 4, 0});
  for (std::size_t i = 0; i < a.size(); ++i)
    CHECK(static_cast<double>(a[i]) == doctest::Approx(static_cast<double>(b[i])).epsilon(1e-4));
  // It reads from left to right: what follows changes nothing, to the last bit.
  const Reals all = logits_of(one_layer, {3, 1, 4, 0}), begin = logits_of(one_layer, {3, 1, 4, 2});
  CHECK(std::equal(all.begin(), all.begin() + 15, begin.begin()));
}

TEST_CASE("gated delta rule: layers in turn, and what is refused") {
  const auto error = [](const ModelSettings& settings) {
    return error_of([&] { Transformer(settings, five_tokens); });
  };
  CHECK(error(tiny("delta attention", "rope")) == "no error");
  CHECK(error(tiny("delta", "sinusoidal")) == "no error");
  CHECK(
      error(tiny("delta", "rope")) ==
      "[scheme] 'rope' works inside attention, and its layers have none. Hint: use none or sinusoidal, or give a layer "
      "attention: --mixer-by-layer \"delta attention\"");
  CHECK(error(tiny("delta attention", "rope none")).starts_with("[scheme] 'rope' works inside attention"));
  CHECK(error(tiny("delta delta attention"))
            .starts_with("[model] --mixer-by-layer 'delta delta attention' names 3 layers"));
  CHECK(error(tiny("dleta")) == "[model] there is no --mixer-by-layer 'dleta'. Hint: did you mean 'delta'?");
  ModelSettings encoder = tiny("delta");
  encoder.kind = ModelKind::encoder;
  CHECK(
      error(encoder) ==
      "[model] --mixer-by-layer: delta reads from left to right, and an encoder sees both ways. Hint: give it to a "
      "decoder: --model decoder");
}

TEST_CASE("gated delta rule: a silenced head adds nothing") {
  const Transformer model(tiny("delta", "none", 1), five_tokens);
  Reals parameters = random_parameters(model);
  const auto logits = [&] {
    Tape tape(parameters.data());
    const std::vector<int> tokens{3, 1, 4};
    const Tensor y = model.logits(tape, {tokens, 3, count_up(tape, 3)});
    return Reals(y.value(), y.value() + y.count());
  };
  const Reals before = logits();
  for (const int head : {0, 1}) model.silence(parameters, 0, head);
  const Reals silent = logits();
  CHECK(silent != before);
  // With both heads silent each token is alone: the first and a repeated token get the same.
  const std::vector<int> twice{3, 1, 3};
  Tape tape(parameters.data());
  const Tensor y = model.logits(tape, {twice, 3, count_up(tape, 3)});
  CHECK(std::equal(y.value(), y.value() + 5, y.value() + 10));
}

#ifdef LOCUS_DOUBLE
// To 1e-5: the direction of a short query turns fast, and a difference over a step does not follow it.
TEST_CASE("gated delta rule: gradients of a decoder agree with differences") {
  const std::vector<int> tokens{3, 1, 4, 1, 0};
  for (const char* mixers : {"delta", "delta attention"}) {
    CAPTURE(std::string(mixers));
    const Transformer model(tiny(mixers), five_tokens);
    std::vector<CheckedInput> inputs;
    for (const auto& [name, where, initial] : model.parameters().entries())
      if (!name.ends_with("attention.key.bias")) inputs.push_back({name, where});  // it changes no softmax
    CHECK(check_gradients(
              [&](Tape& tape) {
                return 100 * model.logits(tape, {tokens, 5, count_up(tape, 5)});
              },
              inputs, random_parameters(model), 4, 1e-5) == "");
  }
}
#endif

}  // namespace gated_delta_test
