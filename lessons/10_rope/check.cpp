// Chapter 10. Random queries and keys are turned by the learner's files, and by complex numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "lessons/10_rope/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

using Complex = std::complex<double>;
using Turn = std::function<Complex(int row, int pair)>;

constexpr int T = 6, d = 8, pairs = d / 2;
constexpr double scale_base = 4;  // of xpos
const Shape shape{1, 1, T, d};
const std::vector<std::string> axes = {"example", "head", "row", "channel"};
const std::vector<double> places = {0, 1, 2, 5, 9, 40};

std::vector<double> some_rows(std::uint64_t seed) { return random_numbers(T * d, seed); }

std::size_t first_of(int row, int pair, bool interleaved) {
  return static_cast<std::size_t>(row * d + (interleaved ? 2 * pair : pair));
}
std::size_t second_of(int row, int pair, bool interleaved) {
  return first_of(row, pair, interleaved) + (interleaved ? 1 : pairs);
}

// Each pair (a, b) of each row, as a + ib, is multiplied by turn(row, pair).
Array turned(const std::vector<double>& x, const Turn& turn, bool interleaved = true) {
  Array out{shape, x};
  for (int row = 0; row < T; ++row)
    for (int pair = 0; pair < pairs; ++pair) {
      const std::size_t a = first_of(row, pair, interleaved), b = second_of(row, pair, interleaved);
      const Complex product = Complex(x[a], x[b]) * turn(row, pair);
      out.values[a] = product.real();
      out.values[b] = product.imag();
    }
  return out;
}

// Any angles, for the steps about one turn.
Complex some_turn(int row, int pair) { return std::polar(1.0, 0.4 + 0.7 * row + 1.1 * pair); }

struct Table {
  Reals cos, sin;
  Tensor turn(Tensor x, bool interleaved) const {
    Tape& tape = x.tape();
    return rotate(x, tape.constant({T, pairs}, cos.data()), tape.constant({T, pairs}, sin.data()),
                  interleaved ? PairLayout::interleaved : PairLayout::half);
  }
};
Table some_turns() {
  Table table;
  for (int row = 0; row < T; ++row)
    for (int pair = 0; pair < pairs; ++pair) {
      table.cos.push_back(static_cast<Real>(some_turn(row, pair).real()));
      table.sin.push_back(static_cast<Real>(some_turn(row, pair).imag()));
    }
  return table;
}

// What a scheme makes of the same rows as queries and as keys.
struct Both {
  Array q, k;
};
Both through(const std::string& spec, const std::vector<double>& x, const std::vector<double>& positions) {
  ParameterTable table;
  const auto scheme = make_scheme(spec, {.d_model = d, .heads = 1, .causal = true}, table);
  Tape tape;
  poison(tape);
  const Reals values = reals(x);
  Tensor q = tape.constant(shape, values.data()), k = q;
  scheme->query_and_key(q, k, {q, q, k, {1, T, positions.data()}, 0});
  return {copy(q), copy(k)};
}

double speed(int pair, double base) { return std::pow(base, -2.0 * pair / d); }
double place(int row) { return places[static_cast<std::size_t>(row)]; }

double dot(const Array& q, int query, const Array& k, int key) {
  double sum = 0;
  for (int c = 0; c < d; ++c)
    sum +=
        q.values[static_cast<std::size_t>(query * d + c)] * k.values[static_cast<std::size_t>(key * d + c)];
  return sum;
}

}  // namespace

TEST_CASE("10.1 the speed of each pair") {
  struct Head {
    int d;
    double base;
  };
  compare_cases<Head>(
      {{8, 7}, {12, 10000}},
      [](auto& head) { return text("speeds, head width ", head.d, ", base ", head.base); }, {"pair"},
      [](auto& head) {
        ParameterTable table;
        const auto scheme = make_scheme(text("rope:base=", head.base),
                                        {.d_model = head.d, .heads = 1, .causal = false}, table);
        return list(scheme->frequencies(1).inverse_frequency);
      },
      [](auto& head) {
        std::vector<double> speeds;
        for (int pair = 0; pair < head.d / 2; ++pair)
          speeds.push_back(std::pow(head.base, -2.0 * pair / head.d));
        return list(speeds);
      },
      1e-9);
}

TEST_CASE("10.2 a pair turned: complex multiplication, in reals") {
  const std::vector<double> x = some_rows(1);
  const Table table = some_turns();
  compare(
      {"turned, interleaved layout", "turned, half layout"}, axes,
      [&](std::size_t input) {
        Tape tape;
        poison(tape);
        const Reals values = reals(x);
        return copy(table.turn(tape.constant(shape, values.data()), input == 0));
      },
      [&](std::size_t input) { return turned(x, some_turn, input == 0); });
}

TEST_CASE("10.3 backward turns back") {
  const std::vector<double> cotangent = some_rows(2), inputs = some_rows(1);
  const Table table = some_turns();
  const Reals values = reals(inputs), given = reals(cotangent);
  constexpr double there_before = 0.375;  // in the gradient of the parameter: backward adds to it

  // The gradients of three losses: of a parameter that is turned once, of one that is turned twice, whose
  // gradient then is the sum of two, and of one with a tensor between.
  const std::vector<std::string> losses = {"gradient of a parameter that held 0.375 before",
                                           "gradient of a parameter that is turned twice, and held 0.375",
                                           "gradient through a tensor that is turned twice"};
  const auto yours = [&](std::size_t loss) {
    Reals gradients(values.size(), static_cast<Real>(there_before));
    Tape tape(values.data(), gradients.data());
    poison(tape);
    const Tensor x = tape.parameter({shape, 0});
    const Tensor from = loss == 2 ? x * 1 : x;
    const Tensor y = loss == 0 ? table.turn(from, true) : table.turn(from, true) + table.turn(from, true);
    tape.backward(y, given.data());
    return Array{shape, {gradients.begin(), gradients.end()}};
  };
  compare(losses, axes, yours, [&](std::size_t loss) {
    Array out = turned(cotangent, [](int row, int pair) { return std::conj(some_turn(row, pair)); });
    for (double& value : out.values) value = value * (loss == 0 ? 1 : 2) + there_before;
    return out;
  });
}

TEST_CASE("10.4 a complex number for each position and pair") {
  const std::vector<double> x = some_rows(3);
  constexpr double base = 7;
  const double heat = 0.1 * std::log(4) + 1;
  const std::vector<std::string> inputs = {"queries", "keys", "queries of rope:temperature=on,factor=4",
                                           "keys of rope:temperature=on,factor=4"};
  const auto yours = [&](std::size_t input) {
    const Both both = through(input < 2 ? "rope:base=7" : "rope:base=7,temperature=on,factor=4", x, places);
    return input % 2 == 0 ? both.q : both.k;
  };
  compare(inputs, axes, yours, [&](std::size_t input) {
    return turned(x, [&](int row, int pair) {
      return std::polar(input < 2 ? 1 : heat, place(row) * speed(pair, base));
    });
  });
}

TEST_CASE("10.5 lengths stay, scores depend on the distance alone, the layouts are one model") {
  const std::vector<double> x = some_rows(4);
  const Array before{shape, x};
  const Both near = through("rope:base=100", x, {0, 1, 2, 3, 4, 5});
  for (int row = 0; row < T; ++row) {
    const double was = dot(before, row, before, row), is = dot(near.q, row, near.q, row);
    if (!(std::abs(is - was) < 1e-4 * was))
      throw Error(text("row ", row, " has length ", std::sqrt(is), " after the turn, and had ",
                       std::sqrt(was), ": a turn keeps lengths."));
  }
  for (const double shift : {1.0, 7.0, 1000.0}) {
    std::vector<double> moved;
    for (int t = 0; t < T; ++t) moved.push_back(t + shift);
    const Both far = through("rope:base=100", x, moved);
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j)
        if (!(std::abs(dot(far.q, i, far.k, j) - dot(near.q, i, near.k, j)) < 1e-3))
          throw Error(text("the score of positions ", i, " and ", j, " is ", dot(near.q, i, near.k, j),
                           "; at ", i + shift, " and ", j + shift, ", as far apart, it is ",
                           dot(far.q, i, far.k, j), "."));
  }
  // The channels of the interleaved layout, put in the order of the other.
  const auto regrouped = [](const std::vector<double>& from) {
    std::vector<double> to(from.size());
    for (int row = 0; row < T; ++row)
      for (int pair = 0; pair < pairs; ++pair) {
        to[first_of(row, pair, false)] = from[first_of(row, pair, true)];
        to[second_of(row, pair, false)] = from[second_of(row, pair, true)];
      }
    return to;
  };
  const Both half = through("rope:base=100,layout=half", regrouped(x), {0, 1, 2, 3, 4, 5});
  compare(
      {"the half layout, on channels put in its order"}, axes, [&](std::size_t) { return half.q; },
      [&](std::size_t) {
        return Array{shape, regrouped(near.q.values)};
      });
}

TEST_CASE("10.6 xpos: the turn, and a fading with distance") {
  const std::vector<double> x = some_rows(5), positions = {0, 1, 2, 3, 4, 5};
  constexpr double base = 7;
  const auto zeta = [](int pair) { return (2 * pair + 0.4 * d) / (1.4 * d); };
  const auto yours = [&](std::size_t input) {
    const Both both = through(text("xpos:base=7,scale_base=", scale_base), x, positions);
    return input == 0 ? both.q : both.k;
  };
  compare({"queries", "keys"}, axes, yours, [&](std::size_t input) {
    return turned(x, [&, input](int row, int pair) {
      const double from_middle = row - T / 2, sign = input == 0 ? 1 : -1;
      return std::polar(std::pow(zeta(pair), sign * from_middle / scale_base), row * speed(pair, base));
    });
  });
}

// --- 10.7 and 10.8 ---

namespace locus {
// Taken when turned_score.cpp has no such function.
__attribute__((weak)) double turned_score(const Vector&, const Vector&, double, double) {
  fail("exercise 10.7", "still to be written");
}
}  // namespace locus

namespace {

// The real part of z_q conj(z_k) times a number for each pair: with std::polar(1, (m - n) theta), the score of rope.
double complex_score(const Vector& q, const Vector& k, const std::function<Complex(int pair)>& turn,
                     bool half = false) {
  const std::size_t n = q.size() / 2;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t a = half ? i : 2 * i, b = half ? i + n : 2 * i + 1;
    sum += (Complex(q[a], q[b]) * std::conj(Complex(k[a], k[b])) * turn(static_cast<int>(i))).real();
  }
  return sum;
}

}  // namespace

TEST_CASE("10.7 the score by distance, with one turn, from blank") {
  struct Case {
    int width;
    double distance, base;
    Vector query = random_numbers(static_cast<std::size_t>(width), 1);
    Vector key = random_numbers(static_cast<std::size_t>(width), 2);
  };
  compare_cases<Case>(
      {{4, 0, 7}, {4, 2, 7}, {8, -3, 10000}, {6, 2.5, 100}},
      [](auto& c) { return text("distance ", c.distance, ", width ", c.width, ", base ", c.base); },
      {"score"}, [](auto& c) { return list({turned_score(c.query, c.key, c.distance, c.base)}); },
      [](auto& c) {
        return list({complex_score(c.query, c.key, [&](int pair) {
          return std::polar(1.0, c.distance * std::pow(c.base, -2.0 * pair / c.width));
        })});
      },
      1e-9);
}

TEST_CASE("10.8 your test: the score depends on the distance only") {
  // q turned at m and k at n, by angles of positions of their own.
  using Angle = std::function<double(double position, double theta)>;
  const auto turned_by = [](const Angle& of_query, const Angle& of_key, bool half = false) {
    return [=](const Vector& q, const Vector& k, double m, double n) {
      return complex_score(
          q, k,
          [&](int pair) {
            const double theta = speed(pair, 100);
            return std::polar(1.0, of_query(m, theta) - of_key(n, theta));
          },
          half);
    };
  };
  const Angle right = std::multiplies<>(), none = [](double, double) { return 0; };
  const auto of = [](double (*place)(double)) {
    return [=](double position, double theta) { return place(position) * theta; };
  };
  const auto both = [&](const Angle& angle) { return turned_by(angle, angle); };
  const auto plain = [](const Vector& q, const Vector& k) {
    return complex_score(q, k, [](int) { return Complex(1); });
  };
  // rope, times or plus something.
  const auto rope = turned_by(right, right);
  const auto plus = [&](const std::function<double(double m, double n)>& bias) {
    return [=](const Vector& q, const Vector& k, double m, double n) { return plain(q, k) + bias(m, n); };
  };
  judge<Score>(
      by_distance_only,
      {{"rope", rope},
       {"rope, half layout", turned_by(right, right, true)},
       {"rope that turns backwards", both([](double p, double theta) { return -p * theta; })},
       {"no positions at all", plus([](double, double) { return 0; })},
       {"a bias that falls with p - q", plus([](double m, double n) { return -0.1 * (m - n); })},
       {"a bias that falls with the distance both ways, as in ALiBi",
        plus([](double m, double n) { return -0.1 * std::abs(m - n); })}},
      {{"only queries are turned", turned_by(right, none)},
       {"only keys are turned", turned_by(none, right)},
       {"keys are turned the other way", turned_by(right, [](double p, double theta) { return -p * theta; })},
       {"keys are turned twice as far",
        turned_by(right, [](double p, double theta) { return 2 * p * theta; })},
       {"angles grow with the square of the position", both(of([](double p) { return p * p; }))},
       {"angles grow with the root of the position", both(of([](double p) { return std::sqrt(p); }))},
       {"positions are rounded to whole numbers", both(of([](double p) { return std::floor(p); }))},
       {"positions stop at 64, the longest that was trained",
        both(of([](double p) { return std::min(p, 64.0); }))},
       {"positions stop at 1024", both(of([](double p) { return std::min(p, 1024.0); }))},
       {"positions come round after 512", both(of([](double p) { return std::fmod(p, 512.0); }))},
       {"positions are slowed down from 32 on",
        both(of([](double p) { return p < 32 ? p : 32 + (p - 32) / 4; }))},
       {"sinusoids added to query and key",
        [](const Vector& q, const Vector& k, double m, double n) {
          double sum = 0;
          for (std::size_t c = 0; c < q.size(); ++c) {
            const double theta = speed(static_cast<int>(c / 2), 100);
            const auto wave = [&](double p) {
              return c % 2 == 0 ? std::sin(p * theta) : std::cos(p * theta);
            };
            sum += (q[c] + wave(m)) * (k[c] + wave(n));
          }
          return sum;
        }},
       {"a bias by the position of the key", plus([](double, double n) { return 0.01 * n; })},
       {"a bias by the position of the query", plus([](double m, double) { return 0.01 * m; })},
       {"scores fade with the position, not the distance",
        [=](const Vector& q, const Vector& k, double m, double n) {
          return rope(q, k, m, n) * std::pow(0.99, m + n);
        }},
       {"a first key that every query prefers", plus([](double, double n) { return n == 0 ? 1.0 : 0.0; })}});
}
