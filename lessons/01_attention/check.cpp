// Chapter 1. Layers of attention with random parameters read random inputs; plain loops say what they must
// come to.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "lessons/01_attention/contract.h"
#include "lessons/tools/judge.h"
#include "lessons/tools/probe.h"
#include "model/attention.h"
#include "model/model.h"

using namespace locus;

namespace {

const std::vector<std::string> of_scores = {"example", "head", "query", "key"},
                               of_heads = {"example", "head", "token", "channel"};
using Entry = std::function<double(int b, int h, int i, int j)>;

struct Size {
  int B, T, D, H;
  bool causal;
};
// No two of T, D, H, d and their roots are equal in both, so that no two mistakes look alike.
constexpr Size sizes[] = {{2, 5, 12, 4, false}, {1, 6, 18, 2, true}};

// The learner's layer, what a probe saw in it, and the same in plain loops.
struct Traced {
  explicit Traced(const Size& size, Probe::Hook last = Probe::Hook::mixed) : Traced(size, Probe(last)) {}
  Traced(const Size& size, const Probe& with) : s(size), probe(with) {
    Random random(1, Purpose::testing);
    for (double& value : x) value = random.normal();
    parameters = table.draw(1);
    for (Real& value : parameters) value += static_cast<Real>(0.3 * random.normal());
    try {
      output(x, probe);
    } catch (const Probe::Stop&) {  // all that the step is about has been seen
    } catch (const Error& error) {  // what was seen before can be looked at all the same
      stopped_by = error.what();
    }
  }

  // (B,T,D) -> (B,T,D)
  std::vector<double> output(const std::vector<double>& inputs, const Scheme& scheme) {
    Tape tape(parameters.data());
    poison(tape);
    const Reals values(inputs.begin(), inputs.end());
    std::vector<Tensor> seen;
    const auto keep_weights = [&] {
      if (!seen.empty()) weights = copy_of_weights(seen.front());
    };
    try {
      const Tensor y =
          attention(tape.constant({s.B, s.T, s.D}, values.data()), scheme,
                    {.tokens = {}, .length = s.T, .positions = count_up(tape, s.T), .attention = &seen});
      keep_weights();
      return copy(y).values;
    } catch (...) {
      keep_weights();
      throw;
    }
  }

  // An empty shape if they were never given a value.
  static Array copy_of_weights(Tensor x) { return x.shape().rank() == 0 ? Array{} : copy(x); }

  const Array& seen(const std::optional<Array>& array) const {
    if (!array) throw Error(stopped_by);
    if (array->shape.rank() == 0)
      throw Error(
          "weights is still without a value after your lines. Did you declare another variable of that name, "
          "as "
          "in `Tensor weights = ...`? It ends at the brace; write `weights = ...`.");
    return *array;
  }

  Array array(int rows, int columns, const Entry& entry) const {
    Array out{{s.B, s.H, rows, columns}, {}};
    for (int b = 0; b < s.B; ++b)
      for (int h = 0; h < s.H; ++h)
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < columns; ++j) out.values.push_back(entry(b, h, i, j));
    return out;
  }

  double at(const Array& from, int b, int h, int i, int j) const {
    const std::ptrdiff_t row = (std::ptrdiff_t{b} * s.H + h) * from.shape[2] + i;
    return from.values[static_cast<std::size_t>(row * from.shape[3] + j)];
  }

  Parameter find(const std::string& name) const {
    for (const auto& entry : table.entries())
      if (entry.name == name) return entry.where;
    fail("check", "there is no parameter " + name);
  }

  // What a linear layer of the learner's attention ("query") makes of x, cut into heads: (B,H,T,d).
  Array heads_of(const std::string& name) const {
    const Parameter weight = find("layer." + name + ".weight"), bias = find("layer." + name + ".bias");
    return array(s.T, d(), [&](int b, int h, int t, int c) {
      const int column = h * d() + c;
      double sum = parameters[bias.offset + static_cast<std::size_t>(column)];
      for (int in = 0; in < s.D; ++in)
        sum += x[static_cast<std::size_t>((b * s.T + t) * s.D + in)] *
               parameters[weight.offset + static_cast<std::size_t>(in * s.D + column)];
      return sum;
    });
  }
  Array scores() const {
    const Array q = heads_of("query"), k = heads_of("key");
    return array(s.T, s.T, [&](int b, int h, int i, int j) {
      double sum = 0;
      for (int c = 0; c < d(); ++c) sum += at(q, b, h, i, c) * at(k, b, h, j, c);
      return sum / std::sqrt(d());
    });
  }
  Array right_weights() const {
    const Array of = scores();
    const auto grown = [&](int b, int h, int i, int j) {
      return s.causal && j > i ? 0 : std::exp(at(of, b, h, i, j));
    };
    return array(s.T, s.T, [&](int b, int h, int i, int j) {
      double sum = 0;
      for (int key = 0; key < s.T; ++key) sum += grown(b, h, i, key);
      return grown(b, h, i, j) / sum;
    });
  }
  Array mix() const {
    const Array by = right_weights(), values = heads_of("value");
    return array(s.T, d(), [&](int b, int h, int i, int c) {
      double sum = 0;
      for (int j = 0; j < s.T; ++j) sum += at(by, b, h, i, j) * at(values, b, h, j, c);
      return sum;
    });
  }

  int d() const { return s.D / s.H; }

  Size s;
  ParameterTable table;
  Attention attention{table, "layer", {.d_model = s.D, .heads = s.H, .causal = s.causal}, 0};
  Reals parameters;
  std::vector<double> x = std::vector<double>(static_cast<std::size_t>(s.B * s.T * s.D));
  Probe probe;
  std::optional<Array> weights;
  std::string stopped_by = "attention did not get so far";
};

// Asks `yours` of a layer without a mask and of one with, and the same of what is right.
using OfLayer = std::function<Array(const Traced&)>;
void compare_layers(const std::string& what, const std::vector<std::string>& axes, Probe::Hook last,
                    const OfLayer& yours, const OfLayer& right) {
  const Traced layers[] = {Traced(sizes[0], last), Traced(sizes[1], last)};
  compare(
      {what + ", without a mask", what + ", with a causal mask"}, axes,
      [&](std::size_t i) { return yours(layers[i]); }, [&](std::size_t i) { return right(layers[i]); });
}

}  // namespace

TEST_CASE("1.1 queries and keys, cut into heads") {
  compare_layers(
      "q", of_heads, Probe::Hook::query_and_key, [](const Traced& l) { return l.seen(l.probe.queries); },
      [](const Traced& l) { return l.heads_of("query"); });
  compare_layers(
      "k", of_heads, Probe::Hook::query_and_key, [](const Traced& l) { return l.seen(l.probe.keys); },
      [](const Traced& l) { return l.heads_of("key"); });
}

TEST_CASE("1.2 how well each query fits each key") {
  compare_layers(
      "scores", of_scores, Probe::Hook::scores, [](const Traced& l) { return l.seen(l.probe.score); },
      [](const Traced& l) { return l.scores(); });
}

TEST_CASE("1.3 for each query, weights that sum to 1") {
  compare_layers(
      "weights", of_scores, Probe::Hook::mixed, [](const Traced& l) { return l.seen(l.weights); },
      [](const Traced& l) { return l.right_weights(); });
}

TEST_CASE("1.4 each query's mix of the values") {
  compare_layers(
      "mixed", of_heads, Probe::Hook::mixed, [](const Traced& l) { return l.seen(l.probe.mix); },
      [](const Traced& l) { return l.mix(); });
}

TEST_CASE("1.5 shuffling the tokens shuffles the outputs, and does no more; a causal mask ends that") {
  const struct Nothing : Scheme {
    Claims claims() const override { return {}; }
  } nothing;
  for (const bool causal : {false, true}) {
    Size size = sizes[0];
    size.causal = causal;
    Traced layer(size);
    const std::vector<double> before = layer.output(layer.x, nothing);
    Random random(2, Purpose::testing);
    double largest = 0;
    for (int round = 0; round < 20; ++round) {
      std::vector<std::size_t> order(static_cast<std::size_t>(size.T));
      std::iota(order.begin(), order.end(), std::size_t{0});
      random.shuffle(std::span(order));
      std::vector<double> shuffled(layer.x.size()), expected(before.size());
      for (std::size_t i = 0; i < shuffled.size(); ++i) {
        const auto D = static_cast<std::size_t>(size.D), T = static_cast<std::size_t>(size.T);
        const std::size_t channel = i % D, t = i / D % T, b = i / D / T;
        shuffled[i] = layer.x[(b * T + order[t]) * D + channel];
        expected[i] = before[(b * T + order[t]) * D + channel];
      }
      largest = std::max(largest, largest_difference(layer.output(shuffled, nothing), expected));
    }
    if (!size.causal && !(largest < 1e-4))
      throw Error(text(
          "without a mask A(PX) = P A(X) must hold for every permutation P, but the two differ by up to ",
          largest, ": something in your lines looks at where a token stands."));
    if (size.causal && !(largest > 0.01))
      throw Error(
          "with a causal mask a shuffle must change the outputs, but it does not: is the mask used at all?");
  }
}

// --- 1.6 ---

namespace locus {
// Taken when attend.cpp has no such function.
__attribute__((weak)) std::vector<double> attend(const std::vector<double>&, const Rows&, const Rows&) {
  fail("exercise 1.6", "still to be written");
}
}  // namespace locus

namespace {

// Attention for query i in plain loops. For the broken layers of 1.7 a weight is changed before the division by the sum.
using Factor = std::function<double(std::size_t query, std::size_t key, std::size_t T)>;
std::vector<double> attend_plainly(const std::vector<double>& query, const Rows& keys, const Rows& values,
                                   const Factor& factor = nullptr, std::size_t i = 0) {
  std::vector<double> weights, mixed(values[0].size());
  double sum = 0;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const double score = std::inner_product(query.begin(), query.end(), keys[j].begin(), 0.0);
    weights.push_back(std::exp(score / std::sqrt(query.size())) * (factor ? factor(i, j, keys.size()) : 1));
    sum += weights.back();
  }
  for (std::size_t j = 0; j < values.size(); ++j)
    for (std::size_t c = 0; c < mixed.size(); ++c) mixed[c] += weights[j] / sum * values[j][c];
  return mixed;
}

// --- 1.7 ---

// A layer of attention whose three matrices are those of seed 1, changed in one thing, with something done to its
// inputs before and to its outputs after.
using Change = std::function<void(Rows&)>;
Layer layer_with(const Factor& factor, const Change& before = nullptr, const Change& after = nullptr) {
  return [=](const Rows& x) {
    const Rows matrices[] = {random_rows(4, 4, 1), random_rows(4, 4, 2), random_rows(4, 4, 3)};
    Rows inputs = x;
    if (before) before(inputs);
    Rows made[3];
    for (std::size_t m = 0; m < 3; ++m)
      for (const auto& row : inputs) {
        std::vector<double> product(4);
        for (std::size_t in = 0; in < 4; ++in)
          for (std::size_t c = 0; c < 4; ++c) product[c] += row[in] * matrices[m][in][c];
        made[m].push_back(product);
      }
    Rows out;
    for (std::size_t i = 0; i < x.size(); ++i)
      out.push_back(attend_plainly(made[0][i], made[1], made[2], factor, i));
    if (after) after(out);
    return out;
  };
}

// The learner's own attention, of width 4.
Layer learners(bool causal) {
  return [=](const Rows& x) {
    const int T = static_cast<int>(x.size());
    ParameterTable table;
    const Attention attention(table, "layer", {.d_model = 4, .heads = 1, .causal = causal}, 0);
    const Reals parameters = table.draw(1);
    Tape tape(parameters.data());
    Reals values;
    for (const auto& row : x) values.insert(values.end(), row.begin(), row.end());
    const struct Nothing : Scheme {
      Claims claims() const override { return {}; }
    } nothing;
    const Array y = copy(attention(tape.constant({1, T, 4}, values.data()), nothing,
                                   {.tokens = {}, .length = T, .positions = count_up(tape, T)}));
    Rows rows;
    for (auto from = y.values.begin(); from != y.values.end(); from += 4) rows.emplace_back(from, from + 4);
    return rows;
  };
}

}  // namespace

TEST_CASE("1.6 attention for one query, from blank") {
  struct Case {
    std::vector<double> query;
    Rows keys, values;
  };
  const std::vector<Case> cases = {{random_rows(1, 3, 4)[0], random_rows(5, 3, 5), random_rows(5, 2, 6)},
                                   {random_rows(1, 2, 7)[0], random_rows(2, 2, 8), random_rows(2, 6, 9)}};
  compare(
      {"5 keys of length 3, values of length 2", "2 keys of length 2, values of length 6"}, {"channel"},
      [&](std::size_t i) { return list(attend(cases[i].query, cases[i].keys, cases[i].values)); },
      [&](std::size_t i) { return list(attend_plainly(cases[i].query, cases[i].keys, cases[i].values)); },
      1e-9);
}

TEST_CASE("1.7 your test: shuffling tokens shuffles outputs, and does no more") {
  const auto shift = [](Rows& rows) { std::rotate(rows.begin(), rows.begin() + 1, rows.end()); };
  const auto index = [](double step, std::size_t from = 0) {
    return [=](Rows& rows) {
      for (std::size_t t = from; t < rows.size(); ++t) rows[t][0] += step * static_cast<double>(t);
    };
  };
  const auto factor = [](const Factor& f) { return layer_with(f); };
  judge<Layer>(
      moves_along,
      {{"attention without a mask", layer_with(nullptr)},
       {"attention that weighs all keys alike",
        [](const Rows& x) {
          Rows::value_type mean(4);
          for (const auto& row : x)
            for (std::size_t c = 0; c < 4; ++c) mean[c] += row[c] / static_cast<double>(x.size());
          return Rows(x.size(), mean);
        }},
       {"a layer that passes every token on as it is", [](const Rows& x) { return x; }},
       {"your own attention, without a mask", learners(false)}},
      {{"your own attention, with a causal mask", learners(true)},
       {"a causal mask", factor([](auto i, auto j, auto) { return j <= i ? 1.0 : 0.0; })},
       {"a causal mask the wrong way round", factor([](auto i, auto j, auto) { return j >= i ? 1.0 : 0.0; })},
       {"a window: only neighbours are seen",
        factor([](auto i, auto j, auto) { return i <= j + 1 && j <= i + 1 ? 1.0 : 0.0; })},
       {"the last token is never seen",
        factor([](auto, auto j, auto T) { return T == 1 || j + 1 < T ? 1.0 : 0.0; })},
       {"the first token counts twice", factor([](auto, auto j, auto) { return j == 0 ? 2.0 : 1.0; })},
       {"scores fall with the distance, as in ALiBi", factor([](auto i, auto j, auto) {
          return std::exp(-0.5 * std::abs(static_cast<double>(i) - static_cast<double>(j)));
        })},
       {"the index is added to the first channel", layer_with(nullptr, index(1))},
       {"a hundredth of the index is added to the first channel", layer_with(nullptr, index(0.01))},
       {"the index is added from the seventh token on", layer_with(nullptr, index(1, 6))},
       {"the index is added to the outputs", layer_with(nullptr, nullptr, index(1))},
       {"each output is that of the next token", layer_with(nullptr, nullptr, shift)},
       {"the outputs come in the opposite order",
        layer_with(nullptr, nullptr, [](Rows& rows) { std::ranges::reverse(rows); })},
       {"the outputs are sorted", layer_with(nullptr, nullptr, [](Rows& rows) { std::ranges::sort(rows); })},
       {"every token gets the output of the first", layer_with(nullptr, nullptr, [](Rows& rows) {
          rows.assign(rows.size(), Rows::value_type(rows[0]));
        })}});
}
