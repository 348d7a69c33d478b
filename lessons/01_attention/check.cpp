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
const std::vector<std::string> names = {"without a mask", "with a causal mask"};

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
  Array shares(
      const Array& from, bool masked, Sum over = Sum::keys,
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
using OfLayer = std::function<Array(const Traced&)>;
struct NamedMistake {
  std::string says;
  OfLayer answer;
};
void compare_layers(const std::string& what, const std::vector<std::string>& axes, Probe::Hook last,
                    const OfLayer& yours, const OfLayer& right, const std::vector<NamedMistake>& mistakes) {
  const Traced layers[] = {Traced(sizes[0], last), Traced(sizes[1], last)};
  const auto answer = [&](const OfLayer& of) {
    return [&layers, of](std::size_t i) { return of(layers[i]); };
  };
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
        what, of_heads, Probe::Hook::query_and_key, [=](const Traced& l) { return l.seen(l.probe.*seen); },
        [=](const Traced& l) { return l.heads_of(own); },
        {{text("the ", other, " layer makes ", what), [=](const Traced& l) { return l.heads_of(other); }},
         {text("the value layer makes ", what), [](const Traced& l) { return l.heads_of("value"); }},
         {text("x itself becomes ", what, ": the layer ", own, "_ is left out"),
          [](const Traced& l) { return l.cut(l.inputs()); }},
         {text(what, " goes through the layer ", own, "_ twice"),
          [=](const Traced& l) { return l.cut(l.projected(own, l.projected(own))); }},
         {text(what, " goes through the layer ", other, "_ first, and then through ", own, "_"),
          [=](const Traced& l) { return l.cut(l.projected(own, l.projected(other))); }},
         {text(what, " goes through the layer ", own, "_ first, and then through ", other, "_"),
          [=](const Traced& l) { return l.cut(l.projected(other, l.projected(own))); }},
         {text(what, " is not cut into heads: split_heads() does that"),
          [=](const Traced& l) { return l.projected(own); }},
         {text(what, " is cut into d heads of H channels; it should be H heads of d"),
          [=](const Traced& l) { return l.cut_by_width(l.projected(own)); }},
         {text(what,
               " is cut as one run of numbers, so that a head holds pieces of several tokens; "
               "split_heads() cuts each token"),
          [=](const Traced& l) { return l.cut_blindly(l.projected(own)); }}});
  };
  check("q", "query", "key", &Probe::queries);
  check("k", "key", "query", &Probe::keys);
}

TEST_CASE("1.2 how well each query fits each key") {
  const auto by = [](const std::function<double(const Traced&)>& factor) {
    return [=](const Traced& l) { return l.scores(factor(l)); };
  };
  compare_layers(
      "scores", of_scores, Probe::Hook::scores, [](const Traced& l) { return l.seen(l.probe.score); },
      [](const Traced& l) { return l.scores(); },
      {{"the dot products are not divided by sqrt(d)", by([](const Traced&) { return 1; })},
       {"they are divided by d, without the root", by([](const Traced& l) { return 1.0 / l.d(); })},
       {"they are divided by the root of the whole width D; d is the width of one head, D / H",
        by([](const Traced& l) { return 1 / std::sqrt(l.s.D); })},
       {"they are divided by the whole width D", by([](const Traced& l) { return 1.0 / l.s.D; })},
       {"they are divided by the root of the number of heads",
        by([](const Traced& l) { return 1 / std::sqrt(l.s.H); })},
       {"they are divided by the number of heads", by([](const Traced& l) { return 1.0 / l.s.H; })},
       {"they are multiplied by sqrt(d) instead", by([](const Traced& l) { return l.root_d(); })},
       {"they are multiplied by d instead", by([](const Traced& l) { return l.d(); })},
       {"they are divided by the root of sqrt(d): the root is taken twice",
        by([](const Traced& l) { return 1 / std::sqrt(l.root_d()); })},
       {"they are divided by d squared", by([](const Traced& l) { return 1.0 / l.d() / l.d(); })},
       {"the factor is 0: 1 / d in whole numbers, before the root is taken",
        by([](const Traced&) { return 0; })},
       {"the sign is turned: the best match gets the lowest score",
        by([](const Traced& l) { return -1 / l.root_d(); })},
       {"they are divided by the root of the number of tokens",
        by([](const Traced& l) { return 1 / std::sqrt(l.s.T); })},
       {"queries and keys change places: row i should be query i",
        [](const Traced& l) { return l.products(l.heads_of("key"), l.heads_of("query"), 1 / l.root_d()); }},
       {"queries meet queries: the keys are left out",
        [](const Traced& l) { return l.products(l.heads_of("query"), l.heads_of("query"), 1 / l.root_d()); }},
       {"keys meet keys: the queries are left out",
        [](const Traced& l) { return l.products(l.heads_of("key"), l.heads_of("key"), 1 / l.root_d()); }},
       {"the softmax is taken here already; step 1.3 does that",
        [](const Traced& l) { return l.shares(l.scores(), false); }}});
}

TEST_CASE("1.3 for each query, weights that sum to 1") {
  using Sum = Traced::Sum;
  const auto grown = [](double (*grows)(double), Sum over, bool masked) {
    return [=](const Traced& l) { return l.shares(l.scores(), masked && l.s.causal, over, grows); };
  };
  const auto exp = [](double score) { return std::exp(score); };
  const auto sigmoid = [](double score) { return 1 / (1 + std::exp(-score)); };
  compare_layers(
      "weights", of_scores, Probe::Hook::mixed, [](const Traced& l) { return l.seen(l.weights); },
      [](const Traced& l) { return l.weights_of(); },
      {{"the mask is left out: with a causal mask a query sees the keys up to its own position only",
        grown(exp, Sum::keys, false)},
       {"there always is a causal mask; `mask` says whether there should be one",
        [](const Traced& l) { return l.shares(l.scores(), true); }},
       {"the mask is turned round: it is there when it should not be, and missing when it should",
        [](const Traced& l) { return l.shares(l.scores(), !l.s.causal); }},
       {"the softmax is taken twice", [](const Traced& l) { return l.weights_of(l.weights_of()); }},
       {"the softmax is taken twice, and only the second time with the mask",
        [](const Traced& l) { return l.weights_of(l.shares(l.scores(), false)); }},
       {"the weights sum to 1 over the queries; the softmax should go over the keys of each query",
        grown(exp, Sum::queries, true)},
       {"the scores are passed on as they are", [](const Traced& l) { return l.scores(); }},
       {"exp() is taken and not divided by its sum over the keys", grown(exp, Sum::none, false)},
       {"a sigmoid takes the place of the softmax: each weight is below 1, but a row does not sum to 1",
        grown(sigmoid, Sum::none, false)},
       {"all keys get the same weight, whatever their scores",
        grown([](double) { return 1.0; }, Sum::keys, true)},
       {"the sign of the scores is turned: the worst match gets the largest weight",
        [](const Traced& l) { return l.weights_of(l.scores(-1 / l.root_d())); }},
       {"the scores are divided by sqrt(d) once more",
        [](const Traced& l) { return l.weights_of(l.scores(1.0 / l.d())); }},
       {"the scores are multiplied by sqrt(d) again, which undoes the division",
        [](const Traced& l) { return l.weights_of(l.scores(1)); }},
       {"negative scores are cut off before the softmax", [](const Traced& l) {
          Array cut = l.scores();
          for (double& value : cut.values) value = std::max(value, 0.0);
          return l.weights_of(cut);
        }}});
}

TEST_CASE("1.4 each query's mix of the values") {
  const auto mix_of = [](const std::function<Array(const Traced&)>& values) {
    return [=](const Traced& l) { return l.mix(l.weights_of(), values(l)); };
  };
  compare_layers(
      "mixed", of_heads, Probe::Hook::mixed, [](const Traced& l) { return l.seen(l.probe.mix); },
      mix_of([](const Traced& l) { return l.heads_of("value"); }),
      {{"the weight matrix is transposed: entry (i, j) is what query i takes of value j",
        [](const Traced& l) { return l.mix(l.weights_of(), l.heads_of("value"), true); }},
       {"the keys are mixed, not the values", mix_of([](const Traced& l) { return l.heads_of("key"); })},
       {"the queries are mixed, not the values", mix_of([](const Traced& l) { return l.heads_of("query"); })},
       {"x itself is mixed: the layer value_ is left out",
        mix_of([](const Traced& l) { return l.cut(l.inputs()); })},
       {"the layer output_ makes the values; it comes after the mix",
        mix_of([](const Traced& l) { return l.cut(l.projected("output")); })},
       {"the values go through the layer value_ twice",
        mix_of([](const Traced& l) { return l.cut(l.projected("value", l.projected("value"))); })},
       {"the values are cut as one run of numbers; split_heads() cuts each token",
        mix_of([](const Traced& l) { return l.cut_blindly(l.projected("value")); })},
       {"the values pass unmixed", [](const Traced& l) { return l.heads_of("value"); }},
       {"the scores mix the values; the weights should",
        [](const Traced& l) { return l.mix(l.scores(), l.heads_of("value")); }},
       {"the weights are applied twice",
        [](const Traced& l) { return l.mix(l.weights_of(), l.mix(l.weights_of(), l.heads_of("value"))); }},
       {"the mix is divided by sqrt(d): that belongs to the scores",
        [](const Traced& l) { return times(l.mix(l.weights_of(), l.heads_of("value")), 1 / l.root_d()); }},
       {"each token's own value is added to the mix",
        [](const Traced& l) {
          return plus(l.mix(l.weights_of(), l.heads_of("value")), l.heads_of("value"));
        }},
       {"the queries are added to the mix", [](const Traced& l) {
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
          "with a causal mask a shuffle must change the answers, but it does not: is the mask used at all?");
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

// Attention in plain loops, with one thing about it changed.
struct Plain {
  std::function<double(double score, double d)> scaled = [](double score, double d) {
    return score / std::sqrt(d);
  };
  double (*grows)(double) = [](double score) { return std::exp(score); };
  bool divided = true;
  std::function<double(std::size_t query, std::size_t key, std::size_t T)> factor = [](auto...) {
    return 1.0;
  };
};
std::vector<double> attend_plainly(const std::vector<double>& query, const Rows& keys, const Rows& values,
                                   const Plain& how, std::size_t i = 0) {
  std::vector<double> weights, mixed(values[0].size());
  double sum = 0;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const double score = std::inner_product(query.begin(), query.end(), keys[j].begin(), 0.0);
    weights.push_back(how.grows(how.scaled(score, static_cast<double>(query.size()))) *
                      how.factor(i, j, keys.size()));
    sum += weights.back();
  }
  for (std::size_t j = 0; j < values.size(); ++j)
    for (std::size_t c = 0; c < mixed.size(); ++c)
      mixed[c] += weights[j] / (how.divided ? sum : 1) * values[j][c];
  return mixed;
}

Rows random_rows(std::size_t T, std::size_t width, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Rows rows(T, std::vector<double>(width));
  for (auto& row : rows)
    for (double& value : row) value = random.normal();
  return rows;
}

// --- 1.7 ---

// A layer of attention whose three matrices are those of seed 1, changed in one thing, with something done to its
// inputs before and to its outputs after.
using Change = std::function<void(Rows&)>;
Layer layer_with(const Plain& how, const Change& before = nullptr, const Change& after = nullptr) {
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
      out.push_back(attend_plainly(made[0][i], made[1], made[2], how, i));
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
  const auto with = [&](const Plain& how) {
    return [&cases, how](std::size_t i) {
      return list(attend_plainly(cases[i].query, cases[i].keys, cases[i].values, how));
    };
  };
  const auto scaled = [&](const std::function<double(double, double)>& f) { return with({.scaled = f}); };
  const auto factor = [&](const std::function<double(std::size_t, std::size_t, std::size_t)>& f) {
    return with({.factor = f});
  };
  compare(
      {"5 keys of length 3, values of length 2", "2 keys of length 2, values of length 6"}, {"channel"},
      [&](std::size_t i) { return list(attend(cases[i].query, cases[i].keys, cases[i].values)); }, with({}),
      {{"the scores are not divided by the root of the length", scaled([](double s, double) { return s; })},
       {"the scores are divided by the length, without the root",
        scaled([](double s, double d) { return s / d; })},
       {"the scores are multiplied by the root of the length",
        scaled([](double s, double d) { return s * std::sqrt(d); })},
       {"all keys get the same weight", scaled([](double, double) { return 0; })},
       {"the sign of the scores is turned", scaled([](double s, double d) { return -s / std::sqrt(d); })},
       {"the weights are not divided by their sum", with({.divided = false})},
       {"the scores are divided by their sum, without exp()", with({.grows = [](double s) { return s; }})},
       {"the scores themselves weigh the values",
        with({.grows = [](double s) { return s; }, .divided = false})},
       {"2 is raised to the scores, not e", with({.grows = [](double s) { return std::exp2(s); }})},
       {"the last key is left out", factor([](auto, auto j, auto T) { return j + 1 < T ? 1.0 : 0.0; })},
       {"the first key is left out", factor([](auto, auto j, auto) { return j > 0 ? 1.0 : 0.0; })}},
      1e-9);
}

TEST_CASE("1.7 your test: shuffling tokens shuffles answers, and does no more") {
  const auto shift = [](Rows& rows) { std::rotate(rows.begin(), rows.begin() + 1, rows.end()); };
  const auto index = [](double step, std::size_t from = 0) {
    return [=](Rows& rows) {
      for (std::size_t t = from; t < rows.size(); ++t) rows[t][0] += step * static_cast<double>(t);
    };
  };
  const auto candidate = [](const std::string& what, bool is_right, const Layer& layer) {
    return Candidate{what, is_right, [=] { return moves_along(layer); }};
  };
  const auto factor = [](const std::function<double(std::size_t, std::size_t, std::size_t)>& f) {
    return layer_with({.factor = f});
  };
  judge({candidate("attention without a mask", true, layer_with({})),
         candidate("attention that weighs all keys alike", true,
                   layer_with({.grows = [](double) { return 1.0; }})),
         candidate("a layer that passes every token on as it is", true, [](const Rows& x) { return x; }),
         candidate("your own attention, without a mask", true, learners(false)),
         candidate("your own attention, with a causal mask", false, learners(true)),
         candidate("a causal mask", false, factor([](auto i, auto j, auto) { return j <= i ? 1.0 : 0.0; })),
         candidate("a causal mask the wrong way round", false,
                   factor([](auto i, auto j, auto) { return j >= i ? 1.0 : 0.0; })),
         candidate("a window: only neighbours are seen", false,
                   factor([](auto i, auto j, auto) { return i <= j + 1 && j <= i + 1 ? 1.0 : 0.0; })),
         candidate("the last token is never seen", false,
                   factor([](auto, auto j, auto T) { return T == 1 || j + 1 < T ? 1.0 : 0.0; })),
         candidate("the first token counts twice", false,
                   factor([](auto, auto j, auto) { return j == 0 ? 2.0 : 1.0; })),
         candidate("scores fall with the distance, as in ALiBi", false, factor([](auto i, auto j, auto) {
                     return std::exp(-0.5 * std::abs(static_cast<double>(i) - static_cast<double>(j)));
                   })),
         candidate("the index is added to the first channel", false, layer_with({}, index(1))),
         candidate("a hundredth of the index is added to the first channel", false,
                   layer_with({}, index(0.01))),
         candidate("the index is added from the seventh token on", false, layer_with({}, index(1, 6))),
         candidate("the index is added to the answers", false, layer_with({}, nullptr, index(1))),
         candidate("each answer is that of the next token", false, layer_with({}, nullptr, shift)),
         candidate("the answers come in the opposite order", false,
                   layer_with({}, nullptr, [](Rows& rows) { std::ranges::reverse(rows); })),
         candidate("the answers are sorted", false,
                   layer_with({}, nullptr, [](Rows& rows) { std::ranges::sort(rows); })),
         candidate("every token gets the answer of the first", false, layer_with({}, nullptr, [](Rows& rows) {
                     rows.assign(rows.size(), Rows::value_type(rows[0]));
                   }))});
}
