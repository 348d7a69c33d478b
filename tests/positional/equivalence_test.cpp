// Schemes that look different and are the same: proved by giving one the other's numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "autograd/ops.h"
#include "model/transformer.h"
#include "positional/support/spec.h"

namespace equivalence_test {

using namespace locus;

namespace {

using Values = Reals;

constexpr int T = 6, D = 8;
constexpr Real near = tolerance(1e-5, 1e-12);
const double places[] = {0, 1, 2, 3, 4, 5};
const std::vector<int> tokens = {3, 1, 4, 1, 0, 2};

Values values(Tensor x) { return {x.value(), x.value() + x.count()}; }

Real largest_difference(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);
  return largest;
}

// A scheme, and numbers for its parameters, which can be read and written by name.
struct Made {
  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
  Values parameters;

  explicit Made(const std::string& spec, int heads = 1)
      : scheme(make_scheme(spec, {.d_model = D, .heads = heads, .causal = true}, table)),
        parameters(random_values(table.count(), 1)) {}

  std::span<Real> operator[](const std::string& name) {
    const auto& entry = *std::ranges::find(table.entries(), name, &ParameterTable::Entry::name);
    return {parameters.data() + entry.where.offset, entry.where.shape.count()};
  }
  // Of the same random x every time.
  Values embedding() const {
    Tape tape(parameters.data());
    const Tensor x = tape.constant({1, T, D}, random_values(T * D, 2).data());
    return values(scheme->embedding(x, {tokens, T, {1, T, places}}));
  }
};

// Queries and keys (1,1,T,d) after a scheme, and their scores.
struct Attended {
  Values q, k, scores;
};
Attended attend(const std::string& spec, const Values& queries, const Values& keys) {
  const Made made(spec);
  Tape tape;
  Tensor q = tape.constant({1, 1, T, D}, queries.data()), k = tape.constant({1, 1, T, D}, keys.data());
  made.scheme->query_and_key(q, k, {q, q, k, {1, T, places}, 0});
  return {values(q), values(k), values(matmul(q, transpose(k)))};
}
const Values some_queries = random_values(T * D, 3), some_keys = random_values(T * D, 4);

Values logits(const std::string& spec) {
  const Transformer model({.scheme = spec, .layers = 2, .heads = 2, .d_model = D, .d_ff = 8},
                          {.vocabulary = 5});
  const Values parameters = model.parameters().sample(1);
  Tape tape(parameters.data());
  return values(model.logits(tape, {tokens, T, {1, T, places}}));
}

}  // namespace

TEST_CASE("equivalence: by a factor of 1 every extension is rope") {
  for (const std::string settings :
       {"pi,factor=1", "ntk,factor=1", "yarn,factor=1,original=64,beta_fast=4", "llama3,factor=1,original=64",
        "longrope,factor=1,original=64", "longrope,factor=1,original=64,rescale=1/1/1/1",
        "dynamic,original=6", "dynamic,original=6,factor=4", "prope,fraction=1",
        "pi,factor=1,temperature=on"}) {
    CAPTURE(settings);
    const Frequencies plain = Made("rope:base=100").scheme->frequencies(T),
                      extended = Made("rope:base=100,extend=" + settings).scheme->frequencies(T);
    CHECK(extended.scale == 1);
    REQUIRE(extended.inverse_frequency.size() == 4);
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(extended.inverse_frequency[k] == doctest::Approx(plain.inverse_frequency[k]).epsilon(1e-15));
  }
}

TEST_CASE("equivalence: pairs that are still have speed 0, the others their own") {
  const auto speeds = [](const std::string& spec) {
    return Made(spec).scheme->frequencies(T).inverse_frequency;
  };
  const auto plain = speeds("rope:base=100");
  CHECK(speeds("rope:base=100,still=1/2") == std::vector{plain[0], 0.0, 0.0, plain[3]});
  CHECK(speeds("rope:base=100,still=2/3") == speeds("rope:base=100,extend=prope,fraction=0.5"));
  CHECK(logits("rope:base=100,still=1") == logits("rope:base=100,still=1,layout=interleaved"));
  CHECK(logits("rope:base=100,still=1") != logits("rope:base=100"));
}

TEST_CASE("equivalence: pi by a factor is rope at positions divided by it") {
  const Made pi("rope:extend=pi,factor=4"), plain("rope");
  const double quarters[] = {0, 0.25, 0.5, 0.75, 1, 1.25};
  Tape tape;
  Tensor q = tape.constant({1, 1, T, D}, some_queries.data()), k = q, q_plain = q, k_plain = q;
  pi.scheme->query_and_key(q, k, {q, q, k, {1, T, places}, 0});
  plain.scheme->query_and_key(q_plain, k_plain, {q, q, k, {1, T, quarters}, 0});
  CHECK(largest_difference(values(q), values(q_plain)) <= near);
}

TEST_CASE("equivalence: the two layouts of rope are one up to a permutation of channels") {
  const auto permuted = [](const Values& interleaved) {  // channel 2k to k, channel 2k+1 to k + d/2
    Values half(interleaved.size());
    for (std::size_t i = 0; i < half.size(); ++i)
      half[i / D * D + i % D / 2 + (i % 2 == 0 ? 0 : D / 2)] = interleaved[i];
    return half;
  };
  const Attended one = attend("rope", some_queries, some_keys),
                 other = attend("rope:layout=half", permuted(some_queries), permuted(some_keys));
  CHECK(largest_difference(permuted(one.q), other.q) <= near);
  CHECK(largest_difference(one.scores, other.scores) <= near);
  // Not number by number: the famous mistake is to mix them.
  CHECK(largest_difference(one.scores, attend("rope:layout=half", some_queries, some_keys).scores) > 0.1);
}

TEST_CASE("equivalence: to turn a pair of channels is to multiply a complex number") {
  const Values turned = attend("rope:base=100", some_queries, some_keys).q;
  const std::vector<double> theta = Made("rope:base=100").scheme->frequencies(T).inverse_frequency;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t k = 0; k < D / 2; ++k) {
      const std::size_t i = t * D + 2 * k;
      const std::complex<double> pair(some_queries[i], some_queries[i + 1]),
          product = pair * std::polar(1.0, places[t] * theta[k]);
      CHECK(std::abs(product - std::complex<double>(turned[i], turned[i + 1])) <= near);
    }
}

TEST_CASE("equivalence: xpos that fades over any distance but the longest is rope") {
  CHECK(largest_difference(attend("xpos:scale_base=1e9", some_queries, some_keys).scores,
                           attend("rope", some_queries, some_keys).scores) <= tolerance(1e-5, 1e-7));
  CHECK(largest_difference(attend("xpos:scale_base=6", some_queries, some_keys).scores,
                           attend("rope", some_queries, some_keys).scores) > 0.1);
}

TEST_CASE("equivalence: a one-hot code appended and brought back to width, the long way round") {
  Made onehot("onehot:capacity=7");
  Tape tape;
  const Tensor x = tape.constant({1, T, D}, random_values(T * D, 2).data());
  Values codes, weight;
  for (const double place : places)
    for (const double channel : onehot.scheme->code(place, T, nullptr))
      codes.push_back(static_cast<Real>(channel));
  for (const char* part : {"position.join.weight", "position.rows"})
    weight.insert(weight.end(), onehot[part].begin(), onehot[part].end());
  const Tensor dense =
      linear(concat(x, tape.constant({T, 7}, codes.data())), tape.constant({D + 7, D}, weight.data()),
             tape.constant({D}, onehot["position.join.bias"].data()));
  CHECK(largest_difference(values(dense), onehot.embedding()) <= near);
}

TEST_CASE("equivalence: a one-hot code appended is a learned table appended") {
  Made onehot("onehot:capacity=7"), learned("learned:capacity=7,join=concat");
  const auto weight = learned["position.join.weight"];  // (2D,D): D rows for x, D rows for the code
  std::ranges::copy(weight.first(D * D), onehot["position.join.weight"].begin());
  std::ranges::copy(learned["position.join.bias"], onehot["position.join.bias"].begin());
  Tape tape;  // the rows of the one-hot are those of the table, through the layer
  const Tensor rows = matmul(tape.constant({7, D}, learned["position.table"].data()),
                             tape.constant({D, D}, weight.subspan(D * D).data()));
  std::ranges::copy(values(rows), onehot["position.rows"].begin());
  CHECK(largest_difference(onehot.embedding(), learned.embedding()) <= near);
}

TEST_CASE("equivalence: side by side and one layer is a layer for each, added") {
  Made learned("learned:capacity=6,join=concat");
  const auto weight = learned["position.join.weight"];
  Tape tape;
  const Tensor x = tape.constant({1, T, D}, random_values(T * D, 2).data()),
               table = tape.constant({T, D}, learned["position.table"].data()),
               bias = tape.constant({D}, learned["position.join.bias"].data()),
               none = tape.constant({D}, Values(D).data()),
               for_x = tape.constant({D, D}, weight.first(D * D).data()),
               for_code = tape.constant({D, D}, weight.subspan(D * D).data());
  const Values sum = values(linear(x, for_x, bias) + linear(table, for_code, none));
  CHECK(largest_difference(sum, learned.embedding()) <= near);
}

TEST_CASE("equivalence: positions drawn from no more than there are tokens are the usual ones") {
  for (const std::string scheme : {"sinusoidal", "rope", "learned:capacity=6"}) {
    CAPTURE(scheme);
    CHECK(logits("randomized:range=6+" + scheme) == logits(scheme));
    CHECK(logits("randomized:range=7+" + scheme.substr(0, scheme.find(':'))) !=
          logits(scheme.substr(0, scheme.find(':'))));
  }
}

// A layer norm takes off what all channels share.
TEST_CASE("equivalence: what is added to all channels alike is as good as nothing") {
  for (const char* spec : {"index:join=fill", "fraction:join=fill"})
    CHECK(largest_difference(logits(spec), logits("none")) <= tolerance(1e-4, 1e-12));
  CHECK(largest_difference(logits("index"), logits("none")) > 0.1);
}

}  // namespace equivalence_test
