// Chapter 1. Layers of attention with random parameters read random inputs; plain loops say what they must
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

const std::vector<std::string> of_scores = {"example", "head", "query", "key"},
                               of_heads = {"example", "head", "token", "channel"};
using Entry = std::function<double(int b, int h, int i, int j)>;

struct Size {
  int B, T, D, H;
  bool causal;
};
// No two of T, D, H, d and their roots are equal in both, so that no two mistakes look alike.
constexpr Size sizes[] = {{2, 5, 12, 4, false}, {1, 6, 18, 2, true}};
const std::vector<std::string> names = {"without a mask", "with a causal mask"};

// The learner's layer, what a probe saw in it, and the same in plain loops.
struct Layer {
  explicit Layer(const Size& size, Probe::Hook last = Probe::Hook::mixed) : Layer(size, Probe(last)) {}
  Layer(const Size& size, const Probe& with) : s(size), probe(with) {
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
          "weights is still without a value after your lines. Did you declare another variable of that name, as "
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

  // A linear layer of the learner's attention ("query"), of (B,T,D): the same shape.
  Array projected(const std::string& name, const Array& from) const {
    const Parameter weight = find("layer." + name + ".weight"), bias = find("layer." + name + ".bias");
    Array out{from.shape, {}};
    for (int t = 0; t < s.B * s.T; ++t)
      for (int c = 0; c < s.D; ++c) {
        double sum = parameters[bias.offset + static_cast<std::size_t>(c)];
        for (int in = 0; in < s.D; ++in)
          sum += from.values[static_cast<std::size_t>(t * s.D + in)] *
                 parameters[weight.offset + static_cast<std::size_t>(in * s.D + c)];
        out.values.push_back(sum);
      }
    return out;
  }
  Array projected(const std::string& name) const { return projected(name, inputs()); }
  Array inputs() const { return {{s.B, s.T, s.D}, x}; }

  // (B,T,D) -> (B,H,T,d)
  Array cut(const Array& from) const {
    return array(s.T, d(), [&](int b, int h, int t, int c) {
      return from.values[static_cast<std::size_t>((b * s.T + t) * s.D + h * d() + c)];
    });
  }
  Array heads_of(const std::string& name) const { return cut(projected(name)); }
  // The same numbers, read as (B,H,T,d) without regard to tokens.
  Array cut_blindly(const Array& from) const { return {{s.B, s.H, s.T, d()}, from.values}; }
  // As many heads as a head should have channels.
  Array cut_by_width(const Array& from) const {
    Array out{{s.B, d(), s.T, s.H}, {}};
    for (int b = 0; b < s.B; ++b)
      for (int h = 0; h < d(); ++h)
        for (int t = 0; t < s.T; ++t)
          for (int c = 0; c < s.H; ++c)
            out.values.push_back(from.values[static_cast<std::size_t>((b * s.T + t) * s.D + h * s.H + c)]);
    return out;
  }

  Parameter find(const std::string& name) const {
    for (const auto& entry : table.entries())
      if (entry.name == name) return entry.where;
    fail("check", "there is no parameter " + name);
  }

  Array products(const Array& rows, const Array& columns, double factor) const {
    return array(s.T, s.T, [&](int b, int h, int i, int j) {
      double sum = 0;
      for (int c = 0; c < d(); ++c) sum += at(rows, b, h, i, c) * at(columns, b, h, j, c);
      return sum * factor;
    });
  }
  Array scores(double factor) const { return products(heads_of("query"), heads_of("key"), factor); }
  Array scores() const { return scores(1 / root_d()); }

  // What `grows` makes of each score, for keys that the query may see, divided by its sum over the keys, or over
  // the queries, or not divided.
  enum class Sum { keys, queries, none };
  Array shares(const Array& from, bool masked, Sum over = Sum::keys,
               double (*grows)(double) = [](double score) { return std::exp(score); }) const {
    return array(s.T, s.T, [&](int b, int h, int i, int j) {
      const auto grown = [&](int query, int key) {
        return masked && key > query ? 0 : grows(at(from, b, h, query, key));
      };
      double sum = over == Sum::none;
      for (int other = 0; other < s.T && over != Sum::none; ++other)
        sum += over == Sum::queries ? grown(other, j) : grown(i, other);
      return grown(i, j) / sum;
    });
  }
  Array weights_of(const Array& from) const { return shares(from, s.causal); }
  Array weights_of() const { return weights_of(scores()); }

  Array mix(const Array& by, const Array& values, bool transposed = false) const {
    return array(s.T, d(), [&](int b, int h, int i, int c) {
      double sum = 0;
      for (int j = 0; j < s.T; ++j)
        sum += (transposed ? at(by, b, h, j, i) : at(by, b, h, i, j)) * at(values, b, h, j, c);
      return sum;
    });
  }

  int d() const { return s.D / s.H; }
  double root_d() const { return std::sqrt(d()); }

  Size s;
  ParameterTable table;
  Attention attention{table, "layer", {.d_model = s.D, .heads = s.H, .causal = s.causal}, 0};
  Reals parameters;
  std::vector<double> x = std::vector<double>(static_cast<std::size_t>(s.B * s.T * s.D));
  Probe probe;
  std::optional<Array> weights;
  std::string stopped_by = "attention did not get so far";
};

Array times(Array array, double factor) {
  for (double& value : array.values) value *= factor;
  return array;
}
Array plus(Array a, const Array& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

// Asks `yours` of a layer without a mask and of one with, and the same of everything else.
using OfLayer = std::function<Array(const Layer&)>;
struct NamedMistake {
  std::string says;
  OfLayer answer;
};
void compare_layers(const std::string& what, const std::vector<std::string>& axes, Probe::Hook last,
                    const OfLayer& yours, const OfLayer& right, const std::vector<NamedMistake>& mistakes) {
  const Layer layers[] = {Layer(sizes[0], last), Layer(sizes[1], last)};
  const auto answer = [&](const OfLayer& of) { return [&layers, of](std::size_t i) { return of(layers[i]); }; };
  std::vector<Mistake> named;
  for (const NamedMistake& mistake : mistakes) named.push_back({mistake.says, answer(mistake.answer)});
  std::vector<std::string> inputs;
  for (const std::string& name : names) inputs.push_back(what + ", " + name);
  compare(inputs, axes, answer(yours), answer(right), named);
}

}  // namespace

TEST_CASE("1.1 queries and keys, cut into heads") {
  const auto check = [](const std::string& what, const std::string& own, const std::string& other,
                        std::optional<Array> Probe::*seen) {
    compare_layers(
        what, of_heads, Probe::Hook::query_and_key,
        [=](const Layer& l) { return l.seen(l.probe.*seen); }, [=](const Layer& l) { return l.heads_of(own); },
        {{text("the ", other, " layer makes ", what), [=](const Layer& l) { return l.heads_of(other); }},
         {text("the value layer makes ", what), [](const Layer& l) { return l.heads_of("value"); }},
         {text("x itself becomes ", what, ": the layer ", own, "_ is left out"),
          [](const Layer& l) { return l.cut(l.inputs()); }},
         {text(what, " goes through the layer ", own, "_ twice"),
          [=](const Layer& l) { return l.cut(l.projected(own, l.projected(own))); }},
         {text(what, " goes through the layer ", other, "_ first, and then through ", own, "_"),
          [=](const Layer& l) { return l.cut(l.projected(own, l.projected(other))); }},
         {text(what, " goes through the layer ", own, "_ first, and then through ", other, "_"),
          [=](const Layer& l) { return l.cut(l.projected(other, l.projected(own))); }},
         {text(what, " is not cut into heads: split_heads() does that"),
          [=](const Layer& l) { return l.projected(own); }},
         {text(what, " is cut into d heads of H channels; it should be H heads of d"),
          [=](const Layer& l) { return l.cut_by_width(l.projected(own)); }},
         {text(what, " is cut as one run of numbers, so that a head holds pieces of several tokens; "
                     "split_heads() cuts each token"),
          [=](const Layer& l) { return l.cut_blindly(l.projected(own)); }}});
  };
  check("q", "query", "key", &Probe::queries);
  check("k", "key", "query", &Probe::keys);
}

TEST_CASE("1.2 how well each query fits each key") {
  const auto by = [](const std::function<double(const Layer&)>& factor) {
    return [=](const Layer& l) { return l.scores(factor(l)); };
  };
  compare_layers(
      "scores", of_scores, Probe::Hook::scores, [](const Layer& l) { return l.seen(l.probe.score); },
      [](const Layer& l) { return l.scores(); },
      {{"the dot products are not divided by sqrt(d)", by([](const Layer&) { return 1; })},
       {"they are divided by d, without the root", by([](const Layer& l) { return 1.0 / l.d(); })},
       {"they are divided by the root of the whole width D; d is the width of one head, D / H",
        by([](const Layer& l) { return 1 / std::sqrt(l.s.D); })},
       {"they are divided by the whole width D", by([](const Layer& l) { return 1.0 / l.s.D; })},
       {"they are divided by the root of the number of heads",
        by([](const Layer& l) { return 1 / std::sqrt(l.s.H); })},
       {"they are divided by the number of heads", by([](const Layer& l) { return 1.0 / l.s.H; })},
       {"they are multiplied by sqrt(d) instead", by([](const Layer& l) { return l.root_d(); })},
       {"they are multiplied by d instead", by([](const Layer& l) { return l.d(); })},
       {"they are divided by the root of sqrt(d): the root is taken twice",
        by([](const Layer& l) { return 1 / std::sqrt(l.root_d()); })},
       {"they are divided by d squared", by([](const Layer& l) { return 1.0 / l.d() / l.d(); })},
       {"the factor is 0: 1 / d in whole numbers, before the root is taken", by([](const Layer&) { return 0; })},
       {"the sign is turned: the best match gets the lowest score",
        by([](const Layer& l) { return -1 / l.root_d(); })},
       {"they are divided by the root of the number of tokens",
        by([](const Layer& l) { return 1 / std::sqrt(l.s.T); })},
       {"queries and keys change places: row i should be query i",
        [](const Layer& l) { return l.products(l.heads_of("key"), l.heads_of("query"), 1 / l.root_d()); }},
       {"queries meet queries: the keys are left out",
        [](const Layer& l) { return l.products(l.heads_of("query"), l.heads_of("query"), 1 / l.root_d()); }},
       {"keys meet keys: the queries are left out",
        [](const Layer& l) { return l.products(l.heads_of("key"), l.heads_of("key"), 1 / l.root_d()); }},
       {"the softmax is taken here already; step 1.3 does that",
        [](const Layer& l) { return l.shares(l.scores(), false); }}});
}

TEST_CASE("1.3 for each query, weights that sum to 1") {
  using Sum = Layer::Sum;
  const auto grown = [](double (*grows)(double), Sum over, bool masked) {
    return [=](const Layer& l) { return l.shares(l.scores(), masked && l.s.causal, over, grows); };
  };
  const auto exp = [](double score) { return std::exp(score); };
  const auto sigmoid = [](double score) { return 1 / (1 + std::exp(-score)); };
  compare_layers(
      "weights", of_scores, Probe::Hook::mixed, [](const Layer& l) { return l.seen(l.weights); },
      [](const Layer& l) { return l.weights_of(); },
      {{"the mask is left out: with a causal mask a query sees the keys up to its own position only",
        grown(exp, Sum::keys, false)},
       {"there always is a causal mask; only `mask` knows whether there should be",
        [](const Layer& l) { return l.shares(l.scores(), true); }},
       {"the mask is turned round: it is there when it should not be, and missing when it should",
        [](const Layer& l) { return l.shares(l.scores(), !l.s.causal); }},
       {"the softmax is taken twice", [](const Layer& l) { return l.weights_of(l.weights_of()); }},
       {"the softmax is taken twice, and only the second time with the mask",
        [](const Layer& l) { return l.weights_of(l.shares(l.scores(), false)); }},
       {"the weights sum to 1 over the queries; the softmax should go over the keys of each query",
        grown(exp, Sum::queries, true)},
       {"the scores are passed on as they are", [](const Layer& l) { return l.scores(); }},
       {"exp() is taken and not divided by its sum over the keys", grown(exp, Sum::none, false)},
       {"a sigmoid takes the place of the softmax: each weight is below 1, but a row does not sum to 1",
        grown(sigmoid, Sum::none, false)},
       {"all keys get the same weight, whatever their scores", grown([](double) { return 1.0; }, Sum::keys, true)},
       {"the sign of the scores is turned: the worst match gets the largest weight",
        [](const Layer& l) { return l.weights_of(l.scores(-1 / l.root_d())); }},
       {"the scores are divided by sqrt(d) once more",
        [](const Layer& l) { return l.weights_of(l.scores(1.0 / l.d())); }},
       {"the scores are multiplied by sqrt(d) again, which undoes the division",
        [](const Layer& l) { return l.weights_of(l.scores(1)); }},
       {"negative scores are cut off before the softmax", [](const Layer& l) {
          Array cut = l.scores();
          for (double& value : cut.values) value = std::max(value, 0.0);
          return l.weights_of(cut);
        }}});
}

TEST_CASE("1.4 each query's mix of the values") {
  const auto mix_of = [](const std::function<Array(const Layer&)>& values) {
    return [=](const Layer& l) { return l.mix(l.weights_of(), values(l)); };
  };
  compare_layers(
      "mixed", of_heads, Probe::Hook::mixed, [](const Layer& l) { return l.seen(l.probe.mix); },
      mix_of([](const Layer& l) { return l.heads_of("value"); }),
      {{"the weight matrix is transposed: entry (i, j) is what query i takes of value j",
        [](const Layer& l) { return l.mix(l.weights_of(), l.heads_of("value"), true); }},
       {"the keys are mixed, not the values", mix_of([](const Layer& l) { return l.heads_of("key"); })},
       {"the queries are mixed, not the values", mix_of([](const Layer& l) { return l.heads_of("query"); })},
       {"x itself is mixed: the layer value_ is left out",
        mix_of([](const Layer& l) { return l.cut(l.inputs()); })},
       {"the layer output_ makes the values; it comes after the mix",
        mix_of([](const Layer& l) { return l.cut(l.projected("output")); })},
       {"the values go through the layer value_ twice",
        mix_of([](const Layer& l) { return l.cut(l.projected("value", l.projected("value"))); })},
       {"the values are cut as one run of numbers; split_heads() cuts each token",
        mix_of([](const Layer& l) { return l.cut_blindly(l.projected("value")); })},
       {"the values pass unmixed", [](const Layer& l) { return l.heads_of("value"); }},
       {"the scores mix the values; the weights should",
        [](const Layer& l) { return l.mix(l.scores(), l.heads_of("value")); }},
       {"the weights are applied twice",
        [](const Layer& l) { return l.mix(l.weights_of(), l.mix(l.weights_of(), l.heads_of("value"))); }},
       {"the mix is divided by sqrt(d): that belongs to the scores",
        [](const Layer& l) { return times(l.mix(l.weights_of(), l.heads_of("value")), 1 / l.root_d()); }},
       {"each token's own value is added to the mix",
        [](const Layer& l) { return plus(l.mix(l.weights_of(), l.heads_of("value")), l.heads_of("value")); }},
       {"the queries are added to the mix", [](const Layer& l) {
          return plus(l.mix(l.weights_of(), l.heads_of("value")), l.heads_of("query"));
        }}});
}

TEST_CASE("1.5 shuffling the tokens shuffles the answers, and does no more; a causal mask ends that") {
  const struct Nothing : Scheme {
    Claims claims() const override { return {}; }
  } nothing;
  for (const bool causal : {false, true}) {
    Size size = sizes[0];
    size.causal = causal;
    Layer layer(size);
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
          "with a causal mask a shuffle must change the answers, but it does not: is the mask used at all?");
  }
}
