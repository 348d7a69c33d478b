// Chapter 1. A layer of attention with random parameters reads random inputs; plain loops say what it must
// come to.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "lessons/tools/probe.h"
#include "model/attention.h"
#include "model/model.h"

using namespace locus;

namespace {

constexpr int B = 2, T = 5, D = 8, H = 2, d = D / H;
const std::vector<std::string> of_scores = {"example", "head", "query", "key"},
                               of_heads = {"example", "head", "token", "channel"};
using Entry = std::function<double(int b, int h, int i, int j)>;

Array array(int rows, int columns, const Entry& entry) {
  Array out{{B, H, rows, columns}, {}};
  for (int b = 0; b < B; ++b)
    for (int h = 0; h < H; ++h)
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) out.values.push_back(entry(b, h, i, j));
  return out;
}

double at(const Array& x, int b, int h, int i, int j) {
  const std::ptrdiff_t row = (std::ptrdiff_t{b} * H + h) * x.shape[2] + i;
  return x.values[static_cast<std::size_t>(row * x.shape[3] + j)];
}

// The learner's layer, what a probe saw in it, and the same in plain loops.
struct Layer {
  explicit Layer(bool is_causal) : causal(is_causal) {
    Random random(1, Purpose::testing);
    for (double& value : x) value = random.normal();
    parameters = table.draw(1);
    for (Real& value : parameters) value += static_cast<Real>(0.3 * random.normal());
    output(x, probe);
  }

  // (B,T,D) -> (B,T,D). What stops it is kept: the steps before that can be looked at all the same.
  std::vector<double> output(const std::vector<double>& inputs, const Scheme& scheme) {
    Tape tape(parameters.data());
    const Reals values(inputs.begin(), inputs.end());
    std::vector<Tensor> seen;
    std::vector<double> outputs;
    try {
      outputs =
          copy(attention(tape.constant({B, T, D}, values.data()), scheme,
                         {.tokens = {}, .length = T, .positions = count_up(tape, T), .attention = &seen}))
              .values;
    } catch (const Error& error) {
      stopped_by = error.what();
    }
    if (!seen.empty()) weights = copy(seen.front());
    return outputs;
  }

  const Array& seen(const std::optional<Array>& array) const {
    if (!array) throw Error(stopped_by);
    return *array;
  }

  // "query", "key" or "value" of x, cut into heads.
  Array projected(const std::string& name) const {
    const Parameter weight = find("layer." + name + ".weight"), bias = find("layer." + name + ".bias");
    return array(T, d, [&](int b, int h, int t, int c) {
      double sum = parameters[bias.offset + static_cast<std::size_t>(h * d + c)];
      for (int in = 0; in < D; ++in)
        sum += x[static_cast<std::size_t>((b * T + t) * D + in)] *
               parameters[weight.offset + static_cast<std::size_t>(in * D + h * d + c)];
      return sum;
    });
  }

  Parameter find(const std::string& name) const {
    for (const auto& entry : table.entries())
      if (entry.name == name) return entry.where;
    fail("check", "there is no parameter " + name);
  }

  Array scores(double divisor, const Array& rows, const Array& columns) const {
    return array(T, T, [&](int b, int h, int i, int j) {
      double sum = 0;
      for (int c = 0; c < d; ++c) sum += at(rows, b, h, i, c) * at(columns, b, h, j, c);
      return sum / divisor;
    });
  }
  Array scores() const { return scores(std::sqrt(d), projected("query"), projected("key")); }

  // A softmax of `from` over the keys, or over the queries.
  static Array shares(const Array& from, bool masked, bool over_queries = false) {
    return array(T, T, [&](int b, int h, int i, int j) {
      const auto grown = [&](int query, int key) {
        return masked && key > query ? 0 : std::exp(at(from, b, h, query, key));
      };
      double sum = 0;
      for (int other = 0; other < T; ++other) sum += over_queries ? grown(other, j) : grown(i, other);
      return grown(i, j) / sum;
    });
  }

  static Array mix(const Array& weights, const Array& values, bool turned = false) {
    return array(T, d, [&](int b, int h, int i, int c) {
      double sum = 0;
      for (int j = 0; j < T; ++j)
        sum += (turned ? at(weights, b, h, j, i) : at(weights, b, h, i, j)) * at(values, b, h, j, c);
      return sum;
    });
  }

  bool causal;
  ParameterTable table;
  Attention attention{table, "layer", {.d_model = D, .heads = H, .causal = causal}, 0};
  Reals parameters;
  std::vector<double> x = std::vector<double>(B * T * D);
  Probe probe;
  std::optional<Array> weights;
  std::string stopped_by;
};

// Heads cut without regard to time: the numbers of (T,D) read off in order as (H,T,d).
Array cut_blindly(const Array& right) {
  return array(T, d, [&](int b, int h, int t, int c) {
    const int place = (h * T + t) * d + c, channel = place % D;
    return at(right, b, channel / d, place / D, channel % d);
  });
}

}  // namespace

TEST_CASE("1.1 queries and keys, cut into heads") {
  const Layer layer(false);
  const Array q = layer.projected("query"), k = layer.projected("key"), v = layer.projected("value");
  compare("q", of_heads, layer.seen(layer.probe.queries), q,
          {{"the keys' weights make the queries", k.values},
           {"the heads are cut as one run of numbers, so that a head holds pieces of several tokens; "
            "split_heads() cuts "
            "each token",
            cut_blindly(q).values}});
  compare("k", of_heads, layer.seen(layer.probe.keys), k,
          {{"the queries' weights make the keys, too", q.values},
           {"the values' weights make the keys", v.values},
           {"the heads are cut as one run of numbers, so that a head holds pieces of several tokens; "
            "split_heads() cuts "
            "each token",
            cut_blindly(k).values}});
}

TEST_CASE("1.2 how well each query fits each key") {
  const Layer layer(false);
  const Array q = layer.projected("query"), k = layer.projected("key");
  compare(
      "scores", of_scores, layer.seen(layer.probe.score), layer.scores(),
      {{"the dot products are not divided by sqrt(d)", layer.scores(1, q, k).values},
       {"they are divided by d, without the root", layer.scores(d, q, k).values},
       {"they are divided by the root of the whole width D; d is the width of one head, D / H",
        layer.scores(std::sqrt(D), q, k).values},
       {"they are divided by the root of the number of heads", layer.scores(std::sqrt(H), q, k).values},
       {"they are multiplied by sqrt(d) instead", layer.scores(1 / std::sqrt(d), q, k).values},
       {"queries and keys change places: row i should be query i", layer.scores(std::sqrt(d), k, q).values}});
}

TEST_CASE("1.3 each query gives out shares that sum to 1") {
  for (const bool causal : {false, true}) {
    const Layer layer(causal);
    const Array scores = layer.scores();
    compare(
        causal ? "weights, with a causal mask" : "weights", of_scores, layer.seen(layer.weights),
        layer.shares(scores, causal),
        {{causal ? "the mask is left out: with a causal mask a query sees the keys up to its own place only"
                 : "there always is a causal mask; only `mask` knows whether there should be",
          layer.shares(scores, !causal).values},
         {"the softmax is taken twice", layer.shares(layer.shares(scores, causal), causal).values},
         {"the shares sum to 1 over the queries; the softmax should go over the keys of each query",
          layer.shares(scores, causal, true).values},
         {"the scores are passed on as they are", scores.values}});
  }
}

TEST_CASE("1.4 each query's mix of the values") {
  const Layer layer(false);
  const Array weights = layer.shares(layer.scores(), false), v = layer.projected("value");
  compare("mixed", of_heads, layer.seen(layer.probe.mix), layer.mix(weights, v),
          {{"the weights are turned over: each token gives itself away by what others pay it",
            layer.mix(weights, v, true).values},
           {"the keys are mixed, not the values", layer.mix(weights, layer.projected("key")).values},
           {"the queries are mixed, not the values", layer.mix(weights, layer.projected("query")).values},
           {"the queries' weights make the values", layer.mix(weights, layer.projected("query")).values},
           {"the values pass unmixed", v.values}});
}

TEST_CASE("1.5 shuffling the tokens shuffles the answers, and does no more; a causal mask ends that") {
  for (const bool causal : {false, true}) {
    Layer layer(causal);
    const Probe unused;
    const std::vector<double> before = layer.output(layer.x, unused);
    if (before.empty()) throw Error(layer.stopped_by);
    Random random(2, Purpose::testing);
    double largest = 0;
    for (int round = 0; round < 20; ++round) {
      std::vector<std::size_t> order(T);
      std::iota(order.begin(), order.end(), std::size_t{0});
      random.shuffle(std::span(order));
      std::vector<double> shuffled(layer.x.size()), expected(before.size());
      for (std::size_t i = 0; i < shuffled.size(); ++i) {
        const std::size_t channel = i % D, t = i / D % T, b = i / D / T;
        shuffled[i] = layer.x[(b * T + order[t]) * D + channel];
        expected[i] = before[(b * T + order[t]) * D + channel];
      }
      largest = std::max(largest, largest_difference(layer.output(shuffled, unused), expected));
    }
    if (!causal && !(largest < 1e-4))
      throw Error(text(
          "without a mask A(PX) = P A(X) must hold for every permutation P, but the two differ by up to ",
          largest, ": something in your lines looks at where a token stands."));
    if (causal && !(largest > 0.01))
      throw Error(
          "with a causal mask a shuffle must change the answers, but it does not: is the mask used at all?");
  }
}
