#include "tensor/pack.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "../support/random_values.h"

namespace pack_test {

using namespace locus;

namespace {

constexpr bool single = sizeof(Real) == 4;
constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
constexpr Real tiny = 2 * std::numeric_limits<Real>::min();
constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

Reals count_from(Real first) {  // first, first + 1, ...
  Reals x(lanes);
  std::iota(x.begin(), x.end(), first);
  return x;
}

// Values from low to high, evenly spaced, and negative powers of two of either sign down to
// the smallest normal.
Reals wide_range(double low, double high) {
  Reals values;
  constexpr int steps = 100000;
  for (int i = 0; i <= steps; ++i) values.push_back(static_cast<Real>(low + (high - low) * i / steps));
  for (double x = 1; x > 2 * static_cast<double>(std::numeric_limits<Real>::min()); x /= 2)
    for (const double sign : {-1.0, 1.0}) values.push_back(static_cast<Real>(sign * x * 0.9));
  return values;
}

// The largest of error(x, f(x)) over all x, each computed in a lane of its own.
template <class F, class Error>
double largest_error(const Reals& values, F f, Error error) {
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Register x = splat(1);
    const int lane = static_cast<int>(i % static_cast<std::size_t>(register_lanes));
    x[lane] = values[i];
    const double e = error(static_cast<long double>(values[i]), static_cast<long double>(f(x)[lane]));
    if (!(e <= largest)) largest = e;
  }
  return largest;
}

// |y - reference(x)|, approximately in units in the last place.
template <class Reference>
auto in_epsilons(Reference reference) {
  return [=](long double x, long double y) {
    const long double right = reference(x);
    return static_cast<double>(std::abs(y - right) / std::abs(right) / static_cast<long double>(epsilon));
  };
}

long double exact_cumulative(long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }
long double exact_density(long double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::acos(-1.0L)); }

}  // namespace

TEST_CASE("register: exp is within 2 units of the last place, from the smallest normal number up") {
  const auto values = wide_range(single ? -87.3 : -708.3, single ? 88.0 : 709.0);
  CHECK(largest_error(
            values, [](Register x) { return exp(x); },
            in_epsilons([](long double x) { return std::exp(x); })) < 2);
}

TEST_CASE("register: exp outside that range is 0 or infinity, and NaN stays") {
  CHECK(exp(splat(0))[0] == 1);
  CHECK(exp(splat(single ? Real(-87.4) : Real(-708.4)))[0] == 0);
  CHECK(exp(splat(Real(-1e30)))[0] == 0);
  CHECK(exp(splat(-infinity))[0] == 0);
  CHECK(exp(splat(single ? Real(89) : Real(710)))[0] == infinity);
  CHECK(exp(splat(Real(1e30)))[0] == infinity);
  CHECK(exp(splat(infinity))[0] == infinity);
  CHECK(std::isnan(exp(splat(not_a_number))[0]));
}

TEST_CASE("register: exp_of_negative equals exp, and far out stays at the least normal number") {
  const auto values = wide_range(single ? -87.3 : -708.3, 0);
  const auto difference = [](Register x) { return exp_of_negative(-abs(x)) - exp(-abs(x)); };
  CHECK(largest_error(values, difference,
                      [](long double, long double d) { return static_cast<double>(std::abs(d)); }) == 0);
  for (const Real low : {Real(-1000), Real(-1e30), -infinity}) CHECK(exp_of_negative(splat(low))[0] <= tiny);
  CHECK(std::isnan(exp_of_negative(splat(not_a_number))[0]));
}

TEST_CASE("register: tanh is within 4 units of the last place, and odd") {
  const auto values = wide_range(-25, 25);
  CHECK(largest_error(
            values, [](Register x) { return tanh(x); },
            [](long double x, long double y) {
              return x == 0 ? static_cast<double>(std::abs(y))
                            : in_epsilons([](long double v) { return std::tanh(v); })(x, y);
            }) < 4);
  CHECK(largest_error(
            values, [](Register x) { return tanh(x) + tanh(-x); },
            [](long double, long double sum) { return static_cast<double>(std::abs(sum)); }) == 0);
  CHECK(tanh(splat(0))[0] == 0);
  for (const Real huge : {Real(50), Real(1e30), infinity}) {
    CHECK(tanh(splat(huge))[0] == 1);
    CHECK(tanh(splat(-huge))[0] == -1);
  }
  CHECK(std::isnan(tanh(splat(not_a_number))[0]));
}

TEST_CASE("register: the normal distribution is within 3e-7 (float) or 1e-15 (double)") {
  const auto values = wide_range(-40, 40);
  const double limit = single ? 3e-7 : 1e-15;
  CHECK(largest_error(
            values, [](Register x) { return normal(x).cumulative; },
            [](long double x, long double y) {
              return static_cast<double>(std::abs(y - exact_cumulative(x)));
            }) < limit);
  CHECK(largest_error(
            values, [](Register x) { return normal(x).density; },
            [](long double x, long double y) {
              return static_cast<double>(std::abs(y - exact_density(x)));
            }) < limit);
  for (const Real huge : {Real(50), Real(1e30), infinity}) {
    CHECK(normal(splat(huge)).cumulative[0] == 1);
    CHECK(normal(splat(-huge)).cumulative[0] <= tiny);
    CHECK(normal(splat(huge)).density[0] <= tiny);
  }
  CHECK(normal(splat(0)).cumulative[0] == doctest::Approx(0.5).epsilon(limit));
  CHECK(std::isnan(normal(splat(not_a_number)).cumulative[0]));
  CHECK(std::isnan(normal(splat(not_a_number)).density[0]));
}

// GELU at -10 is about -1e-22 and must not be rounded to 0: the tail is computed directly, not as 1 - rest.
TEST_CASE(
    "register: the left tail of the normal distribution keeps its digits: 1e-5 (float), 1e-11 (double) of "
    "itself") {
  const auto values = wide_range(single ? -8 : -20, 0);
  CHECK(largest_error(
            values, [](Register x) { return normal(x).cumulative; }, in_epsilons(exact_cumulative)) <
        (single ? 1e-5 : 1e-11) / static_cast<double>(epsilon));
}

TEST_CASE("pack: load_part reads so many lanes and fills the others, store_part writes no more") {
  const auto values = random_values(lanes, 1);
  for (int count = 0; count < lanes; ++count) {
    CAPTURE(count);
    const Reals exact(values.begin(), values.begin() + count);  // no memory after it may be read
    const Pack x = load_part(exact.data(), count, Real(-3));
    for (int i = 0; i < lanes; ++i) CHECK(x[i] == (i < count ? values[static_cast<std::size_t>(i)] : -3));

    Reals memory(3 * lanes, Real(77));
    store_part(memory.data() + lanes, load(values.data()), count);
    for (int i = 0; i < 3 * lanes; ++i) {
      const bool written = i >= lanes && i < lanes + count;
      const Real expected = written ? values[static_cast<std::size_t>(i - lanes)] : 77;
      CHECK(memory[static_cast<std::size_t>(i)] == expected);
    }
  }
}

TEST_CASE("pack: load_over lets nothing of what it reads over into the pack") {
  auto memory = random_values(lanes, 1);
  for (int count = lanes - 1; count >= 0; --count) {
    CAPTURE(count);
    memory[static_cast<std::size_t>(count)] = not_a_number;
    const Pack x = load_over(memory.data(), count, Real(-3));
    for (int i = 0; i < lanes; ++i) CHECK(x[i] == (i < count ? memory[static_cast<std::size_t>(i)] : -3));
  }
}

TEST_CASE("pack: load and store go through unaligned memory unchanged") {
  const auto values = random_values(lanes + 1, 2);
  Reals copy(lanes + 1);
  store(copy.data() + 1, load(values.data() + 1));
  CHECK(std::equal(values.begin() + 1, values.end(), copy.begin() + 1));
  CHECK(copy[0] == 0);
}

TEST_CASE("register: min, max, abs and select work lane by lane") {
  const auto numbers = random_values(2 * register_lanes, 3);
  const Register a = load_register(numbers.data()), b = load_register(numbers.data() + register_lanes);
  for (int i = 0; i < register_lanes; ++i) {
    const Real x = a[i], y = b[i];
    CHECK(min(a, b)[i] == std::min(x, y));
    CHECK(max(a, b)[i] == std::max(x, y));
    CHECK(abs(a)[i] == std::abs(x));
    CHECK(select(a < b, splat(5), splat(6))[i] == (x < y ? 5 : 6));
  }
}

TEST_CASE("register: shuffles take the lanes they name") {
  const Register a = load_register(count_from(0).data()),
                 b = load_register(
                     count_from(register_lanes).data());  // lane i of a is i, of b is register_lanes + i
  for (int i = 0; i < register_lanes; ++i) {
    const int source = i / 2 + (i % 2) * register_lanes;
    CHECK(shuffle<zip_low>(a, b)[i] == source);
    CHECK(shuffle<zip_high>(a, b)[i] == source + register_lanes / 2);
    CHECK(shuffle<swap_lanes<1>>(a, a)[i] == (i ^ 1));
    CHECK(shuffle<swap_lanes<register_lanes / 2>>(a, a)[i] == (i ^ (register_lanes / 2)));
  }
}

TEST_CASE("register: a multiplication and an addition are rounded once, where the processor can") {
  const Real a = 1 + epsilon, b = 1 - epsilon;  // a b is 1 - epsilon^2, which is rounded to 1
#if defined(__FMA__) || defined(__aarch64__)
  const Real right = -epsilon * epsilon;
#else
  const Real right = 0;
#endif
  const Register y = fma(splat(a), splat(b), splat(-1));
  for (int i = 0; i < register_lanes; ++i) CHECK(y[i] == right);
  volatile Real product = a;    // computed when the test runs
  CHECK(product * b - 1 == 0);  // the compiler fuses nothing that is not called fma
}

TEST_CASE("pack: it is 64 bytes wide on every processor, and a number goes to all of its lanes") {
  CHECK(sizeof(Pack) == 64);
  for (int i = 0; i < lanes; ++i) CHECK(Pack(-7)[i] == -7);
}

TEST_CASE("pack: a fold reaches every lane") {
  CHECK(sum(load(count_from(1).data())) == lanes * (lanes + 1) / 2);
  for (int lane = 0; lane < lanes; ++lane) {
    Reals values(lanes, Real(-2));
    values[static_cast<std::size_t>(lane)] = 9;
    const Pack x = load(values.data());
    CHECK(max(x) == 9);
    CHECK(sum(x) == 9 - 2 * (lanes - 1));
  }
}

TEST_CASE("pack: lanes are added by halves, the same way in registers of any width") {
  const auto values = random_values(lanes, 4);
  Reals x(values.begin(), values.end());
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) x[i] += x[i + half];
  CHECK(sum(load(values.data())) == x[0]);
}

}  // namespace pack_test
