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
#include "base/pack.h"

using namespace locus;

namespace {

using Doubles = std::vector<double>;
constexpr double epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());

std::vector<int> ragged_sizes(int smallest) {
  std::vector<int> sizes = {100, 1000};
  for (int size = smallest; size <= 4 * lanes + 3; ++size) sizes.push_back(size);
  return sizes;
}

// How many numbers may be read after a row: none, so that nothing past its end may be touched, or a pack of
// them.
const std::vector<std::size_t> margins{0, 64};

std::vector<Real> with_margin(std::vector<Real> values, std::size_t margin) {
  values.insert(values.end(), margin, std::numeric_limits<Real>::quiet_NaN());
  values.shrink_to_fit();  // so that the address sanitizer knows the end
  return values;
}

Doubles in_double(const std::vector<Real>& values) { return {values.begin(), values.end()}; }

// Room for `count` results between guards that must stay as they are.
class Guarded {
 public:
  explicit Guarded(std::size_t count, const std::vector<Real>& start = {})
      : memory_(count + 2 * guard, Real(77)) {
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
  std::vector<Real> memory_;
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

Doubles plain_softmax(Doubles x) {
  const double largest = x.empty() ? 0 : *std::ranges::max_element(x);
  double total = 0;
  for (double& value : x) total += value = std::exp(value - largest);
  for (double& value : x) value /= total;
  return x;
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

TEST_CASE("vector math: sum_rows adds up columns, over or onto what is there") {
  for (const int columns : ragged_sizes(0))
    for (const int rows : {0, 1, 2, 5})
      for (const bool accumulate : {false, true}) {
        CAPTURE(columns);
        CAPTURE(rows);
        CAPTURE(accumulate);
        const auto count = static_cast<std::size_t>(columns);
        const auto x = random_values(count * static_cast<std::size_t>(rows), 1),
                   start = random_values(count, 2);
        Doubles expected = accumulate ? in_double(start) : Doubles(count);
        for (std::size_t i = 0; i < x.size(); ++i) expected[i % count] += static_cast<double>(x[i]);
        Guarded sums(count, start);
        sum_rows(x.data(), rows, columns, sums.data(), accumulate);
        check_close(sums, expected, 8);
      }
}

TEST_CASE("vector math: softmax equals plain loops, in place too, and returns what it divided by") {
  for (const int size : ragged_sizes(0))
    for (const std::size_t margin : margins) {
      const bool in_place = size % 2 == 0;
      CAPTURE(size);
      CAPTURE(margin);
      const auto count = static_cast<std::size_t>(size);
      const auto x = random_values(count, 1, 3);
      Guarded y(count, x);
      const SoftmaxSum divisor =
          softmax(in_place ? y.data() : with_margin(x, margin).data(), size, y.data(), count + margin);
      check_close(y, plain_softmax(in_double(x)), 16);
      if (size == 0) continue;
      double total = 0;
      for (const Real value : x) total += std::exp(static_cast<double>(value));
      CHECK(divisor.largest == *std::ranges::max_element(x));
      CHECK(static_cast<double>(divisor.sum) * std::exp(static_cast<double>(divisor.largest)) ==
            doctest::Approx(total).epsilon(100 * epsilon));
    }
}

TEST_CASE("vector math: softmax of huge, equal and infinitely low numbers") {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const std::vector<Real> x = {Real(1e30), Real(1e30), -infinity, Real(-1e30),
                               Real(1e30), Real(0),    Real(1e30)};
  Guarded y(x.size());
  softmax(x.data(), static_cast<int>(x.size()), y.data(), x.size());
  check_close(y, {0.25, 0.25, 0, 0, 0.25, 0, 0.25}, 0);
}

TEST_CASE("vector math: softmax_backward equals plain loops, over or onto what is there") {
  for (const int size : ragged_sizes(0))
    for (const std::size_t margin : margins) {
      const bool accumulate = size % 2 == 0;
      CAPTURE(size);
      CAPTURE(margin);
      const auto count = static_cast<std::size_t>(size);
      const auto y = random_values(count, 1), dy = random_values(count, 2), start = random_values(count, 3);
      double mean = 0, scale = 1;
      for (std::size_t i = 0; i < count; ++i) {
        mean += static_cast<double>(y[i] * dy[i]);
        scale += static_cast<double>(std::abs(y[i] * dy[i]));
      }
      Doubles expected = accumulate ? in_double(start) : Doubles(count);
      for (std::size_t i = 0; i < count; ++i)
        expected[i] += static_cast<double>(y[i]) * (static_cast<double>(dy[i]) - mean);
      Guarded dx(count, start);
      softmax_backward(with_margin(y, margin).data(), with_margin(dy, margin).data(), size, dx.data(),
                       accumulate, count + margin);
      check_close(dx, expected, 8 + 4 * scale);
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
  for (const int size : ragged_sizes(1))
    for (const double centre : {0.0, 100.0}) {
      CAPTURE(size);
      CAPTURE(centre);
      const auto count = static_cast<std::size_t>(size);
      auto x = random_values(count, 1);
      for (Real& value : x) value += static_cast<Real>(centre);
      const auto gain = random_values(count, 2), bias = random_values(count, 3);
      const Doubles a = in_double(x);
      const double mean = std::accumulate(a.begin(), a.end(), 0.0) / size;
      double variance = 0;
      for (const double v : a) variance += (v - mean) * (v - mean) / size;
      const double scale = 1 / std::sqrt(variance + normalise_epsilon);
      Doubles expected;
      for (std::size_t i = 0; i < count; ++i)
        expected.push_back((a[i] - mean) * scale * static_cast<double>(gain[i]) +
                           static_cast<double>(bias[i]));
      Guarded y(count);
      const RowMoments moments = normalise(x.data(), size, gain.data(), bias.data(), y.data());
      check_close(y, expected, (20 + 4 * centre) * std::max(1.0, scale));
      CHECK(static_cast<double>(moments.mean) == doctest::Approx(mean).epsilon(100 * epsilon));
      CHECK(static_cast<double>(moments.scale) ==
            doctest::Approx(scale).epsilon(1e4 * epsilon * (1 + centre)));
    }
}

TEST_CASE("vector math: normalise_backward equals plain loops; gain and bias are always added to") {
  for (const int size : ragged_sizes(2))
    for (const bool accumulate : {false, true}) {
      CAPTURE(size);
      CAPTURE(accumulate);
      const auto count = static_cast<std::size_t>(size);
      const auto x = random_values(count, 1), gain = random_values(count, 2), dy = random_values(count, 3);
      const auto start = random_values(count, 4), gain_start = random_values(count, 5),
                 bias_start = random_values(count, 6);
      std::vector<Real> y(count);
      const std::vector<Real> no_bias(count);
      const RowMoments moments = normalise(x.data(), size, gain.data(), no_bias.data(), y.data());

      const double mean = static_cast<double>(moments.mean), scale = static_cast<double>(moments.scale);
      double mean_g = 0, mean_gz = 0;
      Doubles z, g;
      for (std::size_t i = 0; i < count; ++i) {
        z.push_back((static_cast<double>(x[i]) - mean) * scale);
        g.push_back(static_cast<double>(dy[i]) * static_cast<double>(gain[i]));
        mean_g += g[i] / size;
        mean_gz += g[i] * z[i] / size;
      }
      Doubles dx_expected = accumulate ? in_double(start) : Doubles(count);
      Doubles dgain_expected = in_double(gain_start), dbias_expected = in_double(bias_start);
      for (std::size_t i = 0; i < count; ++i) {
        dx_expected[i] += scale * (g[i] - mean_g - z[i] * mean_gz);
        dgain_expected[i] += static_cast<double>(dy[i]) * z[i];
        dbias_expected[i] += static_cast<double>(dy[i]);
      }
      Guarded dx(count, start), dgain(count, gain_start), dbias(count, bias_start);
      normalise_backward(x.data(), moments, size, gain.data(), dy.data(), dx.data(), accumulate, dgain.data(),
                         dbias.data());
      check_close(dx, dx_expected, 32 * std::max(1.0, scale));
      check_close(dgain, dgain_expected, 8);
      check_close(dbias, dbias_expected, 2);
    }
}
