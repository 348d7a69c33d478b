// Chapter 8. Buckets, scores and mixes of the learner's files, and the same in plain loops.
#include "lessons/tools/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "lessons/08_relative/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

template <class Numbers = Reals>
Numbers random_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Numbers x(count);
  for (auto& value : x) value = static_cast<typename Numbers::value_type>(random.normal());
  return x;
}

// --- buckets ---

// Of a staircase of buckets, at these distances j - i.
struct Stairs {
  std::string spec, name;  // in words
  std::vector<int> places;
  std::function<int(int places)> right;
  // A mistake may concern some distances alone: "in a decoder".
  std::function<std::string(int places)> where;
};

void compare_buckets(const std::vector<Stairs>& all) {
  struct Step {
    const Stairs* of;
    int places;
  };
  std::vector<Step> steps;
  std::vector<std::string> inputs;
  std::vector<Group> groups;
  for (const Stairs& stairs : all)
    for (const int places : stairs.places) {
      const std::string where = stairs.where(places);
      auto group = std::ranges::find(groups, where, &Group::where);
      if (group == groups.end()) group = groups.insert(group, {where, {}});
      group->inputs.push_back(steps.size());
      steps.push_back({&stairs, places});
      inputs.push_back(str(stairs.name, ", places = ", places));
    }
  compare(
      inputs, {"value"},
      [&](std::size_t i) {
        ParameterTable table;
        const auto scheme =
            make_scheme(steps[i].of->spec, {.d_model = 8, .heads = 2, .causal = false}, table);
        return list({static_cast<double>(scheme->bucket(steps[i].places).value_or(-9999))});
      },
      [&](std::size_t i) { return list({static_cast<double>(steps[i].of->right(steps[i].places))}); }, 1e-4,
      groups);
}

// From -most to most; or only those that are `from` or farther away.
std::vector<int> both_sides(int most, int from = 0) {
  std::vector<int> places;
  for (int p = -most; p <= most; ++p)
    if (std::abs(p) >= from) places.push_back(p);
  return places;
}

int t5_bucket(int places, int buckets, int max_distance, bool causal) {
  const int side = causal ? buckets : buckets / 2, exact = side / 2;
  const int n = causal ? std::max(0, -places) : std::abs(places), start = causal || places <= 0 ? 0 : side;
  if (n < exact) return start + n;
  const double share = std::log(1.0 * n / exact) / std::log(1.0 * max_distance / exact);
  const int far = static_cast<int>(std::floor(1e-9 + share * (side - exact)));
  return start + (exact + far < side ? exact + far : side - 1);
}

Stairs t5(int buckets, int max_distance, bool causal, const std::vector<int>& places,
          const std::string& place = "") {
  return {str("t5:buckets=", buckets, ",max_distance=", max_distance, causal ? ",direction=causal" : ""),
          str("t5 with ", buckets, " buckets, max_distance ", max_distance, causal ? ", causal" : ""), places,
          [=](int p) { return t5_bucket(p, buckets, max_distance, causal); }, [=](int) { return place; }};
}

Stairs shaw(int clip, const std::vector<int>& places) {
  return {str("shaw:clip=", clip), str("clip ", clip), places,
          [=](int p) { return p < -clip  ? 0
                              : p > clip ? 2 * clip
                                         : p + clip; }, [](int) { return ""; }};
}

}  // namespace

// same, 3 of `const int n = causal_ ? std::max(-places, 0) : std::abs(places);`: a product, a sum, a dot product or the larger of two is the same in either order; a distance has no sign, the cosine is even, and a truth value stays what it is
// same, 1 of `const int start = !causal_ && places > 0 ? side_ : 0;`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("8.1 t5: on which side the key is, and how far") {
  // Below `exact_`, so that no line of step 8.2 runs.
  compare_buckets({t5(32, 128, false, both_sides(5), "in an encoder"),
                   t5(28, 128, false, both_sides(4), "in an encoder"),
                   t5(20, 128, true, both_sides(7), "in a decoder")});
}

// Groups in which a second mistake shows nothing, so that each of two is named: one in where the buckets of a side begin
// and end, or in what rounding does at an edge, leaves the first group as the other one makes it.
std::string far_place(int places, int buckets, int max_distance, bool causal) {
  const int side = causal ? buckets : buckets / 2, exact = side / 2, n = std::abs(places);
  if (places > 0) return "for keys after the query";
  if (n >= max_distance) return "from max_distance_ on";
  const double buckets_on = (side - exact) * std::log(1.0 * n / exact) / std::log(1.0 * max_distance / exact);
  return std::abs(buckets_on - std::round(buckets_on)) < 1e-6 ? "where a bucket begins exactly"
                                                              : "within the buckets";
}

// same, 2 of `return start + std::min(exact_ + static_cast<int>(far * (side_ - exact_) + 1e-9), side_ - 1);`: a product, a sum, a dot product or the larger of two is the same in either order; the guard against rounding may be twice as large
TEST_CASE("8.2 t5: wide buckets for far keys") {
  const auto far = [](int exact, int most) { return both_sides(most, exact); };
  const auto stairs = [](int buckets, int most, bool causal, const std::vector<int>& places) {
    Stairs out = t5(buckets, most, causal, places);
    out.where = [=](int p) { return far_place(p, buckets, most, causal); };
    return out;
  };
  std::vector<int> before;  // of a decoder
  for (int n = 11; n < 70; ++n) before.push_back(-n);
  compare_buckets({stairs(20, 160, false, far(5, 24)), stairs(18, 60, false, far(4, 12)),
                   stairs(32, 128, false, {8, 15, 16, 63, 64, 127, 128, 500, 1000000}),
                   stairs(20, 160, false, {-39, -40, -79, -80, -159, -160, -161, -2000}),
                   stairs(22, 60, true, before), stairs(10, 250, false, {-50, -10, 10, 50})});

  std::vector<std::string> rows(8);
  for (int back = 0; back < 32; ++back) {
    std::string& step = rows[static_cast<std::size_t>(t5_bucket(-back, 8, 32, true))];
    if (step.empty()) step = std::string(static_cast<std::size_t>(back), ' ');
    step += "█";
  }
  show("Your staircase: keys 0 to 31 places back, from left to right; a row for each of 8 buckets", rows);
}

// --- scores and mixes ---

namespace {

// One layer of attention: what goes into the hooks of a scheme.
struct Layer {
  std::string spec;
  int B, H, T, d;
  std::vector<double> positions;  // of T tokens, or of B rows of them
  bool causal = false;

  int D() const { return H * d; }
  int rows() const { return static_cast<int>(positions.size()) / T; }
  double position(int b, int t) const { return positions.data()[(rows() == 1 ? 0 : b) * T + t]; }
  int places(int b, int i, int j) const {
    return static_cast<int>(std::lround(position(b, j) - position(b, i)));
  }
  Shape heads(int last) const { return {B, H, T, last}; }
  Reals q() const { return random_numbers(heads(d).count(), 11); }
  Reals k() const { return random_numbers(heads(d).count(), 12); }
  Reals given() const { return random_numbers(heads(T).count(), 13); }    // the scores that come in
  Reals weights() const { return random_numbers(heads(T).count(), 14); }  // of any size: no softmax is run
  Reals mix() const { return random_numbers(heads(d).count(), 15); }
};

struct Subject {
  explicit Subject(const Layer& of)
      : layer(of),
        scheme(make_scheme(of.spec, {.d_model = of.D(), .heads = of.H, .causal = of.causal, .layers = 2},
                           table)),
        parameters(random_numbers(table.count(), 16)) {}
  Layer layer;
  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
  Reals parameters;

  // The first number of a parameter.
  const Real* operator[](const std::string& name) const {
    for (const auto& entry : table.entries())
      if (entry.name == name) return parameters.data() + entry.where.offset;
    throw Error("the check looks for a parameter that there is not: " + name);
  }

  // What the learner's hook makes of scores or of a mix, in the layer of this number.
  enum class Hook { scores, mixed };
  Array run(Hook hook, int number) const {
    const Reals x = random_numbers(static_cast<std::size_t>(layer.B * layer.T * layer.D()), 10),
                q = layer.q(), k = layer.k(), given = layer.given(), weights = layer.weights(),
                mix = layer.mix();
    Tape tape(parameters.data());
    poison(tape);
    const Positions positions{layer.rows(), layer.T, layer.positions.data()};
    const AttentionInputs inputs{tape.constant({layer.B, layer.T, layer.D()}, x.data()),
                                 tape.constant(layer.heads(layer.d), q.data()),
                                 tape.constant(layer.heads(layer.d), k.data()), positions, number};
    if (hook == Hook::scores)
      return copy(scheme->scores(tape.constant(layer.heads(layer.T), given.data()), inputs));
    return copy(scheme->mixed(tape.constant(layer.heads(layer.d), mix.data()),
                              tape.constant(layer.heads(layer.T), weights.data()), inputs));
  }

  // f(b, h, i, last) for each element of (B,H,T,last).
  template <class F>
  Array each(int last, F f) const {
    Array out{layer.heads(last), {}};
    for (int b = 0; b < layer.B; ++b)
      for (int h = 0; h < layer.H; ++h)
        for (int i = 0; i < layer.T; ++i)
          for (int n = 0; n < last; ++n) out.values.push_back(f(b, h, i, n));
    return out;
  }
  int at(int b, int h, int t, int c, int last) const { return ((b * layer.H + h) * layer.T + t) * last + c; }
  double given(int b, int h, int i, int j) const { return layer.given().data()[at(b, h, i, j, layer.T)]; }
};

// a[0] b[0] + ... + a[count - 1] b[count - 1]
double dot(const Real* a, const Real* b, int count) {
  double sum = 0;
  for (int c = 0; c < count; ++c) sum += double{a[c]} * double{b[c]};
  return sum;
}

const std::vector<std::string> pair_axes = {"example", "head", "query", "key"};

// Compares what the learner's hook makes of these layers.
void compare_hook(Subject::Hook hook, const std::vector<Layer>& layers,
                  const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
                  const std::function<Array(const Subject& subject, int layer)>& right) {
  // Each in layer 1: a scheme with a table for each layer must take that one.
  const auto subject = [&](std::size_t i) { return Subject(layers[i]); };
  compare(
      inputs, axes, [&](std::size_t i) { return subject(i).run(hook, 1); },
      [&](std::size_t i) { return right(subject(i), 1); });
}

}  // namespace

TEST_CASE("8.3 t5: a learned number for each bucket, added to the score") {
  compare_hook(
      Subject::Hook::scores,
      {{"t5:buckets=8,max_distance=20", 2, 3, 4, 5, {0, 1, 2, 9}},
       {"t5:buckets=8,max_distance=20", 2, 3, 4, 5, {3, 4, 9, 60, 0, 10, 11, 13}},
       {"t5:buckets=6,max_distance=20", 1, 2, 5, 3, {0, 1, 2, 3, 12}, true}},
      {"scores of tokens at 0 1 2 9", "scores of tokens at 3 4 9 60 in one example, 0 10 11 13 in another",
       "scores of a decoder's tokens at 0 1 2 3 12"},
      pair_axes, [](const Subject& s, int) {
        const Layer& l = s.layer;
        const int buckets = l.causal ? 6 : 8;
        return s.each(l.T, [&](int b, int h, int i, int j) {
          const int bucket = t5_bucket(l.places(b, i, j), buckets, 20, l.causal);
          return s.given(b, h, i, j) + s["position.bias"][h * buckets + bucket];
        });
      });
}

TEST_CASE("8.4 shaw: a row for each distance, up to the clip") {
  compare_buckets({shaw(16, both_sides(20)), shaw(3, both_sides(6)), shaw(1, {-100, -1, 0, 1, 100})});
}

namespace {

const std::vector<Layer> shaw_layers = {{"shaw:clip=3", 2, 3, 5, 4, {0, 1, 2, 5, 9}},
                                        {"shaw:clip=2", 2, 1, 3, 2, {3, 4, 9, 0, 1, 2}}};
int shaw_clip(const Layer& l) { return l.spec == "shaw:clip=3" ? 3 : 2; }
// Where the vector of a pair begins in a table of them.
int shaw_row(const Layer& l, int b, int i, int j) {
  return l.d * shaw(shaw_clip(l), {}).right(l.places(b, i, j));
}

}  // namespace

TEST_CASE("8.5 shaw: keys to which the vector of their distance is added") {
  compare_hook(Subject::Hook::scores, shaw_layers,
               {"scores of tokens at 0 1 2 5 9, head width 4",
                "scores of tokens at 3 4 9 in one example, 0 1 2 in another, head width 2"},
               pair_axes, [](const Subject& s, int layer) {
                 const Layer& l = s.layer;
                 const Reals q = l.q();
                 const Real* a_K = s[str("position.layer", layer, ".shaw.keys")];
                 return s.each(l.T, [&](int b, int h, int i, int j) {
                   const double q_a = dot(q.data() + s.at(b, h, i, 0, l.d), a_K + shaw_row(l, b, i, j), l.d);
                   return s.given(b, h, i, j) + q_a / std::sqrt(l.d);
                 });
               });
}

TEST_CASE("8.6 shaw: values to which the vector of their distance is added") {
  compare_hook(Subject::Hook::mixed, shaw_layers,
               {"the mix of tokens at 0 1 2 5 9, head width 4",
                "the mix of tokens at 3 4 9 in one example, 0 1 2 in another, head width 2"},
               {"example", "head", "query", "channel"}, [](const Subject& s, int layer) {
                 const Layer& l = s.layer;
                 const Reals weights = l.weights(), mix = l.mix();
                 const Real* a_V = s[str("position.layer", layer, ".shaw.values")];
                 return s.each(l.d, [&](int b, int h, int i, int c) {
                   double sum = mix.data()[s.at(b, h, i, c, l.d)];
                   for (int j = 0; j < l.T; ++j)
                     sum += double{weights.data()[s.at(b, h, i, j, l.T)]} *
                            double{a_V[shaw_row(l, b, i, j) + c]};
                   return sum;
                 });
               });
}

// --- 8.7 ---

namespace locus {
// Taken when four_terms.cpp has no such function.
__attribute__((weak)) Terms four_terms(const Vector&, const Vector&, double, double, const Vector&,
                                       const Vector&, const Rows&) {
  fail("exercise 8.7", "still to be written");
}
}  // namespace locus

namespace {

struct XL {
  std::size_t d, D;
  double p, q;
  Vector vector(std::uint64_t seed) const { return random_numbers<Vector>(d, seed + d); }
  Vector query = vector(100), key = vector(200), u = vector(300), v = vector(400);
  Rows W() const {
    Rows all;
    for (std::size_t row = 0; row < d; ++row) all.push_back(random_numbers<Vector>(D, 500 + 20 * d + row));
    return all;
  }
};

double wave(double distance, std::size_t channel, std::size_t D) {
  const double speed =
      std::exp(-std::log(10000.0) * static_cast<double>(channel / 2 * 2) / static_cast<double>(D));
  return channel % 2 == 0 ? std::sin(distance * speed) : std::cos(distance * speed);
}

Terms right_terms(const XL& x) {
  const Rows W = x.W();
  Terms sum{};
  for (std::size_t c = 0; c < x.d; ++c) {
    double distance = 0;
    for (std::size_t e = 0; e < x.D; ++e) distance += W[c][e] * wave(x.p - x.q, e, x.D);
    sum.content_content += x.query[c] * x.key[c];
    sum.content_position += x.query[c] * distance;
    sum.position_content += x.u[c] * x.key[c];
    sum.position_position += x.v[c] * distance;
  }
  return sum;
}

}  // namespace

// same, 2 of `for (const Vector& row : W) WR.push_back(dot(row, R));`: a product, a sum, a dot product or the larger of two is the same in either order; the two lines can stand in either order: neither reads what the other writes
// same, 1 of `return {.content_content = dot(query, key) / root,`: a product, a sum, a dot product or the larger of two is the same in either order
// same, 1 of `.content_position = dot(query, WR) / root,`: a product, a sum, a dot product or the larger of two is the same in either order
// same, 1 of `.position_content = dot(u, key) / root,`: a product, a sum, a dot product or the larger of two is the same in either order
// same, 1 of `.position_position = dot(v, WR) / root};`: a product, a sum, a dot product or the larger of two is the same in either order
// same, 2 of `R[c] = std::sin(angle);`: the two lines can stand in either order: neither reads what the other writes; what is added to begins at 0
// same, 2 of `const Vector R = sinusoid_of(p - q, W[0].size());`: the two lines can stand in either order: neither reads what the other writes; all these vectors, and the rows of W, are equally long
// same, 2 of `R[c + 1] = std::cos(angle);`: what is added to begins at 0; a distance has no sign, the cosine is even, and a truth value stays what it is
// same, 2 of `for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];`: a product, a sum, a dot product or the larger of two is the same in either order; all these vectors, and the rows of W, are equally long
// same, 5 of `const double root = std::sqrt(static_cast<double>(query.size()));`: all these vectors, and the rows of W, are equally long
TEST_CASE("8.7 transformer-xl: one score in four terms, from blank") {
  const XL cases[] = {{3, 4, 7, 2}, {5, 8, 3, 6.5}, {2, 6, 1000, 1000}};
  constexpr double Terms::*terms[] = {&Terms::content_content, &Terms::content_position,
                                      &Terms::position_content, &Terms::position_position};
  const std::string names[] = {"content_content", "content_position", "position_content",
                               "position_position"};
  std::vector<std::string> inputs;
  std::vector<Group> groups;
  for (const std::string& name : names) groups.push_back({"in " + name, {}});
  for (const XL& x : cases)
    for (std::size_t t = 0; t < 4; ++t) {
      groups[t].inputs.push_back(inputs.size());
      inputs.push_back(str(names[t], ", d = ", x.d, ", D = ", x.D, ", p = ", x.p, ", q = ", x.q));
    }
  compare(
      inputs, {"value"},
      [&](std::size_t i) {
        const XL& x = cases[i / 4];
        return list({four_terms(x.query, x.key, x.p, x.q, x.u, x.v, x.W()).*terms[i % 4]});
      },
      [&](std::size_t i) {
        return list(
            {right_terms(cases[i / 4]).*terms[i % 4] / std::sqrt(static_cast<double>(cases[i / 4].d))});
      },
      1e-9, groups);
}

// --- 8.8 ---

namespace {

constexpr std::size_t channels = 8;

// The content of a token, which stays the same wherever it stands.
double content(std::size_t token, std::size_t channel, double role) {
  return std::sin(1 + role + 2.3 * static_cast<double>(token) + 1.7 * static_cast<double>(channel));
}

struct Pair {
  std::size_t i, j, length;
  double p, q, first, last;  // positions of query and key, of the first token and the last
  double plain() const {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += content(i, c, 0) * content(j, c, 1);
    return sum;
  }
};
using Score = std::function<double(const Pair& pair)>;

Scores each_pair(const Score& score) {
  return [score](const Vector& positions) {
    Rows rows(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (std::size_t j = 0; j < positions.size(); ++j)
        rows[i].push_back(
            score({i, j, positions.size(), positions[i], positions[j], positions.front(), positions.back()}));
    return rows;
  };
}

// The content's score, and something that is made of positions.
Scores plus(const Score& bias) {
  return each_pair([bias](const Pair& pair) { return pair.plain() + bias(pair); });
}

double speed(std::size_t channel) { return std::pow(100, -static_cast<double>(channel / 2) / 4); }
// Codes of positions, added to the content of query and key.
Scores added(const std::function<double(double position, std::size_t channel)>& code) {
  return each_pair([code](const Pair& pair) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c)
      sum += (content(pair.i, c, 0) + code(pair.p, c)) * (content(pair.j, c, 1) + code(pair.q, c));
    return sum;
  });
}

// Rotary scores with angles made of the positions.
Scores turned(const std::function<double(double position, double speed)>& of_query,
              const std::function<double(double position, double speed)>& of_key) {
  return each_pair([=](const Pair& pair) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; c += 2) {
      const double a = content(pair.i, c, 0), b = content(pair.i, c + 1, 0), x = content(pair.j, c, 1),
                   y = content(pair.j, c + 1, 1);
      const double angle = of_query(pair.p, speed(c)) - of_key(pair.q, speed(c));
      sum += (a * x + b * y) * std::cos(angle) + (a * y - b * x) * std::sin(angle);
    }
    return sum;
  });
}

// A bias by the difference of what f makes of the two positions.
Scores by_difference(double (*f)(double position)) {
  return plus([f](const Pair& pair) { return 0.1 * (f(pair.p) - f(pair.q)); });
}

// The framework's scheme with the learner's lines.
Scores learners(const std::string& spec) {
  return [spec](const Vector& positions) {
    const int T = static_cast<int>(positions.size());
    const Subject subject({spec, 1, 1, T, static_cast<int>(channels), positions});
    const Array scores = subject.run(Subject::Hook::scores, 0);
    Rows rows(positions.size());
    for (std::size_t n = 0; n < scores.values.size(); ++n)
      rows[n / positions.size()].push_back(scores.values[n]);
    return rows;
  };
}

// These scores, of positions that contract.h allows.
Scores where_allowed(const Scores& scores) {
  return [scores](const Vector& positions) {
    if (positions.empty() || positions.size() > 64)
      fail("exercise 8.8",
           str("scores() reads 1 to 64 tokens, as contract.h says, and is asked for ", positions.size()));
    for (std::size_t t = 0; t < positions.size(); ++t)
      if (const double p = positions[t];
          p < 0 || p > 5000 || p != std::floor(p) || (t > 0 && p <= positions[t - 1]))
        fail("exercise 8.8",
             str("scores() has no tokens at ", p, t > 0 ? str(" after ", positions[t - 1]) : "",
                 ": contract.h says which positions there are"));
    return scores(positions);
  };
}

}  // namespace

TEST_CASE("8.8 your test: no score changes when a number is added to all positions") {
  const auto right = [](const std::string& what, const Scores& scores) {
    return Candidate{what, true, [=] { return shift_invariant(where_allowed(scores)); }};
  };
  const auto broken = [](const std::string& what, const Scores& scores) {
    return Candidate{what, false, [=] { return shift_invariant(where_allowed(scores)); }};
  };
  const auto turn = [](double position, double speed) { return position * speed; };
  const auto distance = [](const Pair& pair) { return -0.1 * std::abs(pair.p - pair.q); };
  const auto random_code = [](double position, std::size_t c) {
    return std::sin(12.9898 * (position + 1) * (static_cast<double>(c) + 1));
  };
  judge({right("no positions at all", plus([](const Pair&) { return 0; })),
         right("T5, with your lines of steps 8.1 to 8.3", learners("t5:buckets=8,max_distance=20")),
         right("Shaw's keys, with your lines of steps 8.4 and 8.5", learners("shaw:clip=3")),
         right("DeBERTa", learners("deberta:buckets=8,max_distance=33")),
         right("RoPE", turned(turn, turn)),
         right("a bias that falls with the distance, as ALiBi's", plus(distance)),
         right("a bias by the sign of p - q only", plus([](const Pair& pair) {
                 return pair.p > pair.q ? 1 : pair.p < pair.q ? -1 : 0;
               })),
         right("the distance as a share of the largest distance in the input", plus([](const Pair& pair) {
                 return (pair.p - pair.q) / std::max(1.0, pair.last - pair.first);
               })),
         right("the first token of the input is marked, wherever it stands",
               plus([&](const Pair& pair) { return distance(pair) + (pair.j == 0 ? 1 : 0); })),
         broken("a learned table, added to the tokens", added(random_code)),
         broken("sinusoids, added to the tokens",
                added([](double position, std::size_t c) { return wave(position, c, channels); })),
         broken("the index, added to the tokens",
                added([](double position, std::size_t) { return 0.01 * position; })),
         broken("a code that is added to keys only",
                plus([&](const Pair& pair) { return random_code(pair.q, 0); })),
         broken("a code that is added to queries only",
                plus([&](const Pair& pair) { return random_code(pair.p, 0); })),
         broken("the position as a share of the last one",
                plus([](const Pair& pair) { return (pair.p - pair.q) / std::max(1.0, pair.last); })),
         broken("position 0 is marked",
                plus([&](const Pair& pair) { return distance(pair) + (pair.q == 0 ? 1 : 0); })),
         broken("position 1000 and all after are marked",
                plus([&](const Pair& pair) { return distance(pair) + (pair.q >= 1000 ? 1 : 0); })),
         broken("even and odd positions differ",
                plus([&](const Pair& pair) { return distance(pair) + 0.1 * std::fmod(pair.q, 2); })),
         broken("positions stop at 64, before they are subtracted",
                by_difference([](double p) { return std::min(p, 64.0); })),
         broken("positions stop at 1024, before they are subtracted",
                by_difference([](double p) { return std::min(p, 1024.0); })),
         broken("positions begin again after 512", by_difference([](double p) { return std::fmod(p, 512); })),
         broken("positions come in blocks of 4: p / 4 - q / 4 in whole numbers",
                by_difference([](double p) { return std::floor(p / 4); })),
         broken("positions come in blocks of 50, before they are subtracted",
                by_difference([](double p) { return std::floor(p / 50); })),
         broken("the bucket of the position, not of the distance",
                by_difference([](double p) { return 1.0 * t5_bucket(static_cast<int>(-p), 16, 128, true); })),
         broken("logarithms of positions are subtracted",
                by_difference([](double p) { return std::log(p + 1); })),
         broken("from position 32 on four positions count as one",
                by_difference([](double p) { return p < 32 ? p : 32 + (p - 32) / 4; })),
         broken("the distance over the query's position, as in FIRE",
                plus([](const Pair& pair) { return (pair.p - pair.q) / (pair.p + 1); })),
         broken("a bias that falls with the distance, and is weaker far from the beginning",
                plus([&](const Pair& pair) { return distance(pair) * (1 - pair.q / 10000); })),
         broken("RoPE that turns the keys only", turned([](double, double) { return 0; }, turn)),
         broken("RoPE that turns keys the other way",
                turned(turn, [](double position, double speed) { return -position * speed; })),
         broken("RoPE by the root of the position",
                turned([](double position, double speed) { return std::sqrt(position) * speed; },
                       [](double position, double speed) { return std::sqrt(position) * speed; })),
         broken("absolute positions for keys more than 16 positions away",
                plus([](const Pair& pair) { return std::abs(pair.p - pair.q) > 16 ? 0.001 * pair.q : 0; })),
         broken("absolute positions for a token's score with itself",
                plus([](const Pair& pair) { return pair.i == pair.j ? 0.001 * pair.q : 0; })),
         broken("absolute positions where neighbours are more than 3 apart", plus([](const Pair& pair) {
                  const double rows = std::abs(static_cast<double>(pair.i) - static_cast<double>(pair.j));
                  return std::abs(pair.p - pair.q) > 3 * rows ? 0.001 * pair.q : 0;
                })),
         broken("absolute positions for neighbours",
                plus([](const Pair& pair) { return std::abs(pair.p - pair.q) == 1 ? 0.001 * pair.q : 0; })),
         broken("absolute positions in the last row", plus([](const Pair& pair) {
                  return pair.length > 1 && pair.i + 1 == pair.length ? 0.001 * pair.q : 0;
                })),
         broken("absolute positions for keys before the query",
                plus([](const Pair& pair) { return pair.q < pair.p ? 0.001 * pair.q : 0; })),
         broken("absolute positions for keys after the query",
                plus([](const Pair& pair) { return pair.q > pair.p ? 0.001 * pair.q : 0; })),
         broken("scores that are not numbers", plus([](const Pair&) { return std::nan(""); }))});
}
