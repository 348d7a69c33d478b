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

// The 95 % confidence interval of the mean accuracy p that training on further seeds and testing on further
// examples would have. `values` are the accuracies of n seeds, all tested on the same `examples` examples.
// Nothing for a single seed, whose spread is unknown.
//
// Two things make the mean uncertain: the spread s over seeds, and the test set, which all seeds share, so
// that their spread does not show its error. Each has a margin, with its own quantile, and the squares of the
// margins are added (MOVER: Zou and Donner 2008):
//
//   margin^2 = t^2 s^2 / n  +  z^2 p (1 - p) / examples        t: Student's for n - 1 degrees; z = 1.96
//
// The interval is Wilson's (1927) for m = z^2 p (1 - p) / margin^2 examples, the effective sample size, as in
// surveys of clusters (Korn and Graubard 1998). It stays in [0, 1], is not empty for accuracies of 1.000, and
// far from 0 and 1 it is p +- margin. For token accuracy, whose examples can be partly right, the second part
// is an upper bound.
//
// In simulations (statistics_test.cpp) it holds the mean in 93 to 99 % of studies with 2 to 5 seeds. Where a
// seed either solves the task or does not, any interval of the mean fails: this one holds the mean in 71 % of
// studies with three seeds and 91 % with five; there, report the rate of success. The bootstrap is worse:
// three to five values, drawn again, cannot show how little they say, and on normal data its percentile
// interval holds the mean in about 73 % of studies with three values and 84 % with five.
std::optional<Interval> accuracy_interval(std::span<const double> values, double examples);

// The 95 % confidence interval of a rate of success (Wilson 1927). Unlike rate +- 1.96 s it stays in [0, 1],
// and its width is not zero for 5 successes of 5.
Interval success_interval(std::size_t successes, std::size_t trials);

// Where the mean describes no seed, none of three or more being within 0.15 of it: how many are above it. A rate of
// success (success_interval) says more of these than their mean does. Nothing where a seed is near the mean.
std::optional<std::size_t> above_a_split(std::span<const double> values);

// The standard error of an accuracy that was measured on `examples` examples, by Agresti and Coull (1998):
// not zero for accuracies of 0 and 1. For token accuracy, where examples are partly right, it is an upper
// bound.
double test_set_error(double accuracy, double examples);

struct Difference {
  double mean = 0;
  std::optional<Interval> interval{};  // 95 %; nothing for a single seed
  double p = 1;  // two-sided: the probability of a difference at least as large when there is none
  double error = 0,
         degrees = 0;  // of the mean: its standard error and the degrees of freedom; 0 for a single seed
  double deviation = 0, test_error = 0;  // what the error is made of: the spread over seeds, and the test set

  // The p value of an equivalence test (two one-sided tests, Schuirmann 1987): the probability of a mean at least as
  // near to 0 when the true difference is `margin` or more. 1 for a single seed.
  double p_of_equality(double margin) const;
  // The same from one side: the probability of a mean at least as low when the true difference is `margin` or more.
  double p_of_less_than(double margin) const;
  // The number of seeds, at most `most`, with which a difference from 0, or equality within `margin`, would be shown
  // at this level if the mean and the spread over seeds stayed as they are. Nothing for a single seed, whose spread is
  // unknown, and where no number suffices: then the test set is too small.
  std::optional<int> seeds_needed(double margin, double level, int most = 1000) const;
};

// The mean difference of `values` from the control's, seed by seed, with Student's t. The spread over seeds
// does not contain the error from the finite test set, since all seeds are tested on the same examples. So
// `test_error`, the standard error of the difference from the test set alone (or an upper bound of it: as of two
// test sets, where both answer the same inputs), is added, with degrees of
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
