// Chapter 10. Random queries and keys are turned by the learner's files, and by complex numbers.
#include "lessons/tools/check.h"

#include <complex>

#include "lessons/10_rope/contract.h"

[[gnu::weak]] double locus::turned_score(const Vector&, const Vector&, double, double) {
  still_to_write("10.7");
}

using namespace locus;

namespace {

using Complex = std::complex<double>;
using Turn = std::function<Complex(int row, int pair)>;

constexpr int T = 6, d = 8, pairs = d / 2;
const Shape shape{1, 1, T, d};
const std::vector<std::string> axes = {"example", "head", "row", "channel"};
const Vector places = {0, 1, 2, 5, 9.5, 40}, in_a_row = {0, 1, 2, 3, 4, 5};

Vector some_rows(std::uint64_t seed) { return random_numbers(T * d, seed); }
double speed(int pair, int width, double base) { return std::pow(base, -2.0 * pair / width); }

// The two channels of a pair, of so many.
std::pair<std::size_t, std::size_t> channels(int pair, std::size_t width, bool half) {
  const auto first = static_cast<std::size_t>(pair);
  return half ? std::pair(first, first + width / 2) : std::pair(2 * first, 2 * first + 1);
}
// Each pair (a, b) of each row, as a + ib, is multiplied by turn(row, pair).
Array turned(const Vector& x, const Turn& turn, bool half = false) {
  Array out{shape, x};
  for (int row = 0; row < T; ++row)
    for (int pair = 0; pair < pairs; ++pair) {
      const auto [a, b] = channels(pair, d, half);
      double* of_row = &out.values[static_cast<std::size_t>(row * d)];
      const Complex product = Complex(of_row[a], of_row[b]) * turn(row, pair);
      of_row[a] = product.real();
      of_row[b] = product.imag();
    }
  return out;
}

// Any angles, for the steps about one turn.
Complex some_turn(int row, int pair) { return std::polar(1.0, 0.4 + 0.7 * row + 1.1 * pair); }

Tensor turn(Tensor x, PairLayout layout) {
  const Array cos = filled({T, pairs}, [](int row, int pair) { return some_turn(row, pair).real(); });
  const Array sin = filled({T, pairs}, [](int row, int pair) { return some_turn(row, pair).imag(); });
  return rotate(x, constant(x.tape(), cos), constant(x.tape(), sin), layout);
}

// What a scheme makes of the same rows as queries and as keys.
enum Made { queries, keys };
std::vector<Array> through(const std::string& spec, const Vector& x, const Vector& positions) {
  const SchemeAlone scheme(spec, d, 1, true);
  std::vector<Array> made(2);
  made[queries] = value_of([&](Tape& tape) {
    Tensor q = constant(tape, {shape, x}), k = q;
    scheme->query_and_key(q, k, {q, q, k, {1, T, positions.data()}, 0});
    made[keys] = copy(k);
    return q;
  });
  return made;
}

double dot_of_rows(const Array& q, int query, const Array& k, int key) {
  return sum_of(d, [&](int c) { return q(0, 0, query, c) * k(0, 0, key, c); });
}

TEST_CASE("10.1 the speed of each pair") {
  struct Head {
    int d;
    double base;
  };
  compare_cases<Head>(
      {{8, 7}, {12, 10000}},
      [](auto& head) { return str("speeds, head width ", head.d, ", base ", head.base); }, {"pair"},
      [](auto& head) {
        return list(SchemeAlone(str("rope:base=", head.base), head.d)->frequencies(1).inverse_frequency);
      },
      [](auto& head) {
        return filled({head.d / 2}, [&](int pair) { return speed(pair, head.d, head.base); });
      },
      1e-9);

  std::vector<std::string> lines;
  for (const double w : SchemeAlone("rope", 16)->frequencies(1).inverse_frequency) {
    const double turns = 11 * w / (2 * std::numbers::pi);
    lines.push_back(str(fixed(turns, 4), "  ", bar(turns / 2)));
  }
  show(
      "Your 8 pairs: turns of each, from the first of 12 tokens to the last. Two of them make RoPE fail at longer inputs",
      lines);
}

TEST_CASE("10.2 a pair turned: complex multiplication, in reals") {
  const Vector x = some_rows(1);
  compare(
      {"turned, interleaved layout", "turned, half layout"}, axes,
      [&](std::size_t i) {
        const PairLayout layout = i == 0 ? PairLayout::interleaved : PairLayout::half;
        return value_of([&](Tape& tape) { return turn(constant(tape, {shape, x}), layout); });
      },
      [&](std::size_t i) { return turned(x, some_turn, i == 1); });
}

TEST_CASE("10.3 backward of a turn") {
  const Vector inputs = some_rows(1), given = some_rows(2), before(inputs.size(), 0.375);
  // Of a parameter that is turned once, of one that is turned twice, whose gradient then is the sum of two, and of one
  // with a tensor between.
  compare(
      {"gradient of a parameter that held 0.375 before",
       "gradient of a parameter that is turned twice, and held 0.375",
       "gradient through a tensor that is turned twice"},
      axes,
      [&](std::size_t loss) {
        const auto turns = [&](Tape& tape) {
          const Tensor x = tape.parameter({shape, 0}), from = loss == 2 ? x * 1 : x;
          const Tensor y = turn(from, PairLayout::interleaved);
          return loss == 0 ? y : y + turn(from, PairLayout::interleaved);
        };
        return Array{shape, gradients_of(turns, reals(inputs), before, given)};
      },
      [&](std::size_t loss) {
        Array out = turned(given, [](int row, int pair) { return std::conj(some_turn(row, pair)); });
        for (double& value : out.values) value = value * (loss == 0 ? 1 : 2) + before[0];
        return out;
      });
}

TEST_CASE("10.4 a complex number for each position and pair") {
  const Vector x = some_rows(3);
  const std::string specs[] = {"rope:base=7", "rope:base=7,temperature=on,factor=4"};
  const double heat[] = {1, 0.1 * std::log(4) + 1};
  compare(
      {"queries", "keys", "queries of rope:temperature=on,factor=4", "keys of rope:temperature=on,factor=4"},
      axes, [&](std::size_t i) { return through(specs[i / 2], x, places)[i % 2]; },
      [&](std::size_t i) {
        return turned(x, [&](int row, int pair) {
          return std::polar(heat[i / 2], places[static_cast<std::size_t>(row)] * speed(pair, d, 7));
        });
      });
}

TEST_CASE("10.5 turns keep lengths, scores depend on the distance only, the layouts are one model") {
  const Vector x = some_rows(4);
  const Array before{shape, x};
  const std::vector<Array> near = through("rope:base=100", x, in_a_row);
  for (int row = 0; row < T; ++row) {
    const double was = dot_of_rows(before, row, before, row),
                 is = dot_of_rows(near[queries], row, near[queries], row);
    require(std::abs(is - was) < 1e-4 * was, "row ", row, " has length ", std::sqrt(is),
            " after the turn, and had ", std::sqrt(was), ": a turn keeps lengths.");
  }
  for (const double shift : {1.0, 7.0, 1000.0}) {
    Vector moved = in_a_row;
    for (double& position : moved) position += shift;
    const std::vector<Array> far = through("rope:base=100", x, moved);
    for (int i = 0; i < T; ++i)
      for (int j = 0; j < T; ++j) {
        const double here = dot_of_rows(near[queries], i, near[keys], j),
                     there = dot_of_rows(far[queries], i, far[keys], j);
        require(std::abs(there - here) < 1e-3, "the score of positions ", i, " and ", j, " is ", here,
                "; at ", i + shift, " and ", j + shift, ", as far apart, it is ", there, ".");
      }
  }
  // The channels of the interleaved layout, put in the order of the other.
  const auto regrouped = [](const Array& from) {
    return filled(shape, [&](int, int, int row, int c) {
      return from(0, 0, row, c < pairs ? 2 * c : 2 * (c - pairs) + 1);
    });
  };
  compare(
      {"the half layout, on channels put in its order"}, axes,
      [&](std::size_t) {
        return through("rope:base=100,layout=half", regrouped(before).values, in_a_row)[queries];
      },
      [&](std::size_t) { return regrouped(near[queries]); });
}

// same, 1 of `const std::complex<double> query = std::polar(fading, angle);`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("10.6 xpos: the turn, and a fading with distance") {
  const Vector x = some_rows(5);
  compare(
      {"queries", "keys"}, axes,
      [&](std::size_t i) { return through("xpos:base=7,scale_base=4", x, in_a_row)[i]; },
      [&](std::size_t i) {
        return turned(x, [i](int row, int pair) {
          const double zeta = (2 * pair + 0.4 * d) / (1.4 * d), from_middle = row - T / 2;
          const double fading = std::pow(zeta, (i == 0 ? 1 : -1) * from_middle / 4);
          return std::polar(fading, row * speed(pair, d, 7));
        });
      });
}

// --- 10.7 and 10.8 ---

// The real part of z_q conj(z_k) times a number for each pair: with std::polar(1, (m - n) theta), the score of rope.
double complex_score(const Vector& q, const Vector& k, const std::function<Complex(int pair)>& turn,
                     bool half = false) {
  return sum_of(static_cast<int>(q.size() / 2), [&](int pair) {
    const auto [a, b] = channels(pair, q.size(), half);
    return (Complex(q[a], q[b]) * std::conj(Complex(k[a], k[b])) * turn(pair)).real();
  });
}

// same, 5 of `for (std::size_t c = 0; c + 1 < q.size(); c += 2) {`: the length is even, so that c + 1 is below it exactly when c is; both have the same length
// same, 2 of `const double a = q[c] * std::cos(angle) - q[c + 1] * std::sin(angle);`: the two lines can stand in either order: neither reads what the other writes; the cosine is even
// same, 1 of `const double b = q[c] * std::sin(angle) + q[c + 1] * std::cos(angle);`: the cosine is even
// same, 1 of `const double angle = distance * std::pow(base, -static_cast<double>(c) / static_cast<double>(q.size()));`: both have the same length
TEST_CASE("10.7 the score by distance, with one turn, from blank") {
  struct Case {
    int width;
    double distance, base;
    Vector query = random_numbers(static_cast<std::size_t>(width), 1);
    Vector key = random_numbers(static_cast<std::size_t>(width), 2);
  };
  compare_cases<Case>(
      {{4, 0, 7}, {4, 2, 7}, {8, -3, 10000}, {6, 2.5, 100}},
      [](auto& c) { return str("distance ", c.distance, ", width ", c.width, ", base ", c.base); }, {"score"},
      [](auto& c) { return list({turned_score(c.query, c.key, c.distance, c.base)}); },
      [](auto& c) {
        return list({complex_score(c.query, c.key, [&](int pair) {
          return std::polar(1.0, c.distance * speed(pair, c.width, c.base));
        })});
      },
      1e-9);

  const Vector query = random_numbers(16, 1), key = random_numbers(16, 2);
  std::vector<std::string> rows;
  for (const auto& [p, q] : {std::pair{2, 0}, {5, 3}, {20, 18}, {1002, 1000}, {5, 0}})
    rows.push_back(
        str("query at ", p, ", key at ", q, ":  ", fixed(turned_score(query, key, p - q, 10000), 3)));
  show("Your score of the same query and key: one turn by p - q, wherever they stand", rows);
}

TEST_CASE("10.8 your test: the score depends on the distance only") {
  // q turned at m and k at n, by angles of positions of their own.
  using Angle = std::function<double(double position, double theta)>;
  const auto turned_by = [](const Angle& of_query, const Angle& of_key, bool half = false) -> Score {
    return [=](const Vector& q, const Vector& k, double m, double n) {
      const auto turn = [&](int pair) {
        const double theta = speed(pair, d, 100);
        return std::polar(1.0, of_query(m, theta) - of_key(n, theta));
      };
      return complex_score(q, k, turn, half);
    };
  };
  const auto times = [](double factor) -> Angle {
    return [=](double p, double t) { return factor * p * t; };
  };
  const auto turned_at = [&](double (*place)(double)) {  // both, as if they stood at another place
    const Angle angle = [place](double p, double theta) { return place(p) * theta; };
    return turned_by(angle, angle);
  };
  const auto plus = [=](double (*bias)(double m, double n)) -> Score {
    return [=](const Vector& q, const Vector& k, double m, double n) { return dot(q, k) + bias(m, n); };
  };
  const auto with_sinusoid = [](Vector x, double p) {
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double angle = p * speed(static_cast<int>(c / 2), d, 100);
      x[c] += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
    return x;
  };
  const Score rope = turned_by(times(1), times(1));
  judge<Score>(
      by_distance_only,
      {{"rope", rope},
       {"rope, half layout", turned_by(times(1), times(1), true)},
       {"rope that turns backwards", turned_by(times(-1), times(-1))},
       {"no positions at all", plus([](double, double) { return 0.0; })},
       {"a bias that falls with p - q", plus([](double m, double n) { return -0.1 * (m - n); })},
       {"a bias that falls with the distance both ways, as in ALiBi",
        plus([](double m, double n) { return -0.1 * std::abs(m - n); })}},
      {{"only queries are turned", turned_by(times(1), times(0))},
       {"only keys are turned", turned_by(times(0), times(1))},
       {"keys are turned the other way", turned_by(times(1), times(-1))},
       {"keys are turned twice as far", turned_by(times(1), times(2))},
       {"angles grow with the square of the position", turned_at([](double p) { return p * p; })},
       {"angles grow with the root of the position", turned_at([](double p) { return std::sqrt(p); })},
       {"positions are rounded down to whole numbers", turned_at([](double p) { return std::floor(p); })},
       {"positions stop at 64, the longest that was trained",
        turned_at([](double p) { return std::min(p, 64.0); })},
       {"positions stop at 1024", turned_at([](double p) { return std::min(p, 1024.0); })},
       {"positions start again at 0 at 512", turned_at([](double p) { return std::fmod(p, 512.0); })},
       {"positions are slowed down from 32 on",
        turned_at([](double p) { return p < 32 ? p : 32 + (p - 32) / 4; })},
       {"sinusoids added to query and key",
        [=](const Vector& q, const Vector& k, double m, double n) {
          return dot(with_sinusoid(q, m), with_sinusoid(k, n));
        }},
       {"a bias by the position of the key", plus([](double, double n) { return 0.01 * n; })},
       {"a bias by the position of the query", plus([](double m, double) { return 0.01 * m; })},
       {"scores fade with the position, not the distance",
        [=](const Vector& q, const Vector& k, double m, double n) {
          return rope(q, k, m, n) * std::pow(0.99, m + n);
        }},
       {"a first key that every query prefers", plus([](double, double n) { return n == 0 ? 1.0 : 0.0; })},
       {"absolute positions for keys after the query",
        plus([](double m, double n) { return n > m ? 0.001 * n : 0.0; })},
       {"absolute positions where query and key differ",
        [=](const Vector& q, const Vector& k, double m, double n) {
          return rope(q, k, m, n) + (q == k ? 0 : 0.001 * n);
        }},
       {"absolute positions where two channels of the query and of the key differ",
        [=](const Vector& q, const Vector& k, double m, double n) {
          return rope(q, k, m, n) + 0.001 * n * (q[0] - q[1]) * (k[0] - k[1]);
        }},
       {"scores that are not numbers", plus([](double, double) { return std::nan(""); })}});
}

}  // namespace
