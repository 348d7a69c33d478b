#include "ablation/statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
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

TEST_CASE("statistics: the interval of accuracies with a large test set is Student's") {
  // s = sqrt(2.5e-8), t = 2.776445, t s / sqrt(5) = 0.000196324; the test set and Wilson add less than 1e-9.
  const std::vector<double> values = {0.4998, 0.4999, 0.5, 0.5001, 0.5002};
  const Interval interval = *accuracy_interval(values, 1e18);
  CHECK(interval.low == Approx(0.5 - 0.000196324316).epsilon(1e-9));
  CHECK(interval.high == Approx(0.5 + 0.000196324316).epsilon(1e-9));
}

TEST_CASE("statistics: the interval of accuracies allows for the test set, and ends at 0 and 1") {
  // Equal seeds: Wilson's for a single test set. 4000 of 4000: z^2 / (4000 + z^2) from 1.
  const std::vector<double> right = {1, 1, 1}, wrong = {0, 0, 0, 0, 0}, half = {0.5, 0.5};
  CHECK(accuracy_interval(right, 4000)->low == Approx(4000 / 4003.8414588).epsilon(1e-9));
  CHECK(accuracy_interval(right, 4000)->high == 1);
  CHECK(accuracy_interval(wrong, 500)->low == 0);
  CHECK(accuracy_interval(wrong, 500)->high == Approx(3.8414588 / 503.8414588).epsilon(1e-8));
  CHECK(accuracy_interval(half, 4000)->high - 0.5 ==
        Approx(1.959964 * std::sqrt(0.25 / 4003.84146)).epsilon(1e-6));

  // By hand: p = 0.98, t = 4.302653, t^2 s^2 / n = 18.512821 0.0004 / 3 = 0.002468376, and z^2 p q / N =
  // 3.8414588 0.0196 / 400 = 0.000188231; so m = 3.8414588 0.0196 / 0.002656607 = 28.341680.
  const std::vector<double> values = {0.96, 0.98, 1};
  const Interval interval = *accuracy_interval(values, 400);
  const double m = 28.341680, z2 = 3.8414588, reach = std::sqrt(z2 * (0.0196 / m + z2 / (4 * m * m)));
  CHECK(interval.low == Approx((0.98 + z2 / (2 * m) - reach) / (1 + z2 / m)).epsilon(1e-6));
  CHECK(interval.high == Approx((0.98 + z2 / (2 * m) + reach) / (1 + z2 / m)).epsilon(1e-6));
  CHECK(interval.high < 1);

  const std::vector<double> apart = {0, 1, 1};  // Student's would be -0.77 to 2.10
  CHECK(accuracy_interval(apart, 4000)->low > 0);
  CHECK(accuracy_interval(apart, 4000)->high < 1);
  const std::vector<double> one = {0.5};
  CHECK_FALSE(accuracy_interval(one, 4000));
}

namespace {

constexpr int studies = 2000;

// In how many of 2000 studies the interval of values that `draw` gives holds the truth.
template <class Draw, class IntervalOf>
double coverage(std::size_t seeds, double truth, Draw draw, IntervalOf interval) {
  Random random(7, Purpose::testing);
  int held = 0;
  for (int study = 0; study < studies; ++study) {
    std::vector<double> values(seeds);
    draw(random, values);
    const Interval found = *interval(values);
    held += found.low <= truth && truth <= found.high;
  }
  return held / double(studies);
}

// The model of one seed is right in an example with the probability 1 / (1 + exp(-level - spread z)), z
// normal.
struct Abilities {
  double level, spread;
  double draw(Random& random) const { return 1 / (1 + std::exp(-level - spread * random.normal())); }
  double mean() const {
    Random random(8, Purpose::testing);
    double sum = 0;
    for (int i = 0; i < 300'000; ++i) sum += draw(random);
    return sum / 3e5;
  }
};

// All seeds answer the same examples, each of which has a difficulty, in (0, 1), that they share: a seed is
// right where the difficulty is below its ability. Nothing shows in the spread over seeds then.
void test_on_the_same(Random& random, const Abilities& abilities, int examples, std::vector<double>& values) {
  std::vector<double> difficulty(static_cast<std::size_t>(examples));
  for (double& one : difficulty) one = random.uniform();
  for (double& value : values) {
    const double ability = abilities.draw(random);
    value = static_cast<double>(std::ranges::count_if(difficulty, [&](double d) { return d < ability; })) /
            examples;
  }
}

// Three seeds of five solve the task, the others stay where guessing leads.
void solved_or_not(Random& random, std::vector<double>& values) {
  for (double& value : values) value = (random.below(5) < 3 ? 0.99 : 0.27) + 0.002 * random.normal();
}

void normal_values(Random& random, std::vector<double>& values) {
  for (double& value : values) value = 0.5 + 0.02 * random.normal();
}

// The percentile interval of 400 resamplings.
std::optional<Interval> bootstrap(std::span<const double> values) {
  Random random(9, Purpose::statistics);
  std::vector<double> means(400);
  for (double& one : means) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      sum += values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))];
    one = sum / static_cast<double>(values.size());
  }
  std::ranges::sort(means);
  return Interval{means[10], means[389]};
}

}  // namespace

TEST_CASE("statistics: 95 % intervals hold the mean accuracy in 93 to 99 % of 2000 studies") {
  const Abilities kinds[] = {{-1, 0.02}, {0, 0.2}, {2.2, 0.5}, {4.6, 0}, {4.6, 0.5}, {6.2, 0}};
  for (const Abilities& abilities : kinds)  // means of about 0.27, 0.5, 0.89, 0.99, 0.99 and 0.998
    for (const std::size_t seeds : {2u, 3u, 5u})
      for (const int examples : {200, 1000}) {
        const double held = coverage(
            seeds, abilities.mean(),
            [&](Random& r, auto& values) { test_on_the_same(r, abilities, examples, values); },
            [&](const auto& values) { return accuracy_interval(values, examples); });
        CAPTURE(abilities.level);
        CAPTURE(abilities.spread);
        CAPTURE(seeds);
        CAPTURE(examples);
        CHECK(held > 0.925);
        CHECK(held < 0.995);
      }
}

TEST_CASE(
    "statistics: where intervals fail: seeds that solve the task or do not, and any resampling of a few") {
  const double truth = 0.6 * 0.99 + 0.4 * 0.27;
  const auto of_accuracies = [](const auto& values) { return accuracy_interval(values, 4000); };
  const struct {
    std::size_t seeds;
    double here, resampled, resampled_normal;  // as measured, rounded
  } table[] = {{3, 0.70, 0.70, 0.73}, {5, 0.91, 0.87, 0.84}, {10, 0.97, 0.91, 0.90}};
  for (const auto& [n, here, resampled, resampled_normal] : table) {
    const std::size_t seeds = n;
    CAPTURE(seeds);
    CHECK(std::abs(coverage(seeds, truth, solved_or_not, of_accuracies) - here) < 0.015);
    CHECK(std::abs(coverage(seeds, truth, solved_or_not, bootstrap) - resampled) < 0.015);
    CHECK(std::abs(coverage(seeds, 0.5, normal_values, bootstrap) - resampled_normal) < 0.015);
  }
}

TEST_CASE("statistics: a difference is Student's of the differences, when the test set adds nothing") {
  const std::vector<double> values = {0.5, 0.75, 0.875}, control = {0.25, 0.25, 0.125};
  const Difference difference = paired_difference(values, control, 0);
  CHECK(difference.mean == 0.5);
  const double reach = 4.30265272974946 * 0.25 / std::sqrt(3);  // the quantile for 2 degrees of freedom
  CHECK(difference.interval->low == Approx(0.5 - reach).epsilon(1e-12));
  CHECK(difference.interval->high == Approx(0.5 + reach).epsilon(1e-12));
  const double t = 0.5 / (0.25 / std::sqrt(3));  // 3.4641, with the closed form for 2 degrees of freedom
  CHECK(difference.p == Approx(1 - t / std::sqrt(2 + t * t)).epsilon(1e-10));
  CHECK(paired_difference(control, values, 0).mean == -0.5);
  CHECK(paired_difference(control, values, 0).p == Approx(difference.p).epsilon(1e-12));
}

TEST_CASE("statistics: the test set's error is added, and decides alone when all differences are equal") {
  const std::vector<double> one = {1, 1, 1}, half = {0.5, 0.5, 0.5}, close = {0.999, 0.999, 0.999};
  const double error = std::hypot(test_set_error(1, 4000), test_set_error(0.999, 4000));
  CHECK(paired_difference(one, half, 0.01).p < 1e-12);
  CHECK(paired_difference(one, one, error).mean == 0);
  CHECK(paired_difference(one, one, error).p == Approx(1));
  CHECK(paired_difference(one, close, error).p > 0.05);  // four examples of 4000: chance
  CHECK(paired_difference(one, close, error).interval->high == Approx(0.001 + 1.96 * error).epsilon(1e-4));

  // Satterthwaite's degrees of freedom by hand: s^2/n = 0.0001/3, e^2 = 0.0001; 2 (4/1)^2 = 32; t
  // = 2.0369333.
  const std::vector<double> values = {0.49, 0.5, 0.51}, control = {0, 0, 0};
  const Interval interval = *paired_difference(values, control, 0.01).interval;
  CHECK(interval.high - 0.5 == Approx(2.0369333 * std::sqrt(0.0001 * 4 / 3)).epsilon(1e-6));

  CHECK(test_set_error(0.5, 4000) == Approx(std::sqrt(0.25 / 4004)));
  CHECK(test_set_error(1, 4000) == Approx(std::sqrt(4002.0 / 4004 * 2 / 4004 / 4004)));
  CHECK(test_set_error(0, 4000) == Approx(test_set_error(1, 4000)));

  const std::vector<double> single = {0.5};
  CHECK_FALSE(paired_difference(single, single, error).interval);
  CHECK(paired_difference(single, single, error).p == 1);
}

namespace {

// Two schemes over five seeds, this far apart, both tested on the same 4000 examples: what a study says.
Difference study(Random& random, double apart) {
  const double error = test_set_error(0.75, 4000);
  const double luck = error * random.normal(), control_luck = error * random.normal();
  std::vector<double> values(5), control(5);
  for (double& value : values) value = 0.75 + apart + 0.02 * random.normal() + luck;
  for (double& value : control) value = 0.75 + 0.02 * random.normal() + control_luck;
  return paired_difference(values, control, std::hypot(error, error));
}

}  // namespace

TEST_CASE("statistics: no difference is hardly ever found, one of 0.05 in three studies of four") {
  Random random(10, Purpose::testing);
  int found = 0, found_by_chance = 0, held = 0;
  for (int i = 0; i < studies; ++i) {
    const Difference same = study(random, 0), apart = study(random, 0.05);
    found_by_chance += same.p < 0.05;
    found += apart.p < 0.05 && apart.mean > 0;
    held += apart.interval->low <= 0.05 && 0.05 <= apart.interval->high;
    CHECK((same.p < 0.05) == !(same.interval->low <= 0 && 0 <= same.interval->high));
  }
  CHECK(found > 0.75 * studies);
  CHECK(found_by_chance < 0.07 * studies);
  CHECK(held > 0.93 * studies);
  CHECK(held < 0.97 * studies);
}

TEST_CASE("statistics: Holm's correction, by hand") {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
  const std::vector<double> adjusted = holm(p);
  CHECK(adjusted[3] == Approx(0.02));
  CHECK(adjusted[0] == Approx(0.03));
  CHECK(adjusted[2] == Approx(0.06));
  CHECK(adjusted[1] == Approx(0.06));  // never below that of a smaller p
  const std::vector<double> large = {0.9, 0.8};
  CHECK(holm(large) == std::vector{1.0, 1.0});
  CHECK(holm({}).empty());
}

TEST_CASE("statistics: Holm's correction keeps chance finds to 5 % of studies, however many are compared") {
  Random random(11, Purpose::testing);
  int with_a_find = 0;
  for (int i = 0; i < studies; ++i) {
    std::vector<double> p(20);
    for (double& one : p) one = random.uniform();
    with_a_find += smallest(holm(p)) < 0.05;
  }
  CHECK(with_a_find < 0.065 * studies);
  CHECK(with_a_find > 0.03 * studies);
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

TEST_CASE("statistics: seeds that are split have a rate of success, not a mean") {
  const auto above = [](std::vector<double> values) { return above_a_split(values); };
  CHECK(above({0.03, 0.98, 1}) == 2);
  CHECK(above({1, 0, 0, 0}) == 1);
  CHECK(above({0.34, 0.66, 0.66}) == std::nullopt);  // .11 from the mean
  CHECK(above({0, 0.5, 1}) == std::nullopt);         // one is the mean
  CHECK(above({0, 1}) == std::nullopt);              // two seeds always are that far apart
}

TEST_CASE("statistics: what cannot be answered is refused") {
  const std::vector<double> none;
  for (auto* function : {&mean, &smallest, &largest})
    CHECK_THROWS_WITH_AS(function(none), "[statistics] there are no values", Error);
  CHECK_THROWS_WITH_AS(sample_standard_deviation(none), "[statistics] there are no values", Error);
  CHECK_THROWS_WITH_AS(accuracy_interval(none, 1), "[statistics] there are no values", Error);
  const std::vector<double> above = {0.5, 1.5};
  CHECK_THROWS_WITH_AS(accuracy_interval(above, 10), "[statistics] accuracies from 0.5 to 1.5", Error);
  CHECK_THROWS_WITH_AS(accuracy_interval({above.data(), 1}, 0), "[statistics] a test set of 0 examples",
                       Error);
  CHECK_THROWS_WITH_AS(success_interval(0, 0), "[statistics] there are no trials", Error);
  CHECK_THROWS_WITH_AS(success_interval(3, 2), "[statistics] 3 successes of 2 trials", Error);
  CHECK_THROWS_WITH_AS(t_quantile(1, 3), "[statistics] a quantile needs a probability between 0 and 1, got 1",
                       Error);
  CHECK_THROWS_WITH_AS(t_quantile(std::nan(""), 3),
                       "[statistics] a quantile needs a probability between 0 and 1, got nan", Error);
  CHECK_THROWS_WITH_AS(t_quantile(0.9, 0.5),
                       "[statistics] Student's t needs one degree of freedom or more, got 0.5", Error);
}

TEST_CASE("statistics: one side of the equivalence test, and the number of seeds that would decide") {
  const auto of = [](std::vector<double> values, double test_error) {
    return paired_difference(values, std::vector<double>(values.size(), 0.5), test_error);
  };
  const Difference at = of({0.501, 0.499, 0.5}, 0.005);
  CHECK(at.p_of_less_than(0.02) == doctest::Approx(at.p_of_equality(0.02)));
  CHECK(of({0.3, 0.3, 0.3}, 0.005).p_of_less_than(0.02) < 1e-6);  // far below is not equal, and is not above
  CHECK(of({0.3, 0.3, 0.3}, 0.005).p_of_equality(0.02) > 0.5);
  CHECK(of({0.5}, 0.005).p_of_less_than(0.02) == 1);  // one seed

  CHECK(at.seeds_needed(0.02, 0.05) == 2);  // decided already
  const Difference wide = of({0.46, 0.5, 0.54, 0.5}, 0.005);
  CHECK(wide.p > 0.05);
  CHECK(wide.p_of_equality(0.02) > 0.05);
  const int needed = wide.seeds_needed(0.02, 0.05).value();
  CHECK(needed > 4);
  // By the formula: t s / sqrt(n) joined with the test error stays under the margin from here on.
  const double deviation = 0.04 * std::sqrt(2.0 / 3);
  const auto error = [&](int n) { return std::hypot(deviation / std::sqrt(n), 0.005); };
  CHECK(0.02 / error(needed) > 1.7);
  CHECK(0.02 / error(needed - 2) < 1.9);
  CHECK_FALSE(of({0.52, 0.52, 0.52}, 0.02).seeds_needed(0.02, 0.05));  // the test set is too small
  CHECK_FALSE(of({0.5}, 0.005).seeds_needed(0.02, 0.05));
}
