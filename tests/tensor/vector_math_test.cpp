// Each function against a plain loop in double, over sizes around the width of a pack.
#include "tensor/vector_math.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "../support/random_values.h"
#include "tensor/pack.h"

namespace vector_math_test {

using namespace locus;

namespace {

using Doubles = std::vector<double>;
constexpr double epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());

std::vector<int> ragged_sizes(int smallest) {
  std::vector<int> sizes = {100, 1000};
  for (int size = smallest; size <= 4 * lanes + 3; ++size) sizes.push_back(size);
  return sizes;
}

// Fewer rows than are worked on together, as many, and more.
const std::vector<int> row_counts{0, 1, 3, lanes, lanes + 1};

Doubles in_double(const Reals& values) { return {values.begin(), values.end()}; }

// Room for `count` results between guards that must stay as they are.
class Guarded {
 public:
  explicit Guarded(std::size_t count, const Reals& start = {}) : memory_(count + 2 * guard, Real(77)) {
    std::copy(start.begin(), start.end(), memory_.begin() + guard);
  }
  Real* data() { return memory_.data() + guard; }
  Doubles values() const { return {memory_.begin() + guard, memory_.end() - guard}; }
  bool guards_hold() const {
    const auto untouched = [](Real x) { return x == 77; };
    return std::all_of(memory_.begin(), memory_.begin() + guard, untouched) &&
           std::all_of(memory_.end() - guard, memory_.end(), untouched);
  }

 private:
  static constexpr std::ptrdiff_t guard = 64;
  Reals memory_;
};

// Whether all results are within `epsilons` units of rounding of a scale (at least 1) and nothing else was
// written.
void check_close(const Guarded& results, const Doubles& expected, double epsilons) {
  const Doubles got = results.values();
  REQUIRE(got.size() == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::abs(got[i] - expected[i]) / std::max(1.0, std::abs(expected[i])) / epsilon;
    if (!(error <= largest)) largest = error;
  }
  CHECK(largest <= epsilons);
  CHECK(results.guards_hold());
}

// Row by row; when causal, row i of each square sees columns 0 to i.
Doubles plain_softmax(const Doubles& x, int rows, int columns, bool causal) {
  Doubles y(x.size());
  for (int row = 0; row < rows; ++row) {
    const auto start = static_cast<std::size_t>(row * columns);
    const auto visible = static_cast<std::size_t>(causal ? row % columns + 1 : columns);
    const double largest =
        *std::max_element(x.begin() + row * columns, x.begin() + row * columns + int(visible));
    double total = 0;
    for (std::size_t j = 0; j < visible; ++j) total += std::exp(x[start + j] - largest);
    for (std::size_t j = 0; j < visible; ++j) y[start + j] = std::exp(x[start + j] - largest) / total;
  }
  return y;
}

std::size_t product(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

}  // namespace

TEST_CASE("vector math: sum, sum of squares and dot equal plain loops") {
  for (const int size : ragged_sizes(0)) {
    CAPTURE(size);
    const auto count = static_cast<std::size_t>(size);
    const auto x = random_values(count, 1), y = random_values(count, 2);
    double total = 0, squares = 0, product = 0, sizes = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double a = static_cast<double>(x[i]), b = static_cast<double>(y[i]);
      total += a;
      squares += a * a;
      product += a * b;
      sizes += std::abs(a) + a * a + std::abs(a * b);
    }
    const double allowed = epsilon * (size + 1) * sizes;  // for any order of summation
    CHECK(std::abs(static_cast<double>(sum(x.data(), count)) - total) <= allowed);
    CHECK(std::abs(static_cast<double>(sum_of_squares(x.data(), count)) - squares) <= allowed);
    CHECK(std::abs(static_cast<double>(dot(x.data(), y.data(), count)) - product) <= allowed);
  }
}

// The sum of add(0, i) over a row as every processor computes it: four times as many partial sums as a pack has lanes
// take turns, the packs that are left over go to the first of the four, an end shorter than a pack to the second.
template <class Add>
Real sum_in_lanes(int size, Add add) {
  Real totals[4][lanes] = {};
  int i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes)
    for (int j = 0; j < 4 * lanes; ++j)
      totals[j / lanes][j % lanes] = add(totals[j / lanes][j % lanes], static_cast<std::size_t>(i + j));
  for (; i < size; ++i) {
    Real& total = totals[size - i / lanes * lanes < lanes ? 1 : 0][i % lanes];
    total = add(total, static_cast<std::size_t>(i));
  }
  Real x[lanes];
  for (int j = 0; j < lanes; ++j) x[j] = (totals[0][j] + totals[1][j]) + (totals[2][j] + totals[3][j]);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int j = 0; j < half; ++j) x[j] += x[j + half];
  return x[0];
}

TEST_CASE("vector math: sums have the bits of one order, whatever registers the processor has") {
  for (const int size : ragged_sizes(0)) {
    CAPTURE(size);
    const auto count = static_cast<std::size_t>(size);
    const auto x = random_values(count, 1), y = random_values(count, 2);
    CHECK(sum(x.data(), count) == sum_in_lanes(size, [&](Real total, auto i) { return total + x[i]; }));
    CHECK(dot(x.data(), y.data(), count) == sum_in_lanes(size, [&](Real total, auto i) {
            return fma(splat(x[i]), splat(y[i]), splat(total))[0];
          }));
  }
}

TEST_CASE("vector math: sum_rows adds up columns, onto what is there") {
  for (const int columns : ragged_sizes(0))
    for (const int rows : {0, 1, 2, 5}) {
      CAPTURE(columns);
      CAPTURE(rows);
      const auto count = static_cast<std::size_t>(columns);
      const auto x = random_values(count * static_cast<std::size_t>(rows), 1),
                 start = random_values(count, 2);
      Doubles expected = in_double(start);
      for (std::size_t i = 0; i < x.size(); ++i) expected[i % count] += static_cast<double>(x[i]);
      Guarded sums(count, start);
      sum_rows(x.data(), rows, columns, sums.data());
      check_close(sums, expected, 8);
    }
}

TEST_CASE("vector math: softmax equals plain loops, in place too, and tells what it divided by") {
  for (const int columns : ragged_sizes(1))
    for (const int rows : row_counts) {
      const bool in_place = columns % 2 == 0;
      CAPTURE(columns);
      CAPTURE(rows);
      const auto x = random_values(product(rows, columns), 1, 3);
      Guarded y(x.size(), x);
      std::vector<SoftmaxSum> divisors(static_cast<std::size_t>(rows));
      softmax(in_place ? y.data() : x.data(), rows, columns, false, y.data(), divisors.data());
      check_close(y, plain_softmax(in_double(x), rows, columns, false), 16);
      for (int row = 0; row < rows; ++row) {
        const auto first = x.begin() + row * columns;
        double total = 0;
        for (auto value = first; value != first + columns; ++value) total += std::exp(double(*value));
        const auto [largest, sum] = divisors[static_cast<std::size_t>(row)];
        CHECK(largest == *std::max_element(first, first + columns));
        CHECK(double(sum) * std::exp(double(largest)) == doctest::Approx(total).epsilon(100 * epsilon));
      }
    }
}

TEST_CASE("vector math: a causal softmax sees no later column, whatever stands there") {
  for (const int columns : ragged_sizes(1))
    for (const int matrices : {1, 2}) {
      if (columns > 100) continue;
      CAPTURE(columns);
      const int rows = matrices * columns;
      auto x = random_values(product(rows, columns), 1, 3);
      Guarded y(x.size());
      softmax(x.data(), rows, columns, true, y.data());
      check_close(y, plain_softmax(in_double(x), rows, columns, true), 16);
      for (int row = 0; row < rows; ++row)
        for (int j = row % columns + 1; j < columns; ++j)
          x[static_cast<std::size_t>(row * columns + j)] = std::numeric_limits<Real>::quiet_NaN();
      Guarded again(x.size());
      softmax(x.data(), rows, columns, true, again.data());
      CHECK(again.values() == y.values());
    }
}

TEST_CASE("vector math: softmax of huge, equal and infinitely low numbers") {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Reals x = {Real(1e30), Real(1e30), -infinity, Real(-1e30), Real(1e30), Real(0), Real(1e30)};
  Guarded y(x.size());
  softmax(x.data(), 1, static_cast<int>(x.size()), false, y.data());
  check_close(y, {0.25, 0.25, 0, 0, 0.25, 0, 0.25}, 0);
}

TEST_CASE("vector math: softmax_backward equals plain loops, over or onto what is there") {
  for (const int columns : ragged_sizes(1))
    for (const bool causal : {false, true})
      for (const int rows : causal ? std::vector{columns, 2 * columns} : row_counts) {
        if (causal && columns > 100) continue;
        CAPTURE(columns);
        CAPTURE(rows);
        CAPTURE(causal);
        const auto count = product(rows, columns);
        const auto y = random_values(count, 1), dy = random_values(count, 2), start = random_values(count, 3);
        double scale = 1;
        Doubles expected = in_double(start);
        for (int row = 0; row < rows; ++row) {
          const auto first = product(row, columns);
          const auto end = first + static_cast<std::size_t>(causal ? row % columns + 1 : columns);
          double mean = 0, sizes = 0;
          for (std::size_t i = first; i < end; ++i) {
            mean += double(y[i] * dy[i]);
            sizes += std::abs(double(y[i] * dy[i]));
          }
          scale = std::max(scale, 1 + sizes);
          for (std::size_t i = first; i < end; ++i) expected[i] += double(y[i]) * (double(dy[i]) - mean);
        }
        Guarded added_to(count, start), assigned(count, start);
        softmax_backward(y.data(), dy.data(), rows, columns, causal, added_to.data(), true);
        softmax_backward(y.data(), dy.data(), rows, columns, causal, assigned.data(), false);
        check_close(added_to, expected, 8 + 4 * scale);
        for (std::size_t i = 0; i < count; ++i) expected[i] -= double(start[i]);
        check_close(assigned, expected, 8 + 4 * scale);
      }
}

TEST_CASE("vector math: gelu and its slope equal plain loops, and the slope is optional") {
  for (const int size : ragged_sizes(0)) {
    CAPTURE(size);
    const auto count = static_cast<std::size_t>(size);
    const auto x = random_values(count, 1, 3);
    Doubles values, slopes;
    for (const Real v : x) {
      const double a = static_cast<double>(v), cumulative = std::erfc(-a / std::sqrt(2.0)) / 2;
      values.push_back(a * cumulative);
      slopes.push_back(cumulative + a * std::exp(-a * a / 2) / std::sqrt(2 * std::acos(-1.0)));
    }
    Guarded y(count), slope(count), y_alone(count);
    gelu(x.data(), count, y.data(), slope.data());
    gelu(x.data(), count, y_alone.data(), nullptr);
    check_close(y, values, 16);
    check_close(slope, slopes, 16);
    CHECK(y_alone.values() == y.values());
  }
}

TEST_CASE("vector math: tanh equals a plain loop") {
  for (const int size : ragged_sizes(0)) {
    CAPTURE(size);
    const auto count = static_cast<std::size_t>(size);
    const auto x = random_values(count, 1, 3);
    Doubles expected;
    for (const Real value : x) expected.push_back(std::tanh(static_cast<double>(value)));
    Guarded y(count);
    tanh(x.data(), count, y.data());
    check_close(y, expected, 4);
  }
}

TEST_CASE("vector math: normalise equals plain loops, also far from zero") {
  for (const int columns : ragged_sizes(1))
    for (const int rows : row_counts)
      for (const double centre : {0.0, 100.0}) {
        CAPTURE(columns);
        CAPTURE(rows);
        CAPTURE(centre);
        const auto width = static_cast<std::size_t>(columns);
        auto x = random_values(product(rows, columns), 1);
        for (Real& value : x) value += static_cast<Real>(centre);
        const auto gain = random_values(width, 2), bias = random_values(width, 3);
        const Doubles a = in_double(x);
        Doubles expected, means, scales;
        for (int row = 0; row < rows; ++row) {
          const auto first = a.begin() + row * columns;
          // in more digits than double has: the plain sum of numbers near 100 would lose some
          const double mean = static_cast<double>(std::accumulate(first, first + columns, 0.0L) / columns);
          double variance = 0;
          for (auto v = first; v != first + columns; ++v) variance += (*v - mean) * (*v - mean) / columns;
          means.push_back(mean);
          scales.push_back(1 / std::sqrt(variance + normalise_epsilon));
          for (std::size_t j = 0; j < width; ++j)
            expected.push_back((first[static_cast<std::ptrdiff_t>(j)] - mean) * scales.back() *
                                   double(gain[j]) +
                               double(bias[j]));
        }
        Guarded y(x.size());
        std::vector<RowMoments> moments(static_cast<std::size_t>(rows));
        normalise(x.data(), rows, columns, gain.data(), bias.data(), y.data(), moments.data());
        const double largest = rows == 0 ? 1 : std::max(1.0, *std::ranges::max_element(scales));
        check_close(y, expected, (20 + 4 * centre) * largest);
        for (std::size_t row = 0; row < moments.size(); ++row) {
          CHECK(double(moments[row].mean) == doctest::Approx(means[row]).epsilon(100 * epsilon));
          CHECK(double(moments[row].scale) ==
                doctest::Approx(scales[row]).epsilon(1e4 * epsilon * (1 + centre)));
        }
      }
}

TEST_CASE("vector math: normalise_backward equals plain loops; gain and bias are always added to") {
  for (const int columns : ragged_sizes(2))
    for (const int rows : row_counts) {
      CAPTURE(columns);
      CAPTURE(rows);
      const auto count = product(rows, columns), width = static_cast<std::size_t>(columns);
      const auto x = random_values(count, 1), gain = random_values(width, 2), dy = random_values(count, 3);
      const auto start = random_values(count, 4), gain_start = random_values(width, 5),
                 bias_start = random_values(width, 6);
      Reals y(count);
      const Reals no_bias(width);
      std::vector<RowMoments> moments(static_cast<std::size_t>(rows));
      normalise(x.data(), rows, columns, gain.data(), no_bias.data(), y.data(), moments.data());

      Doubles dx_expected = in_double(start);
      Doubles dgain_expected = in_double(gain_start), dbias_expected = in_double(bias_start);
      double largest = 1;
      for (int row = 0; row < rows; ++row) {
        const double mean = double(moments[static_cast<std::size_t>(row)].mean),
                     scale = double(moments[static_cast<std::size_t>(row)].scale);
        largest = std::max(largest, scale);
        double mean_g = 0, mean_gz = 0;
        Doubles z, g;
        for (std::size_t j = 0; j < width; ++j) {
          const std::size_t i = product(row, columns) + j;
          z.push_back((double(x[i]) - mean) * scale);
          g.push_back(double(dy[i]) * double(gain[j]));
          mean_g += g[j] / columns;
          mean_gz += g[j] * z[j] / columns;
        }
        for (std::size_t j = 0; j < width; ++j) {
          const std::size_t i = product(row, columns) + j;
          dx_expected[i] += scale * (g[j] - mean_g - z[j] * mean_gz);
          dgain_expected[j] += double(dy[i]) * z[j];
          dbias_expected[j] += double(dy[i]);
        }
      }
      Guarded dx(count, start), dgain(width, gain_start), dbias(width, bias_start);
      normalise_backward(x.data(), moments.data(), rows, columns, gain.data(), dy.data(), dx.data(),
                         dgain.data(), dbias.data());
      check_close(dx, dx_expected, 32 * largest);
      check_close(dgain, dgain_expected, 8 + 4 * rows);
      check_close(dbias, dbias_expected, 2 + 2 * rows);
    }
}

TEST_CASE("vector math: the two middle axes swapped, copied or added") {
  for (const int d : ragged_sizes(0)) {
    CAPTURE(d);
    const int A = 2, B = 3, C = 4;
    const std::size_t count = product(A * B * C, d);
    const auto x = random_values(count, 1), start = random_values(count, 2);
    Doubles copied(count), added(count);
    for (int a = 0; a < A; ++a)
      for (int b = 0; b < B; ++b)
        for (int c = 0; c < C; ++c)
          for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j) {
            const std::size_t from = product((a * B + b) * C + c, d) + j,
                              to = product((a * C + c) * B + b, d) + j;
            copied[to] = static_cast<double>(x[from]);
            added[to] = static_cast<double>(start[to] + x[from]);
          }
    Guarded y(count), sum(count, start);
    swap_axes(x.data(), A, B, C, d, y.data());
    swap_axes(x.data(), A, B, C, d, sum.data(), true);
    check_close(y, copied, 0);
    check_close(sum, added, 0);
  }
}

}  // namespace vector_math_test
