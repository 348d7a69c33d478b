// Chapter 6. Plain loops, and numbers that others computed, say what the clocks must show.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "lessons/tools/compare.h"
#include "positional/support/registry.h"
#include "positional/support/sinusoid.h"
#include "report/format.h"

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

Array list(const Numbers& numbers) { return {{static_cast<int>(numbers.size())}, numbers}; }

// --- 6.1 ---

// w_i if f were the formula.
Numbers speeds(int width, const std::function<double(int)>& f) {
  Numbers w;
  for (int i = 0; 2 * i < width; ++i) w.push_back(f(i));
  return w;
}

std::vector<Mistake> wrong_speeds(int D, double base) {
  const auto with = [&](const std::function<double(int)>& f) { return speeds(D, f); };
  const auto exponent = [&](const std::function<double(int)>& f) {
    return with([&](int i) { return std::pow(base, f(i)); });
  };
  return {{"the exponent is an integer division, which leaves 0: write 2.0 * i / width",
           exponent([&](int i) { return -2 * i / D; })},
          {"the exponent is doubled: 2i counts channels already, and clock i has the exponent -2i / D, not "
           "-4i / D",
           exponent([&](int i) { return -4.0 * i / D; })},
          {"the 2 of the exponent is missing, and the slowest clock is far too fast",
           exponent([&](int i) { return -1.0 * i / D; })},
          {"the minus of the exponent is missing: the clocks get faster and faster",
           exponent([&](int i) { return 2.0 * i / D; })},
          {"the exponent is divided by D - 2, so that the last clock turns by exactly 1 / base; the paper "
           "divides by D",
           exponent([&](int i) { return -2.0 * i / (D - 2); })},
          {"clocks are counted from 1, and the first turns by more than 1",
           exponent([&](int i) { return -2.0 * (i - 1) / D; })},
          {"clocks are counted from 1, and the first turns by less than 1",
           exponent([&](int i) { return -2.0 * (i + 1) / D; })},
          {"the power is taken first and divided by D after: base^(-2i) / D",
           with([&](int i) { return std::pow(base, -2.0 * i) / D; })},
          {"base and exponent have changed places: std::pow(base, exponent)",
           with([&](int i) { return std::pow(2.0 * i / D, 1 / base); })},
          {"the base is 10000 whatever `base` says", with([&](int i) { return speed(i, D, 10000); })}};
}

void compare_speeds(int width, double base, const Numbers& right) {
  compare(text("the speeds of ", right.size(), " clocks (width ", width, ", base ", base, ")"), {"clock"},
          list(inverse_frequencies(width, base)), list(right), wrong_speeds(width, base), exact);
}

// --- 6.2 ---

// The codes of positions 0, 1 ... if f were the formula.
Array codes(int positions, int width, const std::function<double(double p, int channel)>& f) {
  return array(positions, width, [&](int p, int c) { return f(p, c); });
}

double wave(int channel, double angle) { return channel % 2 == 0 ? std::sin(angle) : std::cos(angle); }

std::vector<Mistake> wrong_codes(int positions, int D, double base) {
  const auto w = [&](int c) { return speed(c / 2, D, base); };
  const auto with = [&](const std::function<double(double, int)>& f) {
    return codes(positions, D, f).values;
  };
  return {{"all sines come first, then all cosines; here they take turns (a model would learn as well from "
           "either, but not from both mixed)",
           with([&](double p, int c) {
             const double angle = p * speed(c % (D / 2), D, base);
             return c < D / 2 ? std::sin(angle) : std::cos(angle);
           })},
          {"the cosine comes before the sine", with([&](double p, int c) { return wave(c + 1, p * w(c)); })},
          {"positions are counted from 1: the code of 0 is 0 1 0 1 ...",
           with([&](double p, int c) { return wave(c, (p + 1) * w(c)); })},
          {"sine and cosine of one clock have speeds of their own: channels 2i and 2i + 1 share w_i",
           with([&](double p, int c) { return wave(c, p * std::pow(base, -1.0 * c / D)); })},
          {"the position is divided by w_i, not multiplied: w_i is how far the hand turns from one position "
           "to the next",
           with([&](double p, int c) { return wave(c, p / w(c)); })},
          {"angles are taken 2 pi times as large: p w_i is in radians already",
           with([&](double p, int c) { return wave(c, p * w(c) * 2 * std::acos(-1)); })},
          {"there are sines only; the cosines make it a hand with a direction",
           with([&](double p, int c) { return std::sin(p * w(c)); })}};
}

void compare_codes(int width, double base, const Array& right) {
  const int positions = right.shape[0];
  Array yours{{positions, 0}, {}};
  for (int p = 0; p < positions; ++p) {
    const Numbers code = sinusoid(p, width, base);
    yours.shape = {positions, static_cast<int>(code.size())};
    yours.values.insert(yours.values.end(), code.begin(), code.end());
  }
  compare(text("the codes of positions 0 to ", positions - 1, " (width ", width, ", base ", base, ")"),
          {"position", "channel"}, yours, right, wrong_codes(positions, width, base), exact);
}

// --- 6.3 ---

// M_k if the clocks turned by these angles; `halves`: clock i made of channels i and i + D/2.
Array turns(int D, const std::function<double(int clock)>& angle, bool halves = false) {
  return array(D, D, [&](int row, int column) {
    const int clock = halves ? row % (D / 2) : row / 2, other = halves ? column % (D / 2) : column / 2;
    const bool sine_row = halves ? row < D / 2 : row % 2 == 0;
    if (clock != other) return 0.0;
    if (row == column) return std::cos(angle(clock));
    return sine_row ? std::sin(angle(clock)) : -std::sin(angle(clock));
  });
}

void compare_shift(double k, int D, double base) {
  const auto with = [&](const std::function<double(int)>& angle) { return turns(D, angle).values; };
  const auto w = [&](int i) { return speed(i, D, base); };
  const auto right = [&](int i) { return k * w(i); };
  const Array in_halves = turns(D, right, true);
  Array both_positive = turns(D, right);
  for (int c = 1; c < D; c += 2) both_positive.values[static_cast<std::size_t>(c * D + c - 1)] *= -1;
  compare(text("M for k = ", k, " (width ", D, ", base ", base, ")"), {"row", "column"},
          {{D, D}, shift_matrix(k, D, base)}, turns(D, right),
          {{"it leads k positions back, not on: the minus stands before the other sine",
            with([&](int i) { return -k * w(i); })},
           {"every clock turns by k; clock i turns by k w_i", with([&](int) { return k; })},
           {"every clock turns by w_i, whatever k is", with(w)},
           {"the clocks are taken from channels i and i + D / 2; here sine and cosine are neighbours",
            in_halves.values},
           {"both sines have a plus: that mirrors as well as turns", both_positive.values}},
          1e-12);
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
  compare_speeds(8, 10000, golden_speeds);
  for (const auto& [width, base] : {std::pair{6, 10.0}, {32, 100.0}, {7, 10000.0}})
    compare_speeds(width, base, speeds(width, [w = width, b = base](int i) { return speed(i, w, b); }));
}

TEST_CASE("6.2 where each hand points at a position") {
  compare_codes(4, 10000, codes(3, 4, [](double p, int c) {
                  return golden_codes[static_cast<std::size_t>(p)][static_cast<std::size_t>(c)];
                }));
  for (const auto& [width, base] : {std::pair{6, 100.0}, {5, 10000.0}})
    compare_codes(width, base, codes(5, width, [w = width, b = base](double p, int c) {
                    return wave(c, p * speed(c / 2, w, b));
                  }));
}

TEST_CASE("6.3 one matrix moves every code k positions on") {
  compare_shift(3, 6, 10000);
  compare_shift(-0.5, 4, 10);
  for (const double k : {1.0, 40.0, -7.0}) leads_everywhere(k, 32);
}

TEST_CASE("6.4 the dot product of two codes knows how far apart they are, and not where") {
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
                 ". Is an angle kept in a float, or a position rounded? Far out little of it is left."));
}
