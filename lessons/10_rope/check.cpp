// Chapter 10. Random queries and keys are turned by the learner's files, and by complex numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
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
  poison(tape);
  const Reals values = reals(x);
  Tensor q = tape.constant(shape, values.data()), k = q;
  scheme->query_and_key(q, k, {1, T, positions.data()});
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
  static const std::vector<Head> heads = {{8, 7}, {12, 10000}};
  using Speed = std::function<double(double pair, double d, double base)>;
  const auto speeds = [](const Speed& of) {
    return [of](std::size_t i) {
      std::vector<double> all;
      for (int pair = 0; pair < heads[i].d / 2; ++pair) all.push_back(of(pair, heads[i].d, heads[i].base));
      return list(all);
    };
  };
  const auto powers = [&](const std::function<double(double pair, double width)>& exponent) {
    return speeds(
        [=](double pair, double width, double base) { return std::pow(base, exponent(pair, width)); });
  };
  constexpr double turn = 2 * std::numbers::pi;
  const auto right = [](double pair, double width, double base) { return std::pow(base, -2 * pair / width); };
  std::vector<std::string> inputs;
  for (const Head& head : heads) inputs.push_back(text("speeds, head width ", head.d, ", base ", head.base));
  compare(
      inputs, {"pair"},
      [](std::size_t i) {
        ParameterTable table;
        const auto scheme = make_scheme(text("rope:base=", heads[i].base),
                                        {.d_model = heads[i].d, .heads = 1, .causal = false}, table);
        return list(scheme->frequencies(1).inverse_frequency);
      },
      speeds(right),
      {{"the exponent is -k/d: pair k begins at channel 2k, so that is what counts",
        powers([](double k, double width) { return -k / width; })},
       {"the exponent counts the pair's number twice, -4k/d",
        powers([](double k, double width) { return -4 * k / width; })},
       {"the exponent has lost its minus: the pairs would turn faster and faster",
        powers([](double k, double width) { return 2 * k / width; })},
       {"the exponent is divided in whole numbers, which leaves 0: all pairs turn alike",
        powers([](double k, double width) { return std::trunc(-2 * k / width); })},
       {"the exponent is divided by d - 2, so that the last pair turns by exactly 1 / base; the paper "
        "divides by d",
        powers([](double k, double width) { return -2 * k / (width - 2); })},
       {"pairs are counted from 1: the first turns by less than 1 radian a position",
        powers([](double k, double width) { return -2 * (k + 1) / width; })},
       {"pairs are counted from -1: the first turns by more than 1 radian a position",
        powers([](double k, double width) { return -2 * (k - 1) / width; })},
       {"the exponent is not divided by d", powers([](double k, double) { return -2 * k; })},
       {"the exponent leaves out the pair, -2 / d: all pairs turn alike",
        powers([](double, double width) { return -2 / width; })},
       {"the pairs come in the opposite order, the slowest first",
        powers([](double k, double width) { return -2 * (width / 2 - 1 - k) / width; })},
       {"the base is 10000 whatever settings.base says",
        speeds([=](double k, double width, double) { return right(k, width, 10000); })},
       {"the base is e: std::exp(-2k/d) needs the factor ln(base)",
        speeds([](double k, double width, double) { return std::exp(-2 * k / width); })},
       {"base and exponent change places in std::pow(base, exponent)",
        speeds([](double k, double width, double base) { return std::pow(-2 * k / width, base); })},
       {"the speeds are multiplied by 2 pi: w_i is in radians already",
        speeds([=](double k, double width, double base) { return turn * right(k, width, base); })},
       {"the speeds are divided by 2 pi: those are turns, not radians, per position",
        speeds([=](double k, double width, double base) { return right(k, width, base) / turn; })},
       {"the numbers are wavelengths, 2 pi / w_i",
        speeds([=](double k, double width, double base) { return turn / right(k, width, base); })},
       {"the power is taken first and divided by d after: base^(-2k) / d",
        speeds([](double k, double width, double base) { return std::pow(base, -2 * k) / width; })},
       {"the speeds fall in equal steps, 1 - 2k/d, not by equal factors",
        speeds([](double k, double width, double) { return 1 - 2 * k / width; })},
       {"all speeds are 0: theta never gets a value", speeds([](double, double, double) { return 0; })}},
      1e-9);
}

TEST_CASE("10.2 a pair turned: complex multiplication, in reals") {
  const std::vector<double> x = random_rows(1);
  const Table table = some_turns();
  using Parts = std::function<Complex(double a, double b, double cos, double sin)>;
  const auto parts = [&](const Parts& change) {
    return [&x, change](std::size_t input) {
      return changed(
          x,
          [&](int row, int pair, Complex z) {
            const Complex turn = some_turn(row, pair);
            return change(z.real(), z.imag(), turn.real(), turn.imag());
          },
          input == 0);
    };
  };
  compare(
      {"turned, interleaved layout", "turned, half layout"}, axes,
      [&](std::size_t input) {
        Tape tape;
        poison(tape);
        const Reals values = reals(x);
        return copy(table.turn(tape.constant(shape, values.data()), input == 0));
      },
      [&](std::size_t input) { return turned(x, some_turn, input == 0); },
      {{"the turn goes the other way: the minus belongs to the first of the pair",
        parts([](double a, double b, double c, double s) { return Complex(a * c + b * s, b * c - a * s); })},
       {"sine and cosine change places: at angle 0 the pair should stay as it is",
        parts([](double a, double b, double c, double s) { return Complex(a * s - b * c, a * c + b * s); })},
       {"both signs are plus: i times i is -1",
        parts([](double a, double b, double c, double s) { return Complex(a * c + b * s, a * s + b * c); })},
       {"both signs are minus: only what has i times i gets a minus",
        parts([](double a, double b, double c, double s) { return Complex(a * c - b * s, b * c - a * s); })},
       {"first has its terms the wrong way round, b sin - a cos",
        parts([](double a, double b, double c, double s) { return Complex(b * s - a * c, a * s + b * c); })},
       {"the second is made from the new first; it needs the old one",
        parts([](double a, double b, double c, double s) {
          return Complex(a * c - b * s, (a * c - b * s) * s + b * c);
        })},
       {"first and second have changed places",
        parts([](double a, double b, double c, double s) { return Complex(a * s + b * c, a * c - b * s); })},
       {"a and b have changed places",
        parts([](double a, double b, double c, double s) { return Complex(b * c - a * s, b * s + a * c); })},
       {"sine and cosine of second are on the wrong ones: a cos + b sin",
        parts([](double a, double b, double c, double s) { return Complex(a * c - b * s, a * c + b * s); })},
       {"sine and cosine of first are on the wrong ones: a sin - b cos",
        parts([](double a, double b, double c, double s) { return Complex(a * s - b * c, a * s + b * c); })},
       {"each is multiplied by itself alone: cosine times a, sine times b",
        parts([](double a, double b, double c, double s) { return Complex(a * c, b * s); })},
       {"only the cosines are there: the pair gets shorter and does not turn",
        parts([](double a, double b, double c, double) { return Complex(a * c, b * c); })},
       {"only the sines are there",
        parts([](double a, double b, double, double s) { return Complex(-b * s, a * s); })},
       {"b is left out: the turn of (a, 0)",
        parts([](double a, double, double c, double s) { return Complex(a * c, a * s); })},
       {"a is left out: the turn of (0, b)",
        parts([](double, double b, double c, double s) { return Complex(-b * s, b * c); })},
       {"second is left as it was",
        parts([](double a, double b, double c, double s) { return Complex(a * c - b * s, b); })},
       {"first is left as it was",
        parts([](double a, double b, double c, double s) { return Complex(a, a * s + b * c); })},
       {"cosine and sine are added to a and b; they should multiply them",
        parts([](double a, double b, double c, double s) { return Complex(a + c, b + s); })},
       {"the pair itself comes back: nothing is turned",
        parts([](double a, double b, double, double) { return Complex(a, b); })},
       {"both are 0: first and second never get a value",
        parts([](double, double, double, double) { return Complex(0, 0); })}});
}

TEST_CASE("10.3 backward turns back") {
  const std::vector<double> cotangent = random_rows(2), inputs = random_rows(1);
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
  // What one backward adds to the gradient of x, pair by pair.
  using Share = std::function<Complex(int row, int pair, Complex z)>;
  const auto adds = [&](const Share& share) {
    return [&, share](std::size_t loss) {
      Array out = changed(cotangent, share);
      for (double& value : out.values) value = value * (loss == 0 ? 1 : 2) + there_before;
      return out;
    };
  };
  const auto x = [&](int row, int pair) {
    return Complex(inputs[first_of(row, pair, true)], inputs[second_of(row, pair, true)]);
  };
  const Share back = [](int row, int pair, Complex z) { return z * std::conj(some_turn(row, pair)); };
  compare(
      losses, axes, yours, adds(back),
      {{"the gradient is turned on, by the same angle, instead of back",
        adds([](int row, int pair, Complex z) { return z * some_turn(row, pair); })},
       {"the gradient passes unturned", adds([](int, int, Complex z) { return z; })},
       {"the gradient is turned back, and gets a minus: direction -1 turns back by itself",
        adds([&](int row, int pair, Complex z) { return -back(row, pair, z); })},
       {"the gradient is turned back twice as strongly: the direction is 1 or -1",
        adds([](int row, int pair, Complex z) {
          const Complex t = some_turn(row, pair);
          return Complex(z.real() * t.real() + 2 * z.imag() * t.imag(),
                         z.imag() * t.real() - 2 * z.real() * t.imag());
        })},
       {"the direction is 0: only the cosines are left",
        adds([](int row, int pair, Complex z) { return z * some_turn(row, pair).real(); })},
       {"it is added twice", adds([&](int row, int pair, Complex z) { return 2.0 * back(row, pair, z); })},
       {"half of it is added", adds([&](int row, int pair, Complex z) { return 0.5 * back(row, pair, z); })},
       {"the value of x is turned back, in place of the gradient of y",
        adds([&](int row, int pair, Complex) { return back(row, pair, x(row, pair)); })},
       {"the value of x is turned on, in place of the gradient of y",
        adds([&](int row, int pair, Complex) { return x(row, pair) * some_turn(row, pair); })},
       {"the value of y is turned back, in place of the gradient of y",
        adds([&](int row, int pair, Complex) { return x(row, pair); })},
       {"no gradient arrives at x", adds([](int, int, Complex) { return Complex(0); })},
       {"the gradient of x is overwritten: what was there before is lost. Add to it", [&](std::size_t loss) {
          Array once = changed(cotangent, back);
          for (double& value : once.values) value += loss == 2 ? there_before : 0;
          return once;
        }}});
}

TEST_CASE("10.4 a complex number for each position and pair") {
  const std::vector<double> x = random_rows(3);
  constexpr double base = 7, pi = std::numbers::pi;
  const double heat = 0.1 * std::log(4) + 1;
  const std::vector<std::string> inputs = {"queries", "keys", "queries of rope:temperature=on,factor=4",
                                           "keys of rope:temperature=on,factor=4"};
  const auto yours = [&](std::size_t input) {
    const Both both = through(input < 2 ? "rope:base=7" : "rope:base=7,temperature=on,factor=4", x, places);
    return input % 2 == 0 ? both.q : both.k;
  };
  using ByScale = std::function<Complex(double position, double theta, double scale)>;
  const auto by = [&](const ByScale& turn) {
    return [&, turn](std::size_t input) {
      return turned(
          x, [&](int row, int pair) { return turn(place(row), speed(pair, base), input < 2 ? 1 : heat); });
    };
  };
  const auto by_angle = [&](const std::function<double(double position, double theta)>& angle) {
    return by([=](double p, double theta, double scale) { return std::polar(scale, angle(p, theta)); });
  };
  const auto by_pair = [&](const std::function<double(int row, int pair)>& angle) {
    return [&, angle](std::size_t input) {
      return turned(x, [&](int row, int pair) { return std::polar(input < 2 ? 1 : heat, angle(row, pair)); });
    };
  };
  const Answer right = by_angle(std::multiplies<>());
  const auto only = [&](std::size_t turned_one) {
    return [&, turned_one](std::size_t input) {
      return input % 2 == turned_one ? right(input) : Array{shape, x};
    };
  };
  compare(
      inputs, axes, yours, right,
      {{"the angle is the number of the row times theta; the token is at `position`",
        by_pair([&](int row, int pair) { return row * speed(pair, base); })},
       {"the angle leaves out the position", by_angle([](double, double theta) { return theta; })},
       {"the angle leaves out theta: all pairs turn alike", by_angle([](double p, double) { return p; })},
       {"the angle is the position divided by theta", by_angle(std::divides<>())},
       {"the angle is the sum of position and theta", by_angle(std::plus<>())},
       {"the positions count from 1", by_angle([](double p, double theta) { return (p + 1) * theta; })},
       {"the turn goes backwards", by_angle([](double p, double theta) { return -p * theta; })},
       {"the angle is turned into degrees; std::polar takes radians",
        by_angle([](double p, double theta) { return p * theta * 180 / pi; })},
       {"the angle is taken for degrees and turned into radians; it is in radians already",
        by_angle([](double p, double theta) { return p * theta * pi / 180; })},
       {"the angle is taken 2 pi times as large",
        by_angle([](double p, double theta) { return p * theta * 2 * pi; })},
       {"the angle is half as large", by_angle([](double p, double theta) { return p * theta / 2; })},
       {"the angle is twice as large", by_angle([](double p, double theta) { return 2 * p * theta; })},
       {"the position is squared", by_angle([](double p, double theta) { return p * p * theta; })},
       {"theta is squared", by_angle([](double p, double theta) { return p * theta * theta; })},
       {"every pair turns by the speed of the last",
        by_pair([&](int row, int) { return place(row) * speed(pairs - 1, base); })},
       {"the pairs take their speeds in the opposite order",
        by_pair([&](int row, int pair) { return place(row) * speed(pairs - 1 - pair, base); })},
       {"theta is that of the row, theta[row]: it belongs to the pair",
        by_pair([&](int row, int) { return place(row) * speed(row % pairs, base); })},
       {"`scale` is left out: it is the length of the complex number",
        by([](double p, double theta, double) { return std::polar(1.0, p * theta); })},
       {"`scale` multiplies the angle; it is the length",
        by([](double p, double theta, double scale) { return std::polar(1.0, scale * p * theta); })},
       {"`scale` divides; the complex number should be that long",
        by([](double p, double theta, double scale) { return std::polar(1 / scale, p * theta); })},
       {"sine and cosine change places", by([](double p, double theta, double scale) {
          return scale * Complex(std::sin(p * theta), std::cos(p * theta));
        })},
       {"the arguments of std::polar have changed places: the length comes first, then the angle",
        by([](double p, double theta, double scale) {
          return p * theta * Complex(std::cos(scale), std::sin(scale));
        })},
       {"length and angle are taken for real and imaginary part: std::polar makes a complex number of them",
        by([](double p, double theta, double scale) { return Complex(scale, p * theta); })},
       {"there is no imaginary part: the pairs get shorter and do not turn",
        by([](double p, double theta, double scale) { return Complex(scale * std::cos(p * theta), 0); })},
       {"nothing is turned", by_angle([](double, double) { return 0; })},
       {"all becomes 0: turn never gets a value", by([](double, double, double) { return Complex(0, 0); })},
       {"only keys are turned: queries are left alone", only(1)},
       {"only queries are turned: keys are left alone", only(0)}});
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
  const std::vector<double> x = random_rows(5), positions = {0, 1, 2, 3, 4, 5};
  constexpr double base = 7;
  const auto zeta = [](int pair) { return (2 * pair + 0.4 * d) / (1.4 * d); };
  const auto yours = [&](std::size_t input) {
    const Both both = through(text("xpos:base=7,scale_base=", scale_base), x, positions);
    return input == 0 ? both.q : both.k;
  };
  // The length of a query's and of a key's number, and their angle.
  using Length = std::function<double(double zeta, double from_middle, double sign)>;
  const auto by = [&](const Length& length, double turns = 1, double zero = T / 2) {
    return [&, length, turns, zero](std::size_t input) {
      return turned(x, [&, input](int row, int pair) {
        return length(zeta(pair), row - zero, input == 0 ? 1 : -1) *
               std::polar(1.0, turns * row * speed(pair, base));
      });
    };
  };
  const Length fading = [](double z, double m, double sign) { return std::pow(z, sign * m / scale_base); };
  compare({"queries", "keys"}, axes, yours, by(fading),
          {{"queries grow with the position and keys fade; then scores would grow with distance",
            by([=](double z, double m, double sign) { return fading(z, m, -sign); })},
           {"keys fade as the queries do; then scores fade with the position, not the distance",
            by([=](double z, double m, double) { return fading(z, m, 1); })},
           {"queries grow as the keys do; then scores grow with the position",
            by([=](double z, double m, double) { return fading(z, m, -1); })},
           {"only queries fade, and keys keep the length 1; then scores fade with the query's position",
            by([=](double z, double m, double sign) { return sign > 0 ? fading(z, m, 1) : 1; })},
           {"only keys grow, and queries keep the length 1; then scores fade with the key's position",
            by([=](double z, double m, double sign) { return sign > 0 ? 1 : fading(z, m, -1); })},
           {"exponents are counted from position 0. The scores are the same, but far out queries get tiny "
            "and keys "
            "huge: count from the middle",
            by(fading, 1, 0)},
           {"nothing fades: that is rope", by([](double, double, double) { return 1; })},
           {"scale_base_ is left out, so that all fades at once",
            by([](double z, double m, double sign) { return std::pow(z, sign * m); })},
           {"scale_base_ multiplies; the exponent is divided by it",
            by([](double z, double m, double sign) { return std::pow(z, sign * m * scale_base); })},
           {"the exponent leaves out from_middle: it fades by the same everywhere",
            by([](double z, double, double sign) { return std::pow(z, sign / scale_base); })},
           {"the fading is squared: it counts in the query and once more in the key",
            by([=](double z, double m, double sign) { return std::pow(fading(z, m, sign), 2); })},
           {"only half of it fades: the exponent is divided by 2 scale_base_",
            by([=](double z, double m, double sign) { return std::sqrt(fading(z, m, sign)); })},
           {"all pairs fade like the first: zeta(pair) leaves out the pair",
            by([=](double, double m, double sign) { return fading(zeta(0), m, sign); })},
           {"exp takes the place of zeta: e^(from_middle / scale_base_)",
            by([](double, double m, double sign) { return std::exp(sign * m / scale_base); })},
           {"it fades on both sides of the middle: the exponent takes its absolute value",
            by([=](double z, double m, double sign) { return fading(z, std::abs(m), sign); })},
           {"it is turned backwards", by(fading, -1)},
           {"it fades and does not turn", by(fading, 0)},
           {"it turns twice as far", by(fading, 2)},
           {"only queries turn; keys just grow",
            [&](std::size_t input) { return input == 0 ? by(fading)(0) : by(fading, 0)(1); }},
           {"keys turn backwards: then scores depend on the sum of the positions",
            [&](std::size_t input) { return input == 0 ? by(fading)(0) : by(fading, -1)(1); }}});
}

// --- 10.7 and 10.8 ---

namespace locus {
// Taken when turned_score.cpp has no such function.
__attribute__((weak)) double turned_score(const Vector&, const Vector&, double, double) {
  fail("exercise 10.7", "still to be written");
}
}  // namespace locus

namespace {

Vector random_vector(int length, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Vector x(static_cast<std::size_t>(length));
  for (double& value : x) value = random.normal();
  return x;
}

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
  };
  static const std::vector<Case> cases = {{4, 0, 7}, {4, 2, 7}, {8, -3, 10000}, {6, 2.5, 100}};
  using TurnBy = std::function<Complex(double distance, double theta)>;
  const auto with = [](const TurnBy& turn, bool half = false, double doubled = 1) {
    return [=](std::size_t i) {
      const Case& c = cases[i];
      return list({complex_score(
          random_vector(c.width, 1), random_vector(c.width, 2),
          [&](int pair) { return turn(c.distance, std::pow(c.base, -2.0 * doubled * pair / c.width)); },
          half)});
    };
  };
  const TurnBy right = [](double distance, double theta) { return std::polar(1.0, distance * theta); };
  std::vector<std::string> inputs;
  for (const Case& c : cases)
    inputs.push_back(text("distance ", c.distance, ", width ", c.width, ", base ", c.base));
  compare(
      inputs, {"score"},
      [](std::size_t i) {
        const auto& [width, distance, base] = cases[i];
        return list({turned_score(random_vector(width, 1), random_vector(width, 2), distance, base)});
      },
      with(right),
      {{"the turn goes backwards: at p - q the query has turned further than the key",
        with([](double distance, double theta) { return std::polar(1.0, -distance * theta); })},
       {"nothing is turned: that is q . k", with([](double, double) { return Complex(1); })},
       {"it turns twice as far: query and key do not both turn by the distance",
        with([](double distance, double theta) { return std::polar(1.0, 2 * distance * theta); })},
       {"all pairs turn alike", with([](double distance, double) { return std::polar(1.0, distance); })},
       {"the distance is left out", with([](double, double theta) { return std::polar(1.0, theta); })},
       {"the distance is divided by the speed",
        with([](double distance, double theta) { return std::polar(1.0, distance / theta); })},
       {"the sign of the distance is lost",
        with([](double distance, double theta) { return std::polar(1.0, std::abs(distance) * theta); })},
       {"only the cosines count: the sines are left out",
        with([](double distance, double theta) { return Complex(std::cos(distance * theta)); })},
       {"the pairs are (0, d/2), (1, d/2 + 1) ...: that is the half layout", with(right, true)},
       {"the exponent is doubled", with(right, false, 2)},
       {"the 2 of the exponent is missing", with(right, false, 0.5)}},
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
  const auto candidate = [](const std::string& what, bool is_right, const Score& score) {
    return Candidate{what, is_right, [=] { return by_distance_only(score); }};
  };
  judge(
      {candidate("rope", true, rope),
       candidate("rope, half layout", true, turned_by(right, right, true)),
       candidate("rope that turns backwards", true, both([](double p, double theta) { return -p * theta; })),
       candidate("no positions at all", true, plus([](double, double) { return 0; })),
       candidate("a bias that falls with p - q", true,
                 plus([](double m, double n) { return -0.1 * (m - n); })),
       candidate("a bias that falls with the distance both ways, as in ALiBi", true,
                 plus([](double m, double n) { return -0.1 * std::abs(m - n); })),
       candidate("only queries are turned", false, turned_by(right, none)),
       candidate("only keys are turned", false, turned_by(none, right)),
       candidate("keys are turned the other way", false,
                 turned_by(right, [](double p, double theta) { return -p * theta; })),
       candidate("keys are turned twice as far", false,
                 turned_by(right, [](double p, double theta) { return 2 * p * theta; })),
       candidate("angles grow with the square of the position", false,
                 both(of([](double p) { return p * p; }))),
       candidate("angles grow with the root of the position", false,
                 both(of([](double p) { return std::sqrt(p); }))),
       candidate("positions are rounded to whole numbers", false,
                 both(of([](double p) { return std::floor(p); }))),
       candidate("positions stop at 64, the longest that was trained", false,
                 both(of([](double p) { return std::min(p, 64.0); }))),
       candidate("positions stop at 1024", false, both(of([](double p) { return std::min(p, 1024.0); }))),
       candidate("positions come round after 512", false,
                 both(of([](double p) { return std::fmod(p, 512.0); }))),
       candidate("positions are slowed down from 32 on", false,
                 both(of([](double p) { return p < 32 ? p : 32 + (p - 32) / 4; }))),
       candidate("sinusoids added to query and key", false,
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
                 }),
       candidate("a bias by the position of the key", false, plus([](double, double n) { return 0.01 * n; })),
       candidate("a bias by the position of the query", false,
                 plus([](double m, double) { return 0.01 * m; })),
       candidate("scores fade with the position, not the distance", false,
                 [=](const Vector& q, const Vector& k, double m, double n) {
                   return rope(q, k, m, n) * std::pow(0.99, m + n);
                 }),
       candidate("a first key that every query prefers", false,
                 plus([](double, double n) { return n == 0 ? 1.0 : 0.0; }))});
}
