// Chapter 1. Layers of attention with random parameters read random inputs; plain loops say what they must
// come to.
#include "lessons/tools/check.h"

#include <numeric>

#include "lessons/01_attention/contract.h"
#include "lessons/tools/probe.h"
#include "model/attention.h"
#include "model/model.h"

[[gnu::weak]] std::vector<double> locus::attend(const std::vector<double>&, const Rows&, const Rows&) {
  still_to_write("1.1");
}

using namespace locus;

namespace {

// --- 1.1 ---

// Attention for query i in plain loops. For the broken layers of 1.7 a weight is changed before the division by
// the sum.
using Factor = std::function<double(std::size_t query, std::size_t key, std::size_t T)>;
std::vector<double> attend_plainly(const std::vector<double>& query, const Rows& keys, const Rows& values,
                                   const Factor& factor = nullptr, std::size_t i = 0) {
  std::vector<double> weights, mixed(values[0].size());
  double sum = 0;
  for (std::size_t j = 0; j < keys.size(); ++j) {
    const double score = dot(query, keys[j]) / std::sqrt(query.size());
    weights.push_back(std::exp(score) * (factor ? factor(i, j, keys.size()) : 1));
    sum += weights.back();
  }
  for (std::size_t j = 0; j < values.size(); ++j)
    for (std::size_t c = 0; c < mixed.size(); ++c) mixed[c] += weights[j] / sum * values[j][c];
  return mixed;
}

// same, 1 of `std::vector<double> weights;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `for (const std::vector<double>& key : keys) {`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `weights.push_back(std::exp(score / std::sqrt(query.size())));`: a minus before each weight is before their sum as well; both have the same length
// same, 2 of `for (std::size_t c = 0; c < query.size(); ++c) score += query[c] * key[c];`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]; both have the same length
// same, 2 of `double score = 0;`: softmax does not change when all scores grow alike
// same, 1 of `std::vector<double> mixed(values[0].size());`: all rows of a matrix are equally long, and the matrices of the step have two rows or more
// same, 2 of `for (std::size_t j = 0; j < values.size(); ++j)`: there are as many of them as values
TEST_CASE("1.1 attention for one query, from blank") {
  struct Case {
    std::string name;
    std::vector<double> query;
    Rows keys, values;
  };
  compare_cases<Case>(
      {{"5 keys of 3 channels, values of 2", random_numbers(3, 4), random_rows(5, 3, 5),
        random_rows(5, 2, 6)},
       {"2 keys of 2 channels, values of 6", random_numbers(2, 7), random_rows(2, 2, 8),
        random_rows(2, 6, 9)}},
      &Case::name, {"channel"}, [](auto& c) { return list(attend(c.query, c.keys, c.values)); },
      [](auto& c) { return list(attend_plainly(c.query, c.keys, c.values)); }, 1e-9);

  std::vector<std::string> lines;
  for (const double weight : attend({1, 1}, {{2, 0}, {1, 0}, {0, 0}}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}))
    lines.push_back(str(fixed(weight, 2), "  ", bar(weight)));
  show("Your weights of three keys, for the query (1, 1) and the keys (2, 0), (1, 0), (0, 0)", lines);
}

// --- 1.2 to 1.6 ---

const std::vector<std::string> of_scores = {"example", "head", "query", "key"},
                               of_heads = {"example", "head", "token", "channel"};

const struct Nothing : Scheme {
  Claims claims() const override { return {}; }
} nothing;

struct Size {
  int B, T, D, H;
  bool causal;
};
// No two of T, D, H, d and their roots are equal in both, so that no two mistakes look alike.
constexpr Size sizes[] = {{2, 5, 12, 4, false}, {1, 6, 18, 2, true}};

// The learner's layer, what a probe saw in it, and the same in plain loops.
struct Traced {
  explicit Traced(const Size& size, Probe::Hook last = Probe::Hook::mixed) : s(size), probe(last) {
    Random random(1, Purpose::testing);
    for (double& value : x.values) value = random.normal();
    for (Real& value : parameters) value += static_cast<Real>(0.3 * random.normal());
    try {
      output(x, probe);
    } catch (const Probe::Stop&) {  // all that the step is about has been seen
    } catch (const Error& error) {  // what was seen before can be looked at all the same
      stopped_by = error.what();
    }
  }

  // (B,T,D) -> (B,T,D)
  Array output(const Array& inputs, const Scheme& scheme) {
    std::vector<Tensor> of_attention;
    const auto keep_weights = [&] {  // an empty shape if they were never given a value
      if (of_attention.empty()) return;
      const Tensor w = of_attention.front();
      weights = w.shape().rank() == 0 ? Array{} : copy(w);
    };
    return value_of(
        [&](Tape& tape) {
          try {
            const Tensor y = attention(
                constant(tape, inputs), scheme,
                {.tokens = {}, .length = s.T, .positions = count_up(tape, s.T), .attention = &of_attention});
            keep_weights();
            return y;
          } catch (...) {
            keep_weights();
            throw;
          }
        },
        parameters);
  }

  const Array& seen(const std::optional<Array>& array) const {
    if (!array) throw Error(stopped_by);
    require(array->shape.rank() != 0,
            "weights is still without a value after your lines. Did you declare another variable of that "
            "name, as in `Tensor weights = ...`? It ends at the brace; write `weights = ...`.");
    return *array;
  }

  // What a linear layer of the learner's attention ("query") makes of x, cut into heads: (B,H,T,d).
  Array heads_of(const std::string& name) const {
    const Array weight = parameter_called("layer." + name + ".weight", table, parameters);
    const Array bias = parameter_called("layer." + name + ".bias", table, parameters);
    return filled({s.B, s.H, s.T, d()}, [&](int b, int h, int t, int c) {
      const int column = h * d() + c;
      return bias(column) + sum_of(s.D, [&](int in) { return x(b, t, in) * weight(in, column); });
    });
  }
  Array scores() const {
    const Array q = heads_of("query"), k = heads_of("key");
    return filled({s.B, s.H, s.T, s.T}, [&](int b, int h, int i, int j) {
      return sum_of(d(), [&](int c) { return q(b, h, i, c) * k(b, h, j, c); }) / std::sqrt(d());
    });
  }
  Array right_weights() const {
    const Array of = scores();
    return filled({s.B, s.H, s.T, s.T}, [&](int b, int h, int i, int j) {
      const auto grown = [&](int key) { return s.causal && key > i ? 0 : std::exp(of(b, h, i, key)); };
      return grown(j) / sum_of(s.T, grown);
    });
  }
  Array mix() const {
    const Array by = right_weights(), values = heads_of("value");
    return filled({s.B, s.H, s.T, d()}, [&](int b, int h, int i, int c) {
      return sum_of(s.T, [&](int j) { return by(b, h, i, j) * values(b, h, j, c); });
    });
  }

  int d() const { return s.D / s.H; }

  Size s;
  ParameterTable table;
  Attention attention{table, "layer", {.d_model = s.D, .heads = s.H, .causal = s.causal}, 0};
  Reals parameters = table.sample(1);
  Array x = filled({s.B, s.T, s.D}, [](int, int, int) { return 0; });
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

// same, 1 of `Tensor q = split_heads(query_(x), context_.heads);`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("1.2 queries and keys, cut into heads") {
  constexpr auto last = Probe::Hook::query_and_key;
  compare_layers(
      "q", of_heads, last, [](const Traced& l) { return l.seen(l.probe.queries); },
      [](const Traced& l) { return l.heads_of("query"); });
  compare_layers(
      "k", of_heads, last, [](const Traced& l) { return l.seen(l.probe.keys); },
      [](const Traced& l) { return l.heads_of("key"); });

  const Traced layer(sizes[0], last);
  show("Your lines cut the tokens into heads",
       {str("x  ", layer.x.shape, "  examples, tokens, channels"),
        str("q  ", layer.seen(layer.probe.queries).shape, "  examples, heads, tokens, channels of a head")});
}

// same, 1 of `Tensor scores = matmul(q, transpose(k), 1 / std::sqrt(context_.d_head()));`: both know the same d
TEST_CASE("1.3 a score for each query and key") {
  compare_layers(
      "scores", of_scores, Probe::Hook::scores, [](const Traced& l) { return l.seen(l.probe.score); },
      &Traced::scores);

  const Traced layer(sizes[1], Probe::Hook::scores);
  const Array& scores = layer.seen(layer.probe.score);
  std::vector<std::string> map;
  for (int query = 0; query < layer.s.T; ++query)
    map.push_back(shades(
        filled({layer.s.T}, [&](int key) { return 1 / (1 + std::exp(-scores(0, 0, query, key))); }).values));
  show("Your scores: a row for each query, dark where the score of a key is high", map);
}

TEST_CASE("1.4 for each query, weights that sum to 1") {
  compare_layers(
      "weights", of_scores, Probe::Hook::mixed, [](const Traced& l) { return l.seen(l.weights); },
      &Traced::right_weights);

  const Traced layer(sizes[1]);
  std::vector<std::string> map;
  for (int query = 0; query < layer.s.T; ++query)
    map.push_back(
        shades(filled({layer.s.T}, [&](int key) { return (*layer.weights)(0, 0, query, key); }).values));
  show("What a head with your weights reads: a row for each query, dark where it looks", map);
}

TEST_CASE("1.5 each query's mix of the values") {
  compare_layers(
      "mixed", of_heads, Probe::Hook::mixed, [](const Traced& l) { return l.seen(l.probe.mix); },
      &Traced::mix);

  const Traced layer(sizes[0]);
  std::vector<std::string> lines;
  const auto add = [&](const std::string& name, const Array& of) {
    double least = of(0, 0, 0, 0), most = least;
    for (int t = 0; t < layer.s.T; ++t)
      least = std::min(least, of(0, 0, t, 0)), most = std::max(most, of(0, 0, t, 0));
    lines.push_back(str(name, fixed(least, 2), " to ", fixed(most, 2)));
  };
  add("values  ", layer.heads_of("value"));
  add("mixes   ", layer.seen(layer.probe.mix));
  show("One channel of all tokens: your mixes lie between the values", lines);
}

TEST_CASE("1.6 A(PX) = P A(X) without a mask, and not with a causal mask") {
  std::vector<std::string> lines;
  for (const bool causal : {false, true}) {
    Size size = sizes[0];
    size.causal = causal;
    Traced layer(size);
    const Array before = layer.output(layer.x, nothing);
    Random random(2, Purpose::testing);
    double largest = 0;
    for (int round = 0; round < 20; ++round) {
      std::vector<int> order(static_cast<std::size_t>(size.T));
      std::iota(order.begin(), order.end(), 0);
      random.shuffle(std::span(order));
      const auto shuffled = [&](const Array& from) {
        return filled(from.shape, [&](int b, int t, int c) { return from(b, order.data()[t], c); });
      };
      const Array after = layer.output(shuffled(layer.x), nothing);
      largest = std::max(largest, largest_difference(after.values, shuffled(before).values));
    }
    require(size.causal || largest < 1e-4,
            "without a mask A(PX) = P A(X) must hold for every permutation P, but the two differ by up to ",
            largest, ": something in your lines depends on the position of a token.");
    require(
        !size.causal || largest > 0.01,
        "with a causal mask a shuffle must change the outputs, but it does not: is the mask used at all?");
    lines.push_back(str(causal ? "with a causal mask  " : "without a mask      ", fixed(largest, 3)));
  }
  show("After a shuffle, your output of a token changes by up to", lines);
}

// --- 1.7 ---

// A layer of attention whose three matrices are those of seed 1, changed in one thing, with something done to its
// inputs before and to its outputs after.
using Change = std::function<void(Rows&)>;
Layer layer_with(const Factor& factor, const Change& before = nullptr, const Change& after = nullptr) {
  return [=](const Rows& x) {
    Rows inputs = x;
    if (before) before(inputs);
    Rows queries, keys, values, out;
    for (const auto& row : inputs) {
      queries.push_back(times(row, random_rows(4, 4, 1)));
      keys.push_back(times(row, random_rows(4, 4, 2)));
      values.push_back(times(row, random_rows(4, 4, 3)));
    }
    for (std::size_t i = 0; i < x.size(); ++i)
      out.push_back(attend_plainly(queries[i], keys, values, factor, i));
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
    const auto run = [&](Tape& tape) {
      return attention(constant(tape, {{1, T, 4}, array_of(x).values}), nothing,
                       {.tokens = {}, .length = T, .positions = count_up(tape, T)});
    };
    return rows_of(value_of(run, table.sample(1)).values, 4);
  };
}

TEST_CASE("1.7 your test of A(PX) = P A(X)") {
  const auto shift = [](Rows& rows) { std::rotate(rows.begin(), rows.begin() + 1, rows.end()); };
  const auto index = [](double step, std::size_t from = 0) {
    return [=](Rows& rows) {
      for (std::size_t t = from; t < rows.size(); ++t) rows[t][0] += step * static_cast<double>(t);
    };
  };
  // Whether query i sees key j, of T.
  const auto sees = [](bool (*f)(std::size_t i, std::size_t j, std::size_t T)) {
    return layer_with([f](auto i, auto j, auto T) { return f(i, j, T) ? 1 : 0; });
  };
  const auto before = [](const Change& change) { return layer_with(nullptr, change); };
  const auto after = [](const Change& change) { return layer_with(nullptr, nullptr, change); };
  judge<Layer>(
      moves_along,
      {{"attention without a mask", layer_with(nullptr)},
       {"attention that weighs all keys alike",
        [](const Rows& x) {
          return Rows(x.size(), attend_plainly({0, 0, 0, 0}, x, x));
        }},
       {"a layer that passes every token on as it is", [](const Rows& x) { return x; }},
       {"your own attention, without a mask", learners(false)}},
      {{"your own attention, with a causal mask", learners(true)},
       {"a causal mask", sees([](auto i, auto j, auto) { return j <= i; })},
       {"a causal mask the wrong way round", sees([](auto i, auto j, auto) { return j >= i; })},
       {"a window: only neighbours are seen",
        sees([](auto i, auto j, auto) { return i <= j + 1 && j <= i + 1; })},
       {"the last token is never seen", sees([](auto, auto j, auto T) { return T == 1 || j + 1 < T; })},
       {"the first token counts twice", layer_with([](auto, auto j, auto) { return j == 0 ? 2 : 1; })},
       {"scores fall with the distance, as in ALiBi", layer_with([](auto i, auto j, auto) {
          return std::exp(-0.5 * std::abs(static_cast<double>(i) - static_cast<double>(j)));
        })},
       {"the index is added to the first channel", before(index(1))},
       {"a hundredth of the index is added to the first channel", before(index(0.01))},
       {"the index is added from the seventh token on", before(index(1, 6))},
       {"the index is added to the outputs", after(index(1))},
       {"each output is that of the next token", after(shift)},
       {"the outputs come in the opposite order", after([](Rows& rows) { std::ranges::reverse(rows); })},
       {"the outputs are sorted", after([](Rows& rows) { std::ranges::sort(rows); })},
       {"every token gets the output of the first",
        after([](Rows& rows) { rows = Rows(rows.size(), rows[0]); })}});
}

}  // namespace
