// Chapter 10. Random queries and keys are turned by the learner's files, and by complex numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.h"
#include "lessons/tools/compare.h"
#include "positional/support/registry.h"

using namespace locus;

namespace {

using Complex = std::complex<double>;
using Turn = std::function<Complex(int row, int pair)>;

constexpr int T = 6, d = 8, pairs = d / 2;
constexpr double scale_base = 4;  // of xpos
const Shape shape{1, 1, T, d};
const std::vector<std::string> axes = {"example", "head", "row", "channel"};
const std::vector<double> places = {0, 1, 2, 5, 9, 40};

std::vector<double> random_rows(std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  std::vector<double> rows(T * d);
  for (double& value : rows) value = random.normal();
  return rows;
}
Reals reals(const std::vector<double>& x) { return {x.begin(), x.end()}; }

std::size_t first_of(int row, int pair, bool interleaved) {
  return static_cast<std::size_t>(row * d + (interleaved ? 2 * pair : pair));
}
std::size_t second_of(int row, int pair, bool interleaved) {
  return first_of(row, pair, interleaved) + (interleaved ? 1 : pairs);
}

// Each pair (a, b) of each row becomes change(row, pair, a + ib).
using Change = std::function<Complex(int row, int pair, Complex)>;
Array changed(const std::vector<double>& x, const Change& change, bool interleaved = true) {
  Array out{shape, x};
  for (int row = 0; row < T; ++row)
    for (int pair = 0; pair < pairs; ++pair) {
      const std::size_t a = first_of(row, pair, interleaved), b = second_of(row, pair, interleaved);
      const Complex turned = change(row, pair, {x[a], x[b]});
      out.values[a] = turned.real();
      out.values[b] = turned.imag();
    }
  return out;
}
Array turned(const std::vector<double>& x, const Turn& turn, bool interleaved = true) {
  return changed(
      x, [&](int row, int pair, Complex z) { return z * turn(row, pair); }, interleaved);
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
  const Reals values = reals(x);
  Tensor q = tape.constant(shape, values.data()), k = q;
  scheme->query_and_key(q, k, {1, T, positions.data()});
  return {copy(q), copy(k)};
}

double speed(int pair, double base = 100) { return std::pow(base, -2.0 * pair / d); }
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
  for (const double base : {100.0, 10000.0}) {
    ParameterTable table;
    const auto scheme =
        make_scheme(text("rope:base=", base), {.d_model = d, .heads = 1, .causal = false}, table);
    const std::vector<double> yours = scheme->frequencies(1).inverse_frequency;
    const auto speeds = [&](double exponent) {
      std::vector<double> all;
      for (int pair = 0; pair < pairs; ++pair) all.push_back(std::pow(base, exponent * pair));
      return all;
    };
    compare(text("speeds, base ", base), {"pair"}, {{static_cast<int>(yours.size())}, yours},
            {{pairs}, speeds(-2.0 / d)},
            {{"the exponent is -k/d: pair k begins at channel 2k, so that is what counts", speeds(-1.0 / d)},
             {"the exponent counts the pair's number twice, -4k/d", speeds(-4.0 / d)},
             {"the exponent has lost its minus: the pairs would turn faster and faster", speeds(2.0 / d)},
             {"the exponent is divided in whole numbers, which leaves 0: all pairs turn alike", speeds(0)},
             {"base and exponent change places or the angle stands for a wavelength: 2 pi is not in the "
              "formula",
              speeds(-2.0 / d * 2 * std::numbers::pi)}},
            1e-9);
  }
}

TEST_CASE("10.2 a pair turned: complex multiplication, in reals") {
  const std::vector<double> x = random_rows(1);
  const Table table = some_turns();
  for (const bool interleaved : {true, false}) {
    Tape tape;
    const Reals values = reals(x);
    const Array yours = copy(table.turn(tape.constant(shape, values.data()), interleaved));
    const auto parts = [&](const std::function<Complex(double a, double b, double cos, double sin)>& change) {
      return changed(
                 x,
                 [&](int row, int pair, Complex z) {
                   const Complex turn = some_turn(row, pair);
                   return change(z.real(), z.imag(), turn.real(), turn.imag());
                 },
                 interleaved)
          .values;
    };
    compare(text("turned, ", interleaved ? "interleaved" : "half", " layout"), axes, yours,
            turned(x, some_turn, interleaved),
            {{"the turn goes the other way: the minus belongs to the first of the pair",
              parts([](double a, double b, double c, double s) {
                return Complex(a * c + b * s, b * c - a * s);
              })},
             {"sine and cosine change places", parts([](double a, double b, double c, double s) {
                return Complex(a * s - b * c, a * c + b * s);
              })},
             {"both signs are plus: i times i is -1", parts([](double a, double b, double c, double s) {
                return Complex(a * c + b * s, a * s + b * c);
              })},
             {"both signs are minus", parts([](double a, double b, double c, double s) {
                return Complex(a * c - b * s, b * c - a * s);
              })},
             {"the second is made from the new first; it needs the old one",
              parts([](double a, double b, double c, double s) {
                return Complex(a * c - b * s, (a * c - b * s) * s + b * c);
              })},
             {"each is multiplied by itself alone: cosine times a, sine times b",
              parts([](double a, double b, double c, double s) { return Complex(a * c, b * s); })},
             {"nothing is turned", x}});
  }
}

TEST_CASE("10.3 backward turns back") {
  const std::vector<double> cotangent = random_rows(2);
  const Table table = some_turns();
  const Reals values = reals(random_rows(1)), given = reals(cotangent);
  const auto back = [&](int, int, Complex z, Complex turn) { return z * std::conj(turn); };
  const Array right = changed(
      cotangent, [&](int row, int pair, Complex z) { return back(row, pair, z, some_turn(row, pair)); });
  const auto mistakes = [&](double times) {
    const auto scaled = [&](std::vector<double> all) {
      for (double& value : all) value *= times;
      return all;
    };
    return std::vector<Mistake>{{"the gradient is turned on, by the same angle, instead of back",
                                 scaled(turned(cotangent, some_turn).values)},
                                {"the gradient passes unturned", scaled(cotangent)},
                                {"no gradient arrives", std::vector<double>(cotangent.size())}};
  };

  // Twice from one tensor, whose gradient then is the sum of two; and once from a parameter.
  for (const bool twice : {true, false}) {
    Reals gradients(values.size());
    Tape tape(values.data(), gradients.data());
    const Tensor x = tape.parameter({shape, 0});
    const Tensor between = x * 1;
    const Tensor y = twice ? table.turn(between, true) + table.turn(between, true) : table.turn(x, true);
    tape.backward(y, given.data());
    Array expected = right;
    for (double& value : expected.values) value *= twice ? 2 : 1;
    compare(twice ? "gradient of a tensor that is turned twice" : "gradient", axes,
            {shape, {gradients.begin(), gradients.end()}}, expected, mistakes(twice ? 2 : 1));
  }
}

TEST_CASE("10.4 a complex number for each position and pair") {
  const std::vector<double> x = random_rows(3);
  const auto by_angle = [&](const std::function<double(int row, int pair)>& angle) {
    return turned(x, [&](int row, int pair) { return std::polar(1.0, angle(row, pair)); }).values;
  };
  const auto right = [](int row, int pair) { return place(row) * speed(pair); };
  const Both yours = through("rope:base=100", x, places);
  const std::vector<Mistake> mistakes = {
      {"the angle is the number of the row times theta; the token is at `position`",
       by_angle([](int row, int pair) { return row * speed(pair); })},
      {"the angle leaves out the position", by_angle([](int, int pair) { return speed(pair); })},
      {"the angle leaves out theta: all pairs turn alike", by_angle([](int row, int) { return place(row); })},
      {"the angle is the position divided by theta",
       by_angle([](int row, int pair) { return place(row) / speed(pair); })},
      {"the positions count from 1",
       by_angle([](int row, int pair) { return (place(row) + 1) * speed(pair); })},
      {"the turn goes backwards", by_angle([&](int row, int pair) { return -right(row, pair); })},
      {"the angle is in degrees",
       by_angle([&](int row, int pair) { return right(row, pair) * std::numbers::pi / 180; })},
      {"nothing is turned", x}};
  const Array expected{shape, by_angle(right)};
  compare("queries", axes, yours.q, expected, mistakes);
  compare("keys", axes, yours.k, expected, mistakes);

  const std::string heated = "rope:base=100,temperature=on,factor=4";
  const double length = 0.1 * std::log(4) + 1;
  Array longer = expected;
  for (double& value : longer.values) value *= length;
  compare(text("queries of ", heated), axes, through(heated, x, places).q, longer,
          {{"`scale` is left out: it is the length of the complex number", expected.values}});
}

TEST_CASE("10.5 lengths stay, scores depend on the distance alone, the layouts are one model") {
  const std::vector<double> x = random_rows(4);
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
          throw Error(text("the score of places ", i, " and ", j, " is ", dot(near.q, i, near.k, j), "; at ",
                           i + shift, " and ", j + shift, ", as far apart, it is ", dot(far.q, i, far.k, j),
                           "."));
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
  compare("the half layout, on channels put in its order", axes, half.q, {shape, regrouped(near.q.values)});
}

TEST_CASE("10.6 xpos: the turn, and a fading with distance") {
  const std::vector<double> x = random_rows(5), positions = {0, 1, 2, 3, 4, 5};
  const auto zeta = [](int pair) { return (2 * pair + 0.4 * d) / (1.4 * d); };
  const auto faded = [&](double sign, double distance = scale_base) {
    return turned(x,
                  [&](int row, int pair) {
                    const double fading = std::pow(zeta(pair), sign * (row - T / 2) / distance);
                    return std::polar(fading, row * speed(pair));
                  })
        .values;
  };
  const Both yours = through(text("xpos:base=100,scale_base=", scale_base), x, positions);
  const auto mistakes = [&](double sign, const char* reversed) {
    return std::vector<Mistake>{{reversed, faded(-sign)},
                                {"nothing fades: that is rope", faded(0)},
                                {"scale_base_ is left out, so that all fades at once", faded(sign, 1)},
                                {"it is turned backwards", turned(x, [&](int row, int pair) {
                                                             const double fading =
                                                                 std::pow(zeta(pair),
                                                                          sign * (row - T / 2) / scale_base);
                                                             return std::polar(fading, -row * speed(pair));
                                                           }).values}};
  };
  compare("queries", axes, yours.q, {shape, faded(1)},
          mistakes(1, "queries grow with the position; then scores would grow with distance"));
  compare("keys", axes, yours.k, {shape, faded(-1)},
          mistakes(-1, "keys fade as the queries do; then scores fade with the place, not the distance"));
}
