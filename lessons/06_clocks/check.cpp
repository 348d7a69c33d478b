// Chapter 6. Plain loops, and numbers that others computed, say what the clocks must show.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "lessons/06_clocks/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "positional/support/sinusoid.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

using Numbers = std::vector<double>;

constexpr double exact = 1e-11;  // the golden numbers have twelve digits

// Recomputed by others from the formula of Vaswani et al. 2017, and compared with their programs:
// tests/golden/schemes.json names them.
const Numbers golden_speeds = {1, 0.1, 0.01, 0.001};  // D = 8
const std::vector<Numbers> golden_codes = {
    {0, 1, 0, 1},
    {0.841470984808, 0.540302305868, 0.00999983333417, 0.999950000417},
    {0.909297426826, -0.416146836547, 0.0199986666933, 0.999800006667}};  // D = 4

double speed(int i, int width, double base) { return std::pow(base, -2.0 * i / width); }

// f(row, column), row after row.
Array array(int rows, int columns, const std::function<double(int, int)>& f) {
  Array out{{rows, columns}, {}};
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) out.values.push_back(f(row, column));
  return out;
}

// --- 6.1 ---

struct Clocks {
  int width;
  double base;
};
const std::vector<Clocks> of_speeds = {{8, 10000}, {6, 7}, {32, 100}, {7, 10000}};

// `speed` of each clock; i counts them.
using Speed = std::function<double(int i, int D, double base)>;
Answer speeds(const Speed& speed, bool rounded_down = false) {
  return [=](std::size_t input) {
    const auto [D, base] = of_speeds[input];
    Numbers w;
    for (int i = 0; 2 * i < (rounded_down ? D - 1 : D); ++i) w.push_back(speed(i, D, base));
    return list(w);
  };
}
Answer powers(const std::function<double(int i, int D)>& exponent) {
  return speeds([=](int i, int D, double base) { return std::pow(base, exponent(i, D)); });
}

// --- 6.2 ---

const std::vector<Clocks> of_codes = {{4, 10000}, {8, 7}, {5, 100}};
constexpr int positions = 5;

using Wave = std::function<double(double p, int channel, int D, double base)>;
Answer codes(const Wave& wave) {
  return [=](std::size_t input) {
    const auto [D, base] = of_codes[input];
    return array(positions, D, [&, D = D, base = base](int p, int c) { return wave(p, c, D, base); });
  };
}
double wave(int channel, double angle) { return channel % 2 == 0 ? std::sin(angle) : std::cos(angle); }
// Sine and cosine in turn, of an angle made of the position and the speed of the channel's clock.
Answer hands(const std::function<double(double p, double w)>& angle) {
  return codes([=](double p, int c, int D, double base) { return wave(c, angle(p, speed(c / 2, D, base))); });
}

// --- 6.3 ---

struct Shift {
  double k;
  int width;
  double base;
};
const std::vector<Shift> of_shifts = {{3, 6, 10000}, {-0.5, 4, 7}, {40, 8, 100}};

// M_k made of a block of 2x2 for each clock, from its angle k w_i.
using Block = std::function<double(int row, int column, double angle)>;  // row 0: the sine of p + k
Answer blocks(const Block& block,
              const std::function<double(double k, double w)>& angle = std::multiplies<>(),
              bool halves = false) {
  return [=](std::size_t input) {
    const auto [k, D, base] = of_shifts[input];
    return array(D, D, [&, k = k, D = D, base = base](int row, int column) {
      const int clock = halves ? row % (D / 2) : row / 2, other = halves ? column % (D / 2) : column / 2;
      if (clock != other) return 0.0;
      return block(halves ? row / (D / 2) : row % 2, halves ? column / (D / 2) : column % 2,
                   angle(k, speed(clock, D, base)));
    });
  };
}
// cos and sin of the four places; the signs of the two sines.
Block turn(double upper = 1, double lower = -1) {
  return [=](int row, int column, double angle) {
    if (row == column) return std::cos(angle);
    return (row == 0 ? upper : lower) * std::sin(angle);
  };
}

void leads_everywhere(double k, int D) {
  const Numbers M = shift_matrix(k, D);
  for (int p = 0; p < 200; ++p)
    for (int row = 0; row < D; ++row) {
      double moved = 0;
      for (int c = 0; c < D; ++c)
        moved += M[static_cast<std::size_t>(row * D + c)] * wave(c, p * speed(c / 2, D, 10000));
      const double there = wave(row, (p + k) * speed(row / 2, D, 10000));
      if (!(std::abs(moved - there) < 1e-12))
        throw Error(text("M PE[", p, "] should be PE[", p + k, "], but channel ", row, " is ", moved,
                         ", not ", there, '.'));
    }
}

// --- 6.4 ---

double dot(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

TEST_CASE("6.1 how fast each clock turns") {
  constexpr double turn = 2 * std::numbers::pi;
  std::vector<std::string> inputs;
  for (const Clocks& clocks : of_speeds)
    inputs.push_back(text("the speeds of ", (clocks.width + 1) / 2, " clocks (width ", clocks.width,
                          ", base ", clocks.base, ")"));
  compare(
      inputs, {"clock"},
      [](std::size_t i) { return list(inverse_frequencies(of_speeds[i].width, of_speeds[i].base)); },
      [](std::size_t i) { return i == 0 ? list(golden_speeds) : speeds(speed)(i); },
      {{"the exponent is an integer division, which leaves 0: write 2.0 * i / width",
        powers([](int i, int D) { return -2 * i / D; })},
       {"the exponent is doubled: 2i counts channels already, and clock i has the exponent -2i / D, not -4i "
        "/ D",
        powers([](int i, int D) { return -4.0 * i / D; })},
       {"the 2 of the exponent is missing, and the slowest clock is far too fast",
        powers([](int i, int D) { return -1.0 * i / D; })},
       {"the minus of the exponent is missing: the clocks get faster and faster",
        powers([](int i, int D) { return 2.0 * i / D; })},
       {"the exponent is divided by D - 2, so that the last clock turns by exactly 1 / base. Some programs "
        "do it "
        "so; the paper, and everything here, divides by D",
        powers([](int i, int D) { return -2.0 * i / (D - 2); })},
       {"clocks are counted from 1, and the first turns by more than 1",
        powers([](int i, int D) { return -2.0 * (i - 1) / D; })},
       {"clocks are counted from 1, and the first turns by less than 1",
        powers([](int i, int D) { return -2.0 * (i + 1) / D; })},
       {"the exponent is not divided by D", powers([](int i, int) { return -2.0 * i; })},
       {"the exponent is the same for all clocks, -2 / D: i is missing",
        powers([](int, int D) { return -2.0 / D; })},
       {"the clocks come in the opposite order, the slowest first",
        powers([](int i, int D) { return -2.0 * ((D + 1) / 2 - 1 - i) / D; })},
       {"the power is taken first and divided by D after: base^(-2i) / D",
        speeds([](int i, int D, double base) { return std::pow(base, -2.0 * i) / D; })},
       {"base and exponent have changed places: std::pow(base, exponent)",
        speeds([](int i, int D, double base) { return std::pow(2.0 * i / D, 1 / base); })},
       {"the base is 10000 whatever `base` says",
        speeds([](int i, int D, double) { return speed(i, D, 10000); })},
       {"the base is e: std::exp(-2i / D) needs the factor ln(base)",
        speeds([](int i, int D, double) { return std::exp(-2.0 * i / D); })},
       {"the speeds are multiplied by 2 pi: w_i is in radians already",
        speeds([](int i, int D, double base) { return turn * speed(i, D, base); })},
       {"the speeds are divided by 2 pi: those are turns, not radians, per position",
        speeds([](int i, int D, double base) { return speed(i, D, base) / turn; })},
       {"the numbers are wavelengths, 2 pi / w_i",
        speeds([](int i, int D, double base) { return turn / speed(i, D, base); })},
       {"the exponents themselves are listed, without the power",
        speeds([](int i, int D, double) { return -2.0 * i / D; })},
       {"the speeds fall in equal steps, 1 - 2i / D, not by equal factors",
        speeds([](int i, int D, double) { return 1 - 2.0 * i / D; })},
       {"all clocks turn by 1 / base", speeds([](int, int, double base) { return 1 / base; })},
       {"an odd width loses its last clock: i runs while 2i < D", speeds(speed, true)},
       {"there is a speed for each channel; there is one for each clock, of two channels",
        [](std::size_t input) {
          const auto [D, base] = of_speeds[input];
          Numbers w;
          for (int i = 0; i < D; ++i) w.push_back(speed(i, D, base));
          return list(w);
        }}},
      exact);
}

TEST_CASE("6.2 where each hand points at a position") {
  constexpr double pi = std::numbers::pi;
  std::vector<std::string> inputs;
  for (const Clocks& clocks : of_codes)
    inputs.push_back(text("the codes of positions 0 to ", positions - 1, " (width ", clocks.width, ", base ",
                          clocks.base, ")"));
  const Answer right = hands(std::multiplies<>());
  const auto yours = [](std::size_t input) {
    Array all{{positions, 0}, {}};
    for (int p = 0; p < positions; ++p) {
      const Numbers code = sinusoid(p, of_codes[input].width, of_codes[input].base);
      all.shape = {positions, static_cast<int>(code.size())};
      all.values.insert(all.values.end(), code.begin(), code.end());
    }
    return all;
  };
  const auto by_clock = [](double (*first)(double), double (*second)(double)) {
    return codes([=](double p, int c, int D, double base) {
      return (c % 2 == 0 ? first : second)(p * speed(c / 2, D, base));
    });
  };
  const auto sine = [](double x) { return std::sin(x); };
  const auto cosine = [](double x) { return std::cos(x); };
  compare(
      inputs, {"position", "channel"}, yours,
      [&](std::size_t input) {
        Array all = right(input);
        if (input == 0)  // what is golden takes the place of what is computed here
          for (std::size_t p = 0; p < golden_codes.size(); ++p)
            std::ranges::copy(golden_codes[p], all.values.begin() + static_cast<std::ptrdiff_t>(4 * p));
        return all;
      },
      {{"all sines come first, then all cosines. Some programs do it so; here they take turns (a model would "
        "learn as well from either, but not from both mixed)",
        codes([](double p, int c, int D, double base) {
          const int sines = (D + 1) / 2;
          return c < sines ? std::sin(p * speed(c, D, base)) : std::cos(p * speed(c - sines, D, base));
        })},
       {"the cosine comes before the sine", by_clock(cosine, sine)},
       {"there are sines only; the cosines make it a hand with a direction", by_clock(sine, sine)},
       {"there are cosines only; the sines make it a hand with a direction", by_clock(cosine, cosine)},
       {"the tangent takes the place of the sine", by_clock([](double x) { return std::tan(x); }, cosine)},
       {"the hands turn the other way: the angle, and with it the sine, gets a minus",
        hands([](double p, double w) { return -p * w; })},
       {"positions are counted from 1: the code of 0 is 0 1 0 1 ...",
        hands([](double p, double w) { return (p + 1) * w; })},
       {"sine and cosine of one clock have speeds of their own: channels 2i and 2i + 1 share w_i",
        codes([](double p, int c, int D, double base) { return wave(c, p * std::pow(base, -1.0 * c / D)); })},
       {"the position is divided by w_i, not multiplied: w_i is how far the hand turns from one position to "
        "the "
        "next",
        hands([](double p, double w) { return p / w; })},
       {"angles are taken 2 pi times as large: p w_i is in radians already",
        hands([](double p, double w) { return p * w * 2 * pi; })},
       {"angles are taken pi times as large: p w_i is in radians already",
        hands([](double p, double w) { return p * w * pi; })},
       {"angles are turned into degrees; std::sin and std::cos want radians",
        hands([](double p, double w) { return p * w * 180 / pi; })},
       {"angles are taken for degrees and turned into radians; they are in radians already",
        hands([](double p, double w) { return p * w * pi / 180; })},
       {"the position is forgotten: every position gets the same code",
        hands([](double, double w) { return w; })},
       {"w_i is forgotten: all clocks turn alike", hands([](double p, double) { return p; })},
       {"position and w_i are added, not multiplied", hands(std::plus<>())},
       {"the speed is squared", hands([](double p, double w) { return p * w * w; })},
       {"the angle itself is stored, without sine and cosine",
        codes([](double p, int c, int D, double base) { return p * speed(c / 2, D, base); })},
       {"the hands are shifted by one clock: channels 2i and 2i + 1 belong to w_i",
        codes([](double p, int c, int D, double base) { return wave(c, p * speed((c + 1) / 2, D, base)); })},
       {"the base is 10000 whatever `base` says",
        codes([](double p, int c, int D, double) { return wave(c, p * speed(c / 2, D, 10000)); })},
       {"the angle is kept in a float: far out little of it is left",
        codes([](double p, int c, int D, double base) {
          const float angle = static_cast<float>(p) * static_cast<float>(speed(c / 2, D, base));
          return static_cast<double>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        })},
       {"there is one channel for each clock; there should be two",
        [](std::size_t input) {
          const auto [D, base] = of_codes[input];
          return array(positions, (D + 1) / 2,
                       [&, D = D, base = base](int p, int i) { return std::sin(p * speed(i, D, base)); });
        }}},
      exact);
}

TEST_CASE("6.3 one matrix moves every code k positions on") {
  constexpr double pi = std::numbers::pi;
  std::vector<std::string> inputs;
  for (const Shift& shift : of_shifts)
    inputs.push_back(text("M for k = ", shift.k, " (width ", shift.width, ", base ", shift.base, ")"));
  const auto at_row = [](bool rows_follow) {  // the block of clock i begins at row (and column) i
    return [=](std::size_t input) {
      const auto [k, D, base] = of_shifts[input];
      Array M{{D, D}, Numbers(static_cast<std::size_t>(D * D))};
      for (int i = 0; i < D / 2; ++i)
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 2; ++c)
            M.values[static_cast<std::size_t>((i + r) * D + (rows_follow ? i : 2 * i) + c)] =
                turn()(r, c, k * speed(i, D, base));
      return M;
    };
  };
  const auto angle = [](const std::function<double(double k, double w)>& f) { return blocks(turn(), f); };
  compare(
      inputs, {"row", "column"},
      [](std::size_t i) {
        const auto [k, D, base] = of_shifts[i];
        const Numbers M = shift_matrix(k, D, base);
        return M.size() == static_cast<std::size_t>(D * D) ? Array{{D, D}, M} : list(M);
      },
      blocks(turn()),
      {{"it leads k positions back, not on: the minus stands before the other sine", blocks(turn(-1, 1))},
       {"every clock turns by k; clock i turns by k w_i", angle([](double k, double) { return k; })},
       {"every clock turns by w_i, whatever k is", angle([](double, double w) { return w; })},
       {"every clock turns by k / w_i; clock i turns by k w_i", angle(std::divides<>())},
       {"the angles are turned into degrees; std::sin and std::cos want radians",
        angle([](double k, double w) { return k * w * 180 / pi; })},
       {"the angles are taken 2 pi times as large", angle([](double k, double w) { return 2 * pi * k * w; })},
       {"it leads k + 1 positions on", angle([](double k, double w) { return (k + 1) * w; })},
       {"it leads 2k positions on", angle([](double k, double w) { return 2 * k * w; })},
       {"it leads k/2 positions on", angle([](double k, double w) { return k * w / 2; })},
       {"the clocks are taken from channels i and i + D / 2; here sine and cosine are neighbours",
        blocks(turn(), std::multiplies<>(), true)},
       {"both sines have a plus: that is no turn, it stretches the plane (its determinant is cos 2 phi)",
        blocks(turn(1, 1))},
       {"both sines have a minus: that is no turn, it stretches the plane (its determinant is cos 2 phi)",
        blocks(turn(-1, -1))},
       {"sine and cosine have changed places", blocks([](int r, int c, double a) {
          return r == c ? std::sin(a) : (r == 0 ? 1 : -1) * std::cos(a);
        })},
       {"the second cosine has a minus: that mirrors, and does not turn",
        blocks([](int r, int c, double a) { return r == 1 && c == 1 ? -std::cos(a) : turn()(r, c, a); })},
       {"the sines are missing: the hands get shorter and do not turn", blocks(turn(0, 0))},
       {"the lower sine is missing: the cosine of p + k needs both", blocks(turn(1, 0))},
       {"the upper sine is missing: the sine of p + k needs both", blocks(turn(0, -1))},
       {"the cosines on the diagonal are missing",
        blocks([](int r, int c, double a) { return r == c ? 0 : turn()(r, c, a); })},
       {"the diagonal holds ones: cos(k w_i) stands there",
        blocks([](int r, int c, double a) { return r == c ? 1 : turn()(r, c, a); })},
       {"M is all zeros", blocks([](int, int, double) { return 0; })},
       {"nothing moves: that is the unit matrix", angle([](double, double) { return 0; })},
       {"only the first clock turns; the others stand still",
        angle([](double k, double w) { return w == 1 ? k : 0; })},
       {"the block of clock i begins at row i; its sine is in row 2i", at_row(false)},
       {"the block of clock i begins at row i and column i; its sine is in row and column 2i", at_row(true)}},
      1e-12);
  for (const double k : {1.0, 40.0, -7.0}) leads_everywhere(k, 32);
}

TEST_CASE("6.4 the dot product of two codes depends on their distance only") {
  constexpr int D = 64;
  ParameterTable table;
  const auto scheme = make_scheme("sinusoidal:base=100", {.d_model = D, .heads = 1, .causal = false}, table);
  const auto product = [&](double p, double distance) {
    return dot(scheme->code(p, 0, nullptr), scheme->code(p + distance, 0, nullptr));
  };
  for (const double distance : {0.0, 1.0, 2.5, 12.0})
    for (const double p : {1.0, 0.5, 100.0, 1857.0, 100000.0})
      if (!(std::abs(product(p, distance) - product(0, distance)) < 1e-8))
        throw Error(
            text("two codes ", distance, " apart have the dot product ", fixed(product(0, distance), 6),
                 " at position 0, but ", fixed(product(p, distance), 6), " at ", p,
                 ". Is a position rounded, or an angle kept in a float? Far out little of it is left."));
}

// --- 6.5 and 6.6 ---

namespace locus {
// Taken when product_at.cpp has no such function.
__attribute__((weak)) double product_at(double, int, double) { fail("exercise 6.5", "still to be written"); }
}  // namespace locus

TEST_CASE("6.5 the dot product of two codes by their distance, from blank") {
  struct Case {
    double k;
    int width;
    double base;
  };
  static const std::vector<Case> cases = {{0, 4, 100}, {3, 8, 7}, {2.5, 6, 10000}, {-3, 8, 7}, {40, 32, 100}};
  using Term = std::function<double(double k, double w)>;
  const auto sum = [](
                       const Term& term, double (*factor)(int D) = [](int) { return 1.0; }) {
    return [=](std::size_t i) {
      double total = 0;
      for (int clock = 0; 2 * clock < cases[i].width; ++clock)
        total += term(cases[i].k, speed(clock, cases[i].width, cases[i].base));
      return list({total * factor(cases[i].width)});
    };
  };
  const Term right = [](double k, double w) { return std::cos(k * w); };
  std::vector<std::string> inputs;
  for (const Case& c : cases)
    inputs.push_back(text("distance ", c.k, ", width ", c.width, ", base ", c.base));
  compare(
      inputs, {"product"},
      [](std::size_t i) { return list({product_at(cases[i].k, cases[i].width, cases[i].base)}); }, sum(right),
      {{"the sines of k w_i are summed; sin a sin b + cos a cos b = cos(a - b)",
        sum([](double k, double w) { return std::sin(k * w); })},
       {"sine and cosine of k w_i are summed, as if the other code were all ones",
        sum([](double k, double w) { return std::sin(k * w) + std::cos(k * w); })},
       {"the cosines are squared", sum([](double k, double w) { return std::cos(k * w) * std::cos(k * w); })},
       {"every clock counts twice", sum(right, [](int) { return 2.0; })},
       {"the sum is divided by D", sum(right, [](int D) { return 1.0 / D; })},
       {"the sum is divided by D / 2: that is the cosine of the angle between the codes",
        sum(right, [](int D) { return 2.0 / D; })},
       {"the speeds are summed, without the cosine", sum([](double k, double w) { return k * w; })},
       {"k is divided by the speed", sum([](double k, double w) { return std::cos(k / w); })},
       {"k is left out", sum([](double, double w) { return std::cos(w); })},
       {"the speed is left out", sum([](double k, double) { return std::cos(k); })},
       {"the length of the code is given, whatever k is", sum([](double, double) { return 1; })}},
      1e-9);
}

TEST_CASE("6.6 your test: one matrix for every position, also for those it was not made from") {
  constexpr int D = 16;
  const auto code = [](double base) {
    return [=](double p) {
      Numbers all;
      for (int c = 0; c < D; ++c) all.push_back(wave(c, p * speed(c / 2, D, base)));
      return all;
    };
  };
  const auto times = [](const Numbers& M) {
    return [=](const Numbers& x) {
      Numbers y(D);
      for (std::size_t i = 0; i < M.size(); ++i) y[i / D] += M[i] * x[i % D];
      return y;
    };
  };
  // As in 6.3, of D = 16.
  const auto matrix = [](const Block& block, const std::function<double(double w)>& angle,
                         double base = 10000) {
    return array(D, D,
                 [&](int row, int column) {
                   return row / 2 == column / 2 ? block(row % 2, column % 2, angle(speed(row / 2, D, base)))
                                                : 0.0;
                 })
        .values;
  };
  const auto shift = [](double k) { return [=](double w) { return k * w; }; };
  // The right matrix plus one that gives 0 for the codes of positions 0 .. count-1, and for no others.
  const auto made_from = [&](int count, double k) {
    std::vector<Numbers> basis;  // of the space of these codes, and then one direction more
    Random random(1, Purpose::testing);
    for (int p = 0; p <= count; ++p) {
      Numbers next = p < count ? code(10000)(p) : Numbers(D);
      if (p == count)
        for (double& value : next) value = random.normal();
      for (int round = 0; round < 2; ++round)
        for (const Numbers& known : basis) {
          const double share = dot(known, next);
          for (std::size_t c = 0; c < D; ++c) next[c] -= share * known[c];
        }
      const double length = std::sqrt(dot(next, next));
      for (double& value : next) value /= length;
      basis.push_back(next);
    }
    Numbers M = matrix(turn(), shift(k));
    for (std::size_t i = 0; i < M.size(); ++i) M[i] += basis.back()[i % D];
    return M;
  };
  const auto candidate = [&](const std::string& what, bool is_right, const Numbers& M, double k,
                             double base = 10000) {
    return Candidate{what, is_right, [=] { return leads_on(code(base), times(M), k); }};
  };
  judge({candidate("M for k = 3", true, matrix(turn(), shift(3)), 3),
         candidate("M for k = -2.5", true, matrix(turn(), shift(-2.5)), -2.5),
         candidate("M for k = 0", true, matrix(turn(), shift(0)), 0),
         candidate("M for k = 40, with base 100", true, matrix(turn(), shift(40), 100), 40, 100),
         candidate("a matrix that leads back, not on", false, matrix(turn(-1, 1), shift(3)), 3),
         candidate("a matrix that leads one position too far", false, matrix(turn(), shift(4)), 3),
         candidate("a matrix that moves nothing", false, matrix(turn(), shift(0)), 3),
         candidate("a matrix of zeros", false, Numbers(D * D), 3),
         candidate("all clocks turned by k", false, matrix(turn(), [](double) { return 3; }), 3),
         candidate("only the first clock turned", false,
                   matrix(turn(), [](double w) { return w == 1 ? 3 : 0; }), 3),
         candidate("all clocks turned but the slowest", false,
                   matrix(turn(), [](double w) { return w < 1e-3 ? 0 : 3 * w; }), 3),
         candidate("both sines positive", false, matrix(turn(1, 1), shift(3)), 3),
         candidate("only the sines of the codes right", false, matrix(turn(1, 0), shift(3)), 3),
         candidate("only the cosines of the codes right", false, matrix(turn(0, -1), shift(3)), 3),
         candidate("a matrix with the speeds of base 100", false, matrix(turn(), shift(3), 100), 3),
         candidate("a matrix that is right at position 0, and made from nothing else", false, made_from(1, 3),
                   3),
         candidate("a matrix made from the codes of positions 0 to 3", false, made_from(4, 3), 3),
         candidate("a matrix made from the codes of positions 0 to 7: others are never seen", false,
                   made_from(8, 3), 3),
         candidate("a matrix made for k = -3, asked for k = 3", false, matrix(turn(), shift(-3)), 3)});
}
