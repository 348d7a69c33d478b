// Statistics of a few seeds. All functions throw Error for an empty span.
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

// With n - 1 in the denominator. Nothing for a single value.
std::optional<double> sample_standard_deviation(std::span<const double> values);

// The 95 % confidence interval of the mean, for normal values: mean +- t s / sqrt(n) (Student 1908). Nothing
// for a single value. For five seeds t is 2.78, not 1.96.
//
// Why not the bootstrap: three to five values, drawn again, cannot show how little they say. On normal data
// its percentile interval holds the mean in about 73 % of studies with three values and 84 % with five;
// Student's holds it in 95 % of both. When a seed either solves the task or does not, Student's interval
// holds the mean in 70 % of studies with three values and 91 % with five, and the bootstrap's is no better:
// there, report the rate of success. (These rates are measured in statistics_test.cpp.)
std::optional<Interval> mean_interval(std::span<const double> values);

// The 95 % confidence interval of a rate of success (Wilson 1927). Unlike rate +- 1.96 s it stays in [0, 1],
// and its width is not zero for 5 successes of 5.
Interval success_interval(std::size_t successes, std::size_t trials);

// The standard error of an accuracy that was measured on `examples` examples, by Agresti and Coull (1998):
// not zero for accuracies of 0 and 1. For token accuracy, where examples are partly right, it is an upper
// bound.
double test_set_error(double accuracy, double examples);

struct Difference {
  double mean = 0;
  std::optional<Interval> interval{};  // 95 %; nothing for a single seed
  double p = 1;  // two-sided: the probability of a difference at least as large when there is none
};

// The mean difference of `values` from the control's, seed by seed, with Student's t. The spread over seeds
// does not contain the error from the finite test set, since all seeds are tested on the same examples. So
// `test_error`, the standard error of the difference from the test set alone, is added, with degrees of
// freedom by Satterthwaite (1946). With it there is an answer also when all differences are equal.
Difference paired_difference(std::span<const double> values, std::span<const double> control,
                             double test_error);

// The p values adjusted by Holm (1979): when no difference is real, any of them is below 0.05 in at most 5 %
// of studies. This holds for dependent p values as well.
std::vector<double> holm(std::span<const double> p);

// P(T <= t) for Student's t with these degrees of freedom (>= 1, not always whole), and its inverse for 0 < p
// < 1.
double t_probability(double t, double degrees);
double t_quantile(double p, double degrees);

}  // namespace locus
