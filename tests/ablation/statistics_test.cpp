#include "ablation/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "base/random.h"

using namespace locus;
using doctest::Approx;

TEST_CASE("statistics: mean, spread and extremes") {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(mean(values) == 5);
  CHECK(*sample_standard_deviation(values) == Approx(std::sqrt(32.0 / 7)));
  CHECK(smallest(values) == 2);
  CHECK(largest(values) == 9);

  const std::vector<double> one = {3};
  CHECK(mean(one) == 3);
  CHECK_FALSE(sample_standard_deviation(one));
  CHECK_FALSE(mean_interval(one));
}

TEST_CASE("statistics: a small spread far from zero is not lost") {
  const std::vector<double> values = {1e9 + 1, 1e9 + 2, 1e9 + 3};
  CHECK(*sample_standard_deviation(values) == Approx(1).epsilon(1e-12));
}

TEST_CASE("statistics: Student's t has the quantiles of the printed tables") {
  const struct {
    double p, degrees, t;
  } table[] = {{0.975, 1, 12.7062047361747}, {0.975, 2, 4.30265272974946}, {0.975, 3, 3.18244630528371},
               {0.975, 4, 2.77644510519779}, {0.975, 9, 2.26215716279820}, {0.975, 30, 2.04227245630124},
               {0.95, 5, 2.01504837333302},  {0.995, 2, 9.92484320091807}, {0.9, 10, 1.37218364111034}};
  for (const auto& row : table) {
    const double p = row.p, degrees = row.degrees, t = row.t;
    INFO("t(", p, ", ", degrees, ")");
    CHECK(t_quantile(p, degrees) == Approx(t).epsilon(1e-11));
    CHECK(t_quantile(1 - p, degrees) == Approx(-t).epsilon(1e-11));
  }
  CHECK(t_quantile(0.975, 1e6) == Approx(1.95996635682).epsilon(1e-8));  // nearly normal
  CHECK(t_quantile(0.5, 3) == Approx(0).epsilon(1e-12));
}

TEST_CASE("statistics: Student's t agrees with its closed forms for 1 and 2 degrees of freedom") {
  for (const double t : {-50.0, -2.0, -0.1, 0.0, 0.3, 1.0, 7.0, 300.0}) {
    CAPTURE(t);
    CHECK(t_probability(t, 1) == Approx(0.5 + std::atan(t) / std::numbers::pi).epsilon(1e-12));
    CHECK(t_probability(t, 2) == Approx(0.5 + t / (2 * std::sqrt(2 + t * t))).epsilon(1e-12));
  }
}

TEST_CASE("statistics: quantile and probability are inverse") {
  for (const double degrees : {1.0, 2.5, 4.0, 60.0, 5000.0})
    for (const double p : {0.001, 0.2, 0.5, 0.7, 0.975, 0.9999})
      CHECK(t_probability(t_quantile(p, degrees), degrees) == Approx(p).epsilon(1e-10));
}

TEST_CASE("statistics: the interval of a mean") {
  const std::vector<double> values = {1, 2, 3, 4, 5};  // s = sqrt(2.5), t = 2.776445
  CHECK(mean_interval(values)->low == Approx(3 - 1.96324316).epsilon(1e-8));
  CHECK(mean_interval(values)->high == Approx(3 + 1.96324316).epsilon(1e-8));
  const std::vector<double> equal = {7, 7, 7};
  CHECK(mean_interval(equal)->low == 7);
  CHECK(mean_interval(equal)->high == 7);
}

TEST_CASE("statistics: 95 % intervals hold the true mean in 95 % of experiments") {
  Random random(1, Purpose::testing);
  constexpr int experiments = 4000;
  int held = 0;
  for (int e = 0; e < experiments; ++e) {
    double values[4];
    for (double& value : values) value = 3 + 2 * random.normal();
    const auto interval = *mean_interval(values);
    held += interval.low <= 3 && 3 <= interval.high;
  }
  // Standard error 0.0034: four of them on each side.
  CHECK(held / double(experiments) == Approx(0.95).epsilon(0.0145));
}

TEST_CASE("statistics: the interval of a success rate") {
  // Computed by hand from Wilson's formula.
  CHECK(success_interval(8, 10).low == Approx(0.4901625).epsilon(1e-6));
  CHECK(success_interval(8, 10).high == Approx(0.9433178).epsilon(1e-6));
  CHECK(success_interval(5, 5).low == Approx(0.5655175).epsilon(1e-6));
  CHECK(success_interval(5, 5).high == 1);
  CHECK(success_interval(0, 5).low == 0);
  CHECK(success_interval(0, 5).high == Approx(0.4344825).epsilon(1e-6));
  for (std::size_t n = 1; n < 40; ++n)
    for (std::size_t k = 0; k <= n; ++k) {
      const Interval a = success_interval(k, n), b = success_interval(n - k, n);
      const double rate = static_cast<double>(k) / static_cast<double>(n);
      CHECK((0 <= a.low && a.low <= rate && rate <= a.high && a.high <= 1));
      CHECK(a.low == Approx(1 - b.high));
    }
}

TEST_CASE("statistics: what cannot be answered is refused") {
  const std::vector<double> none;
  for (auto* function : {&mean, &smallest, &largest})
    CHECK_THROWS_WITH_AS(function(none), "[statistics] there are no values", Error);
  CHECK_THROWS_WITH_AS(sample_standard_deviation(none), "[statistics] there are no values", Error);
  CHECK_THROWS_WITH_AS(mean_interval(none), "[statistics] there are no values", Error);
  CHECK_THROWS_WITH_AS(success_interval(0, 0), "[statistics] there are no trials", Error);
  CHECK_THROWS_WITH_AS(success_interval(3, 2), "[statistics] 3 successes of 2 trials", Error);
  CHECK_THROWS_WITH_AS(t_quantile(1, 3), "[statistics] a quantile needs a probability between 0 and 1, got 1",
                       Error);
  CHECK_THROWS_WITH_AS(t_quantile(std::nan(""), 3),
                       "[statistics] a quantile needs a probability between 0 and 1, got nan", Error);
  CHECK_THROWS_WITH_AS(t_quantile(0.9, 0.5),
                       "[statistics] Student's t needs one degree of freedom or more, got 0.5", Error);
}
