#include "ablation/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace locus {

namespace {

void require_values(std::span<const double> values) {
  if (values.empty()) fail("statistics", "there are no values");
}

// The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22). It converges
// quickly for x < (a+1)/(a+b+2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= 10'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= c * d;
    if (std::abs(c * d - 1) < 1e-16) break;
  }
  return fraction;
}

// I_x(a, b), given both x and 1 - x so that neither loses digits.
double incomplete_beta(double a, double b, double x, double one_minus_x) {
  if (x <= 0) return 0;
  if (one_minus_x <= 0) return 1;
  const double log_front =
      std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(one_minus_x);
  if (x < (a + 1) / (a + b + 2)) return std::exp(log_front) * beta_fraction(a, b, x) / a;
  return 1 - std::exp(log_front) * beta_fraction(b, a, one_minus_x) / b;
}

}  // namespace

double mean(std::span<const double> values) {
  require_values(values);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double smallest(std::span<const double> values) {
  require_values(values);
  return *std::min_element(values.begin(), values.end());
}

double largest(std::span<const double> values) {
  require_values(values);
  return *std::max_element(values.begin(), values.end());
}

std::optional<double> sample_standard_deviation(std::span<const double> values) {
  const double center = mean(values);
  if (values.size() < 2) return std::nullopt;
  double squares = 0;
  // exercise 14.1: the standard deviation of a sample, in the unit of the values; `center` comes from the same values
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
  // end
}

namespace {

constexpr double z = 1.959963984540054;  // the 97.5 % quantile of the normal distribution

// For a rate in n trials (Wilson 1927).
Interval wilson(double rate, double n) {
  // exercise 14.3: `low` and `high`, the ends of Wilson's interval of a rate of success in n trials
  const double center = rate + z * z / (2 * n);
  const double reach = z * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  const double low = (center - reach) / scale;
  const double high = (center + reach) / scale;
  // end
  return {rate == 0 ? 0 : low, rate == 1 ? 1 : high};  // rounding would miss these by a bit
}

}  // namespace

std::optional<Interval> accuracy_interval(std::span<const double> values, double examples) {
  if (!(smallest(values) >= 0 && largest(values) <= 1))
    fail("statistics", str("accuracies from ", smallest(values), " to ", largest(values)));
  if (!(examples >= 1)) fail("statistics", str("a test set of ", examples, " examples"));
  const auto deviation = sample_standard_deviation(values);
  if (!deviation) return std::nullopt;
  const double n = static_cast<double>(values.size()), p = mean(values);
  if (p == 0 || p == 1) return wilson(p, examples);
  const double of_seeds = t_quantile(0.975, n - 1) * *deviation / std::sqrt(n);
  const double of_test_set = z * std::sqrt(p * (1 - p) / examples);
  return wilson(p, z * z * p * (1 - p) / (of_seeds * of_seeds + of_test_set * of_test_set));
}

Interval success_interval(std::size_t successes, std::size_t trials) {
  if (trials == 0) fail("statistics", "there are no trials");
  if (successes > trials) fail("statistics", str(successes, " successes of ", trials, " trials"));
  const auto n = static_cast<double>(trials);
  return wilson(static_cast<double>(successes) / n, n);
}

std::optional<std::size_t> above_a_split(std::span<const double> values) {
  constexpr double near = 0.15;
  const double middle = mean(values);
  if (values.size() < 3 ||
      std::ranges::any_of(values, [&](double value) { return std::abs(value - middle) <= near; }))
    return std::nullopt;
  return std::ranges::count_if(values, [&](double value) { return value > middle; });
}

double test_set_error(double accuracy, double examples) {
  if (!(accuracy >= 0 && accuracy <= 1)) fail("statistics", str("an accuracy of ", accuracy));
  if (!(examples >= 1)) fail("statistics", str("a test set of ", examples, " examples"));
  const double n = examples + 4, rate = (accuracy * examples + 2) / n;
  return std::sqrt(rate * (1 - rate) / n);
}

namespace {

// A mean over n seeds with this spread, without an interval. An error of 0 when nothing varies.
Difference of_seeds(double mean, double deviation, double n, double test_error) {
  constexpr double nearly_normal = 1e6;  // degrees of freedom
  Difference of{.mean = mean, .deviation = deviation, .test_error = test_error};
  const double part = deviation * deviation / n, variance = part + test_error * test_error;
  if (variance == 0) return of;
  const double ratio = variance / std::max(part, variance / nearly_normal);
  of.degrees = std::min((n - 1) * ratio * ratio, nearly_normal);
  of.error = std::sqrt(variance);
  of.p = 2 * t_probability(-std::abs(mean) / of.error, of.degrees);
  return of;
}

}  // namespace

Difference paired_difference(std::span<const double> values, std::span<const double> control,
                             double test_error) {
  if (values.size() != control.size())
    fail("statistics", str(values.size(), " values cannot be paired with ", control.size()));
  std::vector<double> differences;
  for (std::size_t i = 0; i < values.size(); ++i) differences.push_back(values[i] - control[i]);
  Difference difference{.mean = mean(differences)};
  const auto deviation = sample_standard_deviation(differences);
  if (!deviation) return difference;
  difference = of_seeds(difference.mean, *deviation, static_cast<double>(differences.size()), test_error);
  if (difference.error == 0)
    fail("statistics", "differences without any spread need the error of the test set");
  // exercise 14.2: difference.interval, the 95 % interval of the mean difference. `difference` has its mean, its error
  // (that of the test set is in it) and its degrees of freedom. t_quantile(share, degrees): below it lies this share
  const double reach = t_quantile(0.975, difference.degrees) * difference.error;
  difference.interval = Interval{difference.mean - reach, difference.mean + reach};
  // end
  return difference;
}

double Difference::p_of_equality(double margin) const {
  if (error == 0) return 1;
  // exercise 14.5: the p value of the equivalence test: small only if the data rule out both `margin` or more and
  // -margin or less. t_probability(t, degrees) is P(T <= t).
  return t_probability((std::abs(mean) - margin) / error, degrees);
  // end
}

double Difference::p_of_less_than(double margin) const {
  return error > 0 ? t_probability((mean - margin) / error, degrees) : 1;
}

std::optional<int> Difference::seeds_needed(double margin, double level, int most) const {
  if (error == 0) return {};
  for (int seeds = 2; seeds <= most; ++seeds) {
    const Difference with = of_seeds(mean, deviation, seeds, test_error);
    if (with.p < level || with.p_of_equality(margin) < level) return seeds;
  }
  return {};
}

std::vector<double> holm(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  // exercise 14.4: Holm's adjusted p values, each at the index that its p value has in p. `order` holds these indices,
  // that of the smallest p value first
  double largest_so_far = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double raised = std::min(1.0, p[order[rank]] * static_cast<double>(order.size() - rank));
    largest_so_far = std::max(largest_so_far, raised);
    adjusted[order[rank]] = largest_so_far;
  }
  // end
  return adjusted;
}

double t_probability(double t, double degrees) {
  const double sum = degrees + t * t;
  const double outside = incomplete_beta(degrees / 2, 0.5, degrees / sum, t * t / sum);  // P(|T| > |t|)
  return t < 0 ? outside / 2 : 1 - outside / 2;
}

double t_quantile(double p, double degrees) {
  if (!(p > 0 && p < 1)) fail("statistics", str("a quantile needs a probability between 0 and 1, got ", p));
  if (!(degrees >= 1))
    fail("statistics", str("Student's t needs one degree of freedom or more, got ", degrees));
  if (p < 0.5) return -t_quantile(1 - p, degrees);
  double low = 0, high = 1;
  while (high < 1e18 && t_probability(high, degrees) < p) high *= 2;
  // Bisection: 100 halvings reach the last bit.
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (t_probability(middle, degrees) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace locus
