// Statistics of a handful of seeds. Pure functions; all throw Error for an empty span.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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
//
// Why not the bootstrap: resampling three to five values cannot show how little is known from them. On normal
// data its percentile interval holds the mean in about 73 % of studies of three and 84 % of five, Student's
// in 95 % of either. When a seed either solves the task or does not, Student's holds it in 70 % of three and
// 91 % of five, the bootstrap's in no more; the rate of success then says more. (Measured in
// statistics_test.cpp.)
std::optional<Interval> mean_interval(std::span<const double> values);

// Where the rate of success lies with 95 % confidence (Wilson 1927). Unlike rate +- 1.96 s it stays in [0,
// 1], and 5 successes of 5 do not give a width of zero.
Interval success_interval(std::size_t successes, std::size_t trials);

// How much an accuracy may be off because it was measured on so many examples, as a standard error: Agresti
// and Coull's (1998), which is not zero for 0 and 1. Enough also for token accuracy, whose examples are
// partly right.
double test_set_error(double accuracy, double examples);

struct Difference {
  double mean = 0;
  std::optional<Interval> interval{};  // 95 %; nothing for a single seed
  double p = 1;  // how likely a difference at least as large is when there is none, two-sided
};

// How much higher `values` are than those of the control, seed by seed: Student's t of the differences. Seeds
// do not show what the test set adds, since all are tested on the same examples; so `test_error`, the
// standard error of the difference from that alone, is added to theirs, with degrees of freedom by
// Satterthwaite 1946. It makes an answer possible, too, where all differences are equal and have no spread of
// their own.
Difference paired_difference(std::span<const double> values, std::span<const double> control,
                             double test_error);

// The same p values, raised so that among all of them together one falls below 0.05 by chance in at most 5 %
// of studies: Holm 1979. Holds however they depend on each other.
std::vector<double> holm(std::span<const double> p);

// P(T <= t) for Student's t with these degrees of freedom (>= 1, need not be whole), and its inverse for 0 <
// p < 1.
double t_probability(double t, double degrees);
double t_quantile(double p, double degrees);

}  // namespace locus
