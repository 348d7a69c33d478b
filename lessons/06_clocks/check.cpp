// Chapter 6. Plain loops, and numbers that others computed, say what the clocks must show.
#include "lessons/tools/check.h"

#include <numbers>

#include "lessons/06_clocks/contract.h"
#include "positional/support/sinusoid.h"

[[gnu::weak]] double locus::product_at(double, int, double) { still_to_write("6.5"); }

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
double wave(int channel, double angle) { return channel % 2 == 0 ? std::sin(angle) : std::cos(angle); }

struct Clocks {
  int width;
  double base;
  std::string words() const { return str("width ", width, ", base ", base); }
};

struct Shift {
  double k;
  int width;
  double base;
};

// The block of a clock in a matrix: row 0 gives the sine of p + k.
using Block = std::function<double(int row, int column, double angle)>;
// cos and sin of the four places; the signs of the two sines.
Block turn(double upper = 1, double lower = -1) {
  return [=](int row, int column, double angle) {
    if (row == column) return std::cos(angle);
    return (row == 0 ? upper : lower) * std::sin(angle);
  };
}
// A block for each clock, from its angle.
Array matrix(int D, const Block& block, const std::function<double(double w)>& angle, double base = 10000) {
  return filled({D, D}, [&](int row, int column) {
    return row / 2 == column / 2 ? block(row % 2, column % 2, angle(speed(row / 2, D, base))) : 0.0;
  });
}
std::function<double(double w)> shift(double k) {
  return [=](double w) { return k * w; };
}

Numbers code(double p, int D, double base = 10000) {
  return filled({D}, [&](int c) { return wave(c, p * speed(c / 2, D, base)); }).values;
}

Numbers times(const Numbers& M, const Numbers& x) {
  Numbers y;
  for (const Numbers& row : rows_of(M, x.size())) y.push_back(dot(row, x));
  return y;
}

TEST_CASE("6.1 the speed of each clock") {
  compare_cases<Clocks>(
      {{8, 10000}, {6, 7}, {32, 100}, {7, 10000}},
      [](auto& c) { return str("the speeds of ", (c.width + 1) / 2, " clocks (", c.words(), ")"); },
      {"clock"}, [](auto& c) { return list(inverse_frequencies(c.width, c.base)); },
      [](auto& c) {
        if (c.width == 8) return list(golden_speeds);
        return filled({(c.width + 1) / 2}, [&](int i) { return speed(i, c.width, c.base); });
      },
      exact);

  std::vector<std::string> lines;
  for (const double w : inverse_frequencies(16, 10000)) {
    const double turns = 16 * w / (2 * std::numbers::pi);
    lines.push_back(str(fixed(turns, 4), "  ", bar(turns / 2.6)));
  }
  show("Your 8 clocks (width 16): turns that each makes in 16 tokens", lines);
}

// same, 2 of `code.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));`: the remainder of -c is 0 exactly when that of c is; the cosine is even
TEST_CASE("6.2 the code of a position") {
  constexpr int positions = 8;  // more than a turn of the fastest clock
  compare_cases<Clocks>(
      {{4, 10000}, {8, 7}, {5, 100}},
      [](auto& c) { return str("the codes of positions 0 to ", positions - 1, " (", c.words(), ")"); },
      {"position", "channel"},
      [](auto& c) {
        std::vector<Numbers> codes;
        for (int p = 0; p < positions; ++p) codes.push_back(sinusoid(p, c.width, c.base));
        return array_of(codes);
      },
      [](auto& c) {
        return filled({positions, c.width}, [&](int p, int channel) {
          if (c.width == 4 && p < 3) return golden_codes.data()[p].data()[channel];
          return wave(channel, p * speed(channel / 2, c.width, c.base));
        });
      },
      exact);
  compare_cases<Clocks>(
      {{6, 100}}, [](auto& c) { return str("the code of position 2.5 (", c.words(), ")"); }, {"channel"},
      [](auto& c) { return list(sinusoid(2.5, c.width, c.base)); },
      [](auto& c) {
        return filled({c.width},
                      [&](int channel) { return wave(channel, 2.5 * speed(channel / 2, c.width, c.base)); });
      },
      exact);

  std::vector<std::string> rows;
  for (int channel = 0; channel < 8; ++channel)
    rows.push_back(
        shades(filled({32}, [&](int p) { return (1 + sinusoid(p, 8, 100)[channel]) / 2; }).values));
  show("Your codes of the positions 0 to 31 (width 8, base 100): a row for each channel", rows);
}

// same, 6 of `M[c * D + c] = M[(c + 1) * D + c + 1] = std::cos(angle);`: the two lines can stand in either order: neither reads what the other writes; the element is 0 before; the cosine is even; D is width, only of another type
// same, 3 of `M[c * D + c + 1] = std::sin(angle);`: the two lines can stand in either order: neither reads what the other writes; the element is 0 before; D is width, only of another type
// same, 3 of `M[(c + 1) * D + c] = -std::sin(angle);`: the element is 0 before; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]; D is width, only of another type
// same, 1 of `for (std::size_t c = 0; c < D; c += 2) {`: D is width, only of another type
TEST_CASE("6.3 one matrix shifts every code by k positions") {
  compare_cases<Shift>(
      {{3, 6, 10000}, {-0.5, 4, 7}, {40, 8, 100}},
      [](auto& c) { return str("M_k for k = ", c.k, " (width ", c.width, ", base ", c.base, ")"); },
      {"row", "column"},
      [](auto& c) {
        const Numbers M = shift_matrix(c.k, c.width, c.base);
        return M.size() == static_cast<std::size_t>(c.width * c.width) ? Array{{c.width, c.width}, M}
                                                                       : list(M);
      },
      [](auto& c) { return matrix(c.width, turn(), shift(c.k), c.base); }, 1e-12);
  show("Your matrix that moves every code of width 8 by 3 positions: a turn for each clock",
       shaded({{8, 8}, shift_matrix(3, 8, 100)}));
}

TEST_CASE("6.4 the dot product of two codes depends on their distance only") {
  const SchemeAlone scheme("sinusoidal:base=100", 64);
  const auto product = [&](double p, double distance) {
    return dot(scheme->code(p, 0, nullptr), scheme->code(p + distance, 0, nullptr));
  };
  for (const double distance : {0.0, 1.0, 2.5, 12.0})
    for (const double p : {1.0, 0.5, 100.0, 1857.0, 100000.0})
      require(
          std::abs(product(p, distance) - product(0, distance)) < 1e-8, "two codes ", distance,
          " apart have the dot product ", fixed(product(0, distance), 6), " at position 0, but ",
          fixed(product(p, distance), 6), " at ", p,
          ". Is a position rounded, looked up in a table that ends, or reduced by 2 pi before it is multiplied by "
          "its w? Or is an angle kept in a "
          "float or reduced by a rounded 2 pi, which leaves too few digits?");
}

// same, 1 of `for (int i = 0; 2 * i < width; ++i) sum += std::cos(k * std::pow(base, -2.0 * i / width));`: the cosine is even
TEST_CASE("6.5 the dot product of two codes by their distance, from blank") {
  compare_cases<Shift>(
      {{0, 4, 100}, {3, 8, 7}, {2.5, 6, 10000}, {-3, 8, 7}, {40, 32, 100}},
      [](auto& c) { return str("distance ", c.k, ", width ", c.width, ", base ", c.base); }, {"product"},
      [](auto& c) { return list({product_at(c.k, c.width, c.base)}); },
      [](auto& c) {
        const auto of_clock = [&](int i) { return std::cos(c.k * speed(i, c.width, c.base)); };
        return list({sum_of(c.width / 2, of_clock)});
      },
      1e-9);
  std::vector<std::string> rows;
  for (const int distance : {0, 1, 2, 4, 8, 22, 25, 28, 32})
    rows.push_back(str(distance < 10 ? " " : "", distance, " apart  ",
                       bar(std::max(0.0, product_at(distance, 64, 10000) / 32))));
  show("Your product of two codes of width 64: near is alike, and further on it swings", rows);
}

TEST_CASE("6.6 your test: does a matrix shift all codes?") {
  constexpr int D = 16;
  // The right matrix plus one that gives 0 for the codes of these positions, and for no others.
  const auto made_from = [&](const std::vector<double>& positions, double k) {
    std::vector<Numbers> basis;  // of the space of these codes, and then one direction more
    for (std::size_t i = 0; i <= positions.size(); ++i) {
      Numbers next = i < positions.size() ? code(positions[i], D) : random_numbers(D, 1);
      for (int round = 0; round < 2; ++round)
        for (const Numbers& known : basis) {
          const double share = dot(known, next) / dot(known, known);
          for (std::size_t c = 0; c < D; ++c) next[c] -= share * known[c];
        }
      basis.push_back(next);
    }
    Array M = matrix(D, turn(), shift(k));
    for (std::size_t i = 0; i < M.values.size(); ++i) M.values[i] += basis.back()[i % D];
    return M;
  };
  const auto first = [](int count) {
    std::vector<double> positions;
    for (int p = 0; p < count; ++p) positions.push_back(p);
    return positions;
  };
  // M_k with each row times a factor.
  const auto with = [&](double k, double (*factor)(int row)) {
    Array M = matrix(D, turn(), shift(k));
    for (std::size_t i = 0; i < M.values.size(); ++i) M.values[i] *= factor(static_cast<int>(i) / D);
    return M;
  };
  const auto sum = [](Array a, const Array& b) {
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
    return a;
  };
  // A matrix that should shift codes by k.
  struct Matrix {
    Array M;
    double k = 3, base = 10000;
  };
  const auto test = [](const Matrix& m) {
    return shifts_all([&](double p) { return code(p, D, m.base); },
                      [&](const Numbers& x) { return times(m.M.values, x); }, m.k);
  };
  judge<Matrix>(
      test,
      {{"M_k for k = 3", {matrix(D, turn(), shift(3))}},
       {"M_k for k = -2.5", {matrix(D, turn(), shift(-2.5)), -2.5}},
       {"M_k for k = 0", {matrix(D, turn(), shift(0)), 0}},
       {"M_k for k = 40, with base 100", {matrix(D, turn(), shift(40), 100), 40, 100}}},
      {{"a matrix that shifts by -k, not by k", {matrix(D, turn(-1, 1), shift(3))}},
       {"a matrix that shifts by k + 1", {matrix(D, turn(), shift(4))}},
       {"a matrix that changes nothing", {matrix(D, turn(), shift(0))}},
       {"a matrix of zeros", {filled({D, D}, [](int, int) { return 0; })}},
       {"all clocks turned by k", {matrix(D, turn(), [](double) { return 3; })}},
       {"only the first clock turned", {matrix(D, turn(), [](double w) { return w == 1 ? 3 : 0; })}},
       {"all clocks turned but the slowest",
        {matrix(D, turn(), [](double w) { return w < 1e-3 ? 0 : 3 * w; })}},
       {"both sines positive", {matrix(D, turn(1, 1), shift(3))}},
       {"only the sines of the codes right", {matrix(D, turn(1, 0), shift(3))}},
       {"only the cosines of the codes right", {matrix(D, turn(0, -1), shift(3))}},
       {"the slowest sine halved, so that nothing is too large",
        {with(3, [](int row) { return row == D - 2 ? 0.5 : 1.0; })}},
       {"every number doubled", {with(3, [](int) { return 2.0; })}},
       {"every number negated", {with(3, [](int) { return -1.0; })}},
       {"the sines negated, with k = 0", {with(0, [](int row) { return row % 2 == 0 ? -1.0 : 1.0; }), 0}},
       {"all numbers are NaN", {with(3, [](int) { return std::nan(""); })}},
       {"two clocks exchanged",
        {filled({D, D},
                [&](int row, int column) {
                  return matrix(D, turn(), shift(3))
                      .values[static_cast<std::size_t>((row < 4 ? (row + 2) % 4 : row) * D + column)];
                })}},
       {"a quarter turn added to the right one",
        {sum(matrix(D, turn(), shift(3)),
             matrix(D, turn(), [](double w) { return 3 * w + std::acos(0.0); }))}},
       {"a matrix with the speeds of base 100", {matrix(D, turn(), shift(3), 100)}},
       {"a matrix that is right at position 0, and made from nothing else", {made_from({0}, 3)}},
       {"a matrix made from the codes of positions 0 to 3", {made_from(first(4), 3)}},
       {"a matrix made from the codes of positions 0 to 7", {made_from(first(8), 3)}},
       // slow clocks hardly move: up to position 20 it is wrong by less than 1e-9
       {"a matrix made from the codes of positions 0 to 12", {made_from(first(13), 3)}},
       {"a matrix made from the codes of positions 0, 1, 10, 100 and 1000",
        {made_from({0, 1, 10, 100, 1000}, 3)}},
       {"a matrix made from the codes of positions 0, 250, 500, 750 and 1000",
        {made_from({0, 250, 500, 750, 1000}, 3)}}});
}

}  // namespace
