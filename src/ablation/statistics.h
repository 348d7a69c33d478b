// Statistics of a handful of seeds. Pure functions; all throw Error for an empty span.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace locus {

struct Interval {
  double low = 0, high = 0;
};

double mean(std::span<const double> values);
double smallest(std::span<const double> values);
double largest(std::span<const double> values);

// With n - 1 in the denominator. Nothing for a single value, which shows no spread.
std::optional<double> sample_standard_deviation(std::span<const double> values);

// Where the mean of the population lies with 95 % confidence, if the values are normal: mean +- t s /
// sqrt(n), Student 1908. Nothing for a single value. Five seeds make it 2.78 standard errors wide on each
// side, not 1.96.
std::optional<Interval> mean_interval(std::span<const double> values);

// Where the rate of success lies with 95 % confidence (Wilson 1927). Unlike rate +- 1.96 s it stays in [0,
// 1], and 5 successes of 5 do not give a width of zero.
Interval success_interval(std::size_t successes, std::size_t trials);

// P(T <= t) for Student's t with these degrees of freedom (>= 1, need not be whole), and its inverse for 0 <
// p < 1.
double t_probability(double t, double degrees);
double t_quantile(double p, double degrees);

}  // namespace locus
