// Chapter 12. Entropy, share by offset and silencing of a head; mean weight by offset; a test of a uniform head.
#include "lessons/tools/check.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "examine/attention_maps.h"
#include "io/format.h"
#include "lessons/12_picture/contract.h"
#include "nn/layers.h"

using namespace locus;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A transformer of one layer and two heads whose parameters are drawn, large enough for heads that are sharp.
struct Drawn {
  Transformer model;
  Reals parameters;
  explicit Drawn(ModelKind kind, double factor)
      : model({.kind = kind, .scheme = "none", .layers = 1, .heads = 2, .d_model = 8, .d_ff = 8},
              {.vocabulary = 7}),
        parameters(model.parameters().count()) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i] = static_cast<Real>(factor * std::sin(1.3 * static_cast<double>(i * i % 101)));
  }
  AttentionMap map(const std::vector<int>& tokens, int head) const {
    return attention_maps(model, parameters.data(), tokens)[at(head)];
  }
};

double bits(double weight) { return weight == 0 ? 0 : weight * std::log(1 / weight) / std::log(2.0); }

// Weights that sum to 1 in each row, no two alike; later keys get none when causal.
std::vector<double> made_up(int T, bool causal, int kind) {
  std::vector<double> weights(at(T * T));
  for (int query = 0; query < T; ++query) {
    const int seen = causal ? query + 1 : T;
    double sum = 0;
    for (int key = 0; key < seen; ++key)
      sum += weights[at(query * T + key)] =
          1.1 + std::sin(1 + 3.1 * query + 1.7 * key + 0.9 * query * key + kind);
    for (int key = 0; key < seen; ++key) weights[at(query * T + key)] /= sum;
  }
  return weights;
}

// The same, but the first query reads the first key alone: weights can be exactly 0.
std::vector<double> sharp(int T, bool causal) {
  std::vector<double> weights = made_up(T, causal, 2);
  for (int key = 0; key < T; ++key) weights[at(key)] = key == 0;
  return weights;
}

struct Case {
  int length;
  bool causal;
  std::string what() const {
    return str(causal ? "a decoder's" : "an encoder's", " head, ", length, " tokens");
  }
};
std::vector<std::string> names(const std::vector<Case>& cases) {
  std::vector<std::string> all;
  for (const Case& one : cases) all.push_back(one.what());
  return all;
}

}  // namespace

TEST_CASE("12.1 the entropy of a head, in bits") {
  const Drawn encoder(ModelKind::encoder, 1), decoder(ModelKind::decoder, 0.6), sharp(ModelKind::encoder, 40);
  const std::vector<std::vector<int>> inputs = {{1, 2, 3, 4, 5}, {6, 0, 2}, {3, 1, 4, 1, 5, 2}};
  // The last: most weights are exactly 0, and those of equal tokens, here and there, are equal.
  const auto map = [&](std::size_t i) {
    return i == 6 ? sharp.map({3, 5, 1, 3, 4, 5}, 1) : (i % 2 == 0 ? encoder : decoder).map(inputs[i / 2], 1);
  };
  std::vector<std::string> what;
  for (std::size_t i = 0; i < 2 * inputs.size(); ++i)
    what.push_back(
        str(i % 2 == 0 ? "an encoder's" : "a decoder's", " head, ", inputs[i / 2].size(), " tokens"));
  what.push_back("an encoder's sharp head, 6 tokens");
  compare(
      what, {"entropy"}, [&](std::size_t i) { return list({map(i).entropy}); },
      [&](std::size_t i) {
        const AttentionMap seen = map(i);
        double sum = 0;
        for (const double weight : seen.weights) sum += bits(weight);
        return list({sum / seen.length});
      },
      1e-5, {{"in an encoder", {0, 2, 4, 6}}, {"in a decoder", {1, 3, 5}}});

  std::vector<std::string> rows;
  for (const double factor : {0.3, 0.7, 1.0, 1.5, 3.0}) {
    const double entropy = Drawn(ModelKind::encoder, factor).map({1, 2, 3, 4, 5, 6, 0, 2}, 1).entropy;
    rows.push_back(
        str("weights times ", fixed(factor, 1), "  ", fixed(entropy, 2), " bits  ", bar(entropy / 3)));
  }
  show("Your entropy of one head over 8 tokens, as its scores grow: at most 3 bits", rows);
}

// same, 1 of `for (int query = 0; query < length; ++query) sum += std::log2(causal ? query + 1 : length);`: minus true is true as well
TEST_CASE("12.2 the highest possible entropy") {
  const std::vector<Case> cases = {{12, false}, {12, true}, {5, false}, {5, true}, {1, true}, {3, false}};
  compare(
      names(cases), {"entropy"},
      [&](std::size_t i) {
        const auto [T, causal] = cases[i];
        return list({AttentionMap{{0, 0}, T, causal, {}, 0, causal ? T / 2 : 0}.highest_entropy()});
      },
      [&](std::size_t i) {
        const int T = cases[i].length;
        double product = 1;  // of the numbers of keys seen
        for (int query = 0; query < T; ++query) product *= cases[i].causal ? T - query : T;
        return list({std::log(product) / T / std::log(2.0)});
      },
      1e-9, {{"in an encoder", {0, 2, 5}}, {"in a decoder", {1, 3, 4}}});

  std::vector<std::string> rows;
  for (const int length : {2, 4, 8, 16, 32})
    for (const bool causal : {false, true}) {
      const double most = AttentionMap{{0, 0}, length, causal, {}, 0}.highest_entropy();
      if (length > 2)
        rows.push_back(
            str(causal ? "decoder " : "encoder ", length < 10 ? " " : "", length, "  ", bar(most / 5)));
    }
  show("Your highest entropy by length: a decoder's early queries see few keys", rows);
}

// same, 1 of `shares[as_size(key - query + length - 1)] += weights[as_size(query * length + key)] / length;`: both offset and weight are exchanged, so that the loops only visit the pairs in another order
TEST_CASE("12.3 the share by offset") {
  const std::vector<Case> cases = {{4, false}, {3, true}, {1, false}, {6, false}, {5, true}};
  compare(
      names(cases), {"element"},
      [&](std::size_t i) {
        const auto [T, causal] = cases[i];
        return list(AttentionMap{{0, 0}, T, causal, made_up(T, causal, 0), 0}.share_by_offset());
      },
      [&](std::size_t i) {
        const auto [T, causal] = cases[i];
        const std::vector<double> weights = made_up(T, causal, 0);
        std::vector<double> right;
        for (int offset = 1 - T; offset < T; ++offset) {
          double sum = 0;
          for (int key = std::max(0, offset); key < std::min(T, T + offset); ++key)
            sum += weights[at((key - offset) * T + key)];
          right.push_back(sum / T);
        }
        return list(right);
      },
      1e-9);

  constexpr int T = 5;
  const std::vector<double> shares =
      AttentionMap{{0, 0}, T, false, std::vector<double>(T * T, 1.0 / T), 0}.share_by_offset();
  std::vector<std::string> rows;
  for (int offset = 1 - T; offset < T; ++offset)
    rows.push_back(str(offset < 0 ? "" : " ", offset, "  ", bar(shares[at(offset + T - 1)] * 4)));
  show("Your share by offset of a head that prefers nothing: is near special?", rows);
}

TEST_CASE("12.4 silencing: a layer ignores some inputs") {
  struct Shape {
    int inputs, outputs, first, count;
  };
  const std::vector<Shape> shapes = {{6, 4, 2, 2}, {6, 4, 0, 3}, {5, 7, 3, 2}, {4, 3, 1, 1}};
  std::vector<std::string> what;
  for (const Shape& s : shapes)
    what.push_back(
        str("weights (", s.inputs, ",", s.outputs, "), inputs ", s.first, " to ", s.first + s.count - 1));
  compare(
      what, {"parameter"},
      [&](std::size_t i) {
        const Shape& s = shapes[i];
        ParameterTable table;
        const Linear before(table, "before", 2, 3), layer(table, "layer", s.inputs, s.outputs),
            behind(table, "behind", 3, 9);
        std::vector<double> parameters(table.count());
        Reals values;
        for (std::size_t k = 0; k < parameters.size(); ++k) values.push_back(static_cast<Real>(k + 1));
        layer.ignore_inputs(values, s.first, s.count);
        return list({values.begin(), values.end()});
      },
      [&](std::size_t i) {
        const Shape& s = shapes[i];
        std::vector<double> values(at(2 * 3 + 3 + s.inputs * s.outputs + s.outputs + 3 * 9 + 9));
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k + 1);
        for (int input = s.first; input < s.first + s.count; ++input)
          for (int output = 0; output < s.outputs; ++output) values[at(9 + input * s.outputs + output)] = 0;
        return list(values);
      },
      1e-9);

  ParameterTable table;
  const Linear layer(table, "output", 8, 12);  // reads two heads of 4 outputs each
  Reals values;
  for (int i = 0; i < 8 * 12 + 12; ++i) values.push_back(static_cast<Real>(0.5 + 0.4 * std::sin(1.7 * i)));
  layer.ignore_inputs(values, 4, 4);
  std::vector<std::string> rows;
  for (int input = 0; input < 8; ++input)
    rows.push_back(str("head ", input / 4, "  ",
                       shades({values.begin() + 12 * input, values.begin() + 12 * (input + 1)})));
  show("The weights that read two heads, after you silenced head 1", rows);
}

namespace locus {
// Taken when weight_by_offset.cpp has no such function.
__attribute__((weak)) std::vector<double> weight_by_offset(const Rows&) {
  fail("exercise 12.5", "still to be written");
}
}  // namespace locus

// same, 6 of `std::vector<double> sums(2 * T - 1), queries(2 * T - 1);`: a longer list of counts has elements at its end that are never read, in each of these sizes
// same, 2 of `sums[key + T - 1 - query] += weights[query][key];`: the two lines can stand in either order: neither reads what the other writes; both offset and weight are exchanged, so that the loops only visit the pairs in another order
// same, 2 of `queries[key + T - 1 - query] += 1;`: a sum in another order; as many queries have a key at the offset k as at -k
// same, 2 of `for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= queries[i];`: one query has a key at the lowest offset: its sum is divided by 1; both have the same size
TEST_CASE("12.5 the mean weight by offset, from blank") {
  const std::vector<Case> cases = {{4, false}, {1, false}, {3, true}, {6, false}, {5, true}};
  compare(
      names(cases), {"element"},
      [&](std::size_t i) {
        const auto [T, causal] = cases[i];
        const std::vector<double> weights = sharp(T, causal);
        Rows rows;
        for (int query = 0; query < T; ++query)
          rows.emplace_back(weights.begin() + query * T, weights.begin() + (query + 1) * T);
        return list(weight_by_offset(rows));
      },
      [&](std::size_t i) {
        const auto [T, causal] = cases[i];
        const std::vector<double> weights = sharp(T, causal);
        std::vector<double> right;
        for (int offset = 1 - T; offset < T; ++offset) {
          double sum = 0;
          for (int key = std::max(0, offset); key < std::min(T, T + offset); ++key)
            sum += weights[at((key - offset) * T + key)];
          right.push_back(sum / (T - std::abs(offset)));
        }
        return list(right);
      },
      1e-9);

  constexpr std::size_t T = 5;
  const std::vector<double> weights = weight_by_offset(Rows(T, std::vector<double>(T, 1.0 / T)));
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < weights.size(); ++i)
    rows.push_back(
        str(i < T - 1 ? "" : " ", static_cast<int>(i + 1) - static_cast<int>(T), "  ", bar(weights[i] * 4)));
  show("The same head that prefers nothing, by your mean weight: now it looks like what it is", rows);
}

// --- 12.6 ---

namespace {

// The weight of one key for one query, of a head that is uniform but for something.
struct Place {
  int length, input, query, key, seen;  // seen: the number of keys that the query sees
  double uniform() const { return key < seen ? 1.0 / seen : 0; }
};
using Weight = std::function<double(const Place&)>;
MapOf head(bool causal, const Weight& weight) {
  return [=](int length, int input) {
    if (length < 1 || length > 64 || input < 0 || input > 9)
      fail("exercise 12.6",
           str("map_of has no input ", input, " of ", length, " tokens: contract.h says which"));
    Rows rows(at(length), std::vector<double>(at(length)));
    for (int query = 0; query < length; ++query)
      for (int key = 0; key < length; ++key)
        rows[at(query)][at(key)] = weight({length, input, query, key, causal ? query + 1 : length});
    return rows;
  };
}

// Uniform, but for `moved` of the weight of some queries, from one of the keys that they see to the next.
Weight moving(double moved, const std::function<bool(const Place&)>& concerns) {
  return [=](const Place& p) {
    if (p.seen < 2 || !concerns(p)) return p.uniform();
    const double part = moved / p.seen;
    return p.uniform() + (p.key == 0 ? part : p.key == 1 ? -part : 0);
  };
}

}  // namespace

TEST_CASE("12.6 your test: a uniform head") {
  std::vector<Candidate> all;
  for (const bool causal : {false, true}) {
    const std::string of = causal ? "a decoder's head: " : "an encoder's head: ";
    const auto add = [&](const std::string& what, bool right, const Weight& weight) {
      all.push_back({of + what, right, [=] { return uniform_head(head(causal, weight), causal); }});
    };
    add("exactly uniform", true, [](const Place& p) { return p.uniform(); });
    add("uniform up to rounding in float", true, [](const Place& p) {
      return static_cast<double>(static_cast<float>(p.uniform())) + (p.key < p.seen ? 2e-7 : 0);
    });
    add("all weight on the query's own token", false,
        [](const Place& p) { return p.key == p.query ? 1.0 : 0.0; });
    add("all weight on one key, another one for each query: uniform in the mean over queries", false,
        [](const Place& p) { return p.key == (p.query + p.input) % p.seen ? 1.0 : 0.0; });
    add("all weight on one key, another one for each input: uniform in the mean over inputs", false,
        [](const Place& p) { return p.key == p.input % p.seen ? 1.0 : 0.0; });
    add("the first key gets more in every second input and less in the others: uniform in the mean over inputs",
        false, [](const Place& p) {
          const double more = p.seen > 1 && p.key < 2 ? (p.key == p.input % 2 ? 0.3 : -0.3) : 0;
          return p.uniform() * (1 + more);
        });
    add("one percent more weight for the first key than for the second", false,
        moving(0.005, [](auto&) { return true; }));
    add("only the last query is not uniform", false,
        moving(0.5, [](const Place& p) { return p.query == p.length - 1; }));
    add("only the query in the middle is not uniform", false,
        moving(0.5, [](const Place& p) { return p.query == p.length / 2; }));
    add("only the second half of the inputs is not read uniformly", false,
        moving(0.5, [](const Place& p) { return p.input >= 5; }));
    add("only input 0 is read uniformly", false, moving(0.5, [](const Place& p) { return p.input != 0; }));
    add("uniform up to 12 tokens only", false, moving(0.5, [](const Place& p) { return p.length > 12; }));
    add("uniform from 12 tokens on only", false, moving(0.5, [](const Place& p) { return p.length < 12; }));
    add("equal weights that sum to 2", false, [](const Place& p) { return 2 * p.uniform(); });
    add("all weights 0", false, [](const Place&) { return 0.0; });
    add("all weights NaN", false, [](const Place&) { return std::nan(""); });
    add("the query's own token gets nothing, all others the same", false, [](const Place& p) {
      if (p.seen == 1) return p.uniform();
      return p.key == p.query || p.key >= p.seen ? 0.0 : 1.0 / (p.seen - 1);
    });
  }
  all.push_back({"a decoder's head that sees later keys as well, all with the weight 1 / T", false,
                 [] { return uniform_head(head(false, [](const Place& p) { return p.uniform(); }), true); }});
  all.push_back({"an encoder's head that does not see later keys", false,
                 [] { return uniform_head(head(true, [](const Place& p) { return p.uniform(); }), false); }});
  all.push_back({"a decoder's head with equal weights for the keys that it sees, and as much for later ones",
                 false,
                 [] { return uniform_head(head(true, [](const Place& p) { return 1.0 / p.seen; }), true); }});
  judge(all);
}
