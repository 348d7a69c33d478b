// Chapter 14. Standard deviations, intervals, p values; all right answers in plain loops.
#include "lessons/tools/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "lessons/14_sceptic/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"

using namespace locus;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Accuracies of a few seeds of a scheme and of its control.
struct Study {
  std::vector<double> values, control;
  double test_error;
  std::string what() const { return str(values.size(), " seeds"); }
};

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double spread_of(const std::vector<double>& values) {
  const double center = sum_of(values) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += std::pow(value - center, 2);
  return std::sqrt(squares / (static_cast<double>(values.size()) - 1));
}

std::vector<double> differences_of(const Study& study) {
  std::vector<double> all;
  for (std::size_t i = 0; i < study.values.size(); ++i) all.push_back(study.values[i] - study.control[i]);
  return all;
}

}  // namespace

// same, 5 of `for (const double value : values) squares += (value - center) * (value - center);`: the two sums differ by the sum of the distances from the mean, which is 0; the square of a distance has no sign
TEST_CASE("14.1 the standard deviation of a sample") {
  const std::vector<std::vector<double>> samples = {
      {2, 4, 4, 4, 5, 5, 7, 9}, {0.861, 0.704, 0.789}, {0.3, 0.9}, {-3, 1, 0.5, 40, 2}};
  std::vector<std::string> inputs;
  for (const auto& sample : samples) inputs.push_back(str("the standard deviation of ", join(sample, ", ")));
  compare(
      inputs, {"number"},
      [&](std::size_t i) { return list({sample_standard_deviation(samples[i]).value_or(nothing)}); },
      [&](std::size_t i) { return list({spread_of(samples[i])}); }, 1e-9);
}

TEST_CASE("14.2 the interval of a paired difference") {
  const std::vector<Study> studies = {{{0.971, 0.971, 0.974}, {0.861, 0.704, 0.789}, 0.01},
                                      {{0.5, 0.7}, {0.4, 0.75}, 0.002},
                                      {{0.61, 0.64, 0.66, 0.59, 0.63}, {0.62, 0.60, 0.71, 0.52, 0.66}, 0.03}};
  std::vector<std::string> inputs;
  for (const Study& study : studies) inputs.push_back("the interval of " + study.what());
  compare(
      inputs, {"low|high"},
      [&](std::size_t i) {
        const auto& [values, control, test_error] = studies[i];
        const auto interval = paired_difference(values, control, test_error).interval;
        return interval ? list({interval->low, interval->high}) : list({});
      },
      [&](std::size_t i) {
        const std::vector<double> differences = differences_of(studies[i]);
        const double n = static_cast<double>(differences.size()), mean = sum_of(differences) / n,
                     of_seeds = std::pow(spread_of(differences), 2) / n,
                     all = of_seeds + std::pow(studies[i].test_error, 2),
                     degrees = (n - 1) * std::pow(all / of_seeds, 2),
                     reach = t_quantile(0.975, degrees) * std::sqrt(all);
        return list({mean - reach, mean + reach});
      },
      1e-9);
}

// same, 1 of `const double center = rate + z * z / (2 * n);`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `const double reach = z * std::sqrt(rate * (1 - rate) / n + z * z / (4 * n * n));`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `const double low = (center - reach) / scale;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `const double high = (center + reach) / scale;`: a sum has no order
TEST_CASE("14.3 Wilson's interval of a rate of success") {
  const std::vector<std::pair<std::size_t, std::size_t>> counts = {{1, 8}, {3, 5}, {0, 4}, {5, 5}, {40, 100}};
  std::vector<std::string> inputs;
  for (const auto& [successes, trials] : counts)
    inputs.push_back(str("the interval for ", successes, " of ", trials, " seeds"));
  compare(
      inputs, {"low|high"},
      [&](std::size_t i) {
        const Interval interval = success_interval(counts[i].first, counts[i].second);
        return list({interval.low, interval.high});
      },
      [&](std::size_t i) {
        // its ends are the rates r with (rate - r)^2 = z^2 r (1 - r) / n: a quadratic equation for r
        const double n = static_cast<double>(counts[i].second),
                     rate = static_cast<double>(counts[i].first) / n, zz = std::pow(1.959963984540054, 2),
                     a = 1 + zz / n, b = -2 * rate - zz / n, root = std::sqrt(b * b - 4 * a * rate * rate);
        return list({rate == 0 ? 0 : (-b - root) / (2 * a), rate == 1 ? 1 : (-b + root) / (2 * a)});
      },
      1e-9);

  std::vector<std::string> lines;
  for (const std::size_t right : {0, 2, 5, 8, 10}) {
    const Interval interval = success_interval(right, 10);
    const auto column = [](double rate) { return static_cast<std::size_t>(std::lround(40 * rate)); };
    std::string line = std::string(column(interval.low), ' ');
    for (std::size_t i = column(interval.low); i <= column(interval.high); ++i) line += "█";
    lines.push_back(line);
  }
  show("Your intervals for 0, 2, 5, 8 and 10 of 10 seeds, from 0 (left) to 1 (column 40)", lines);
}

// same, 1 of `double largest_so_far = 0;`: no p value is below 0, so the largest may begin at or below it
// same, 3 of `const double raised = std::min(1.0, p[order[rank]] * static_cast<double>(order.size() - rank));`: the absolute value, the larger of two and the smaller of two ask for no order or sign; all three lists have the same length
// same, 1 of `largest_so_far = std::max(largest_so_far, raised);`: the absolute value, the larger of two and the smaller of two ask for no order or sign
// same, 1 of `adjusted[order[rank]] = largest_so_far;`: the list begins with zeros, and each place is written once
// same, 2 of `for (std::size_t rank = 0; rank < order.size(); ++rank) {`: all three lists have the same length
TEST_CASE("14.4 Holm's correction") {
  const std::vector<std::vector<double>> all = {
      {0.01, 0.04, 0.03, 0.005}, {0.2, 0.9, 0.6, 0.7, 0.04}, {0.02, 0.021, 0.5}, {0.02, 0.022, 0.021}, {0.03},
      {0.6, 0.3, 0.01}};
  std::vector<std::string> inputs;
  for (const auto& p : all) inputs.push_back("adjusted from " + join(p, ", "));
  compare(
      inputs, {"p value"}, [&](std::size_t i) { return list(holm(all[i])); },
      [&](std::size_t i) {
        std::vector<double> right;
        for (const double p : all[i]) {  // the largest of what this p and each smaller one is raised to
          double raised = 0;
          for (const double smaller : all[i])
            if (smaller <= p) {
              const auto not_below = std::ranges::count_if(all[i], [&](double q) { return q >= smaller; });
              raised = std::max(raised, smaller * static_cast<double>(not_below));
            }
          right.push_back(std::min(raised, 1.0));
        }
        return list(right);
      },
      1e-9);

  std::vector<std::string> lines;
  const std::vector<double>&p = all[0], adjusted = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i)
    lines.push_back(str("p = ", fixed(p[i], 3), "  adjusted ", fixed(adjusted[i], 3),
                        adjusted[i] < 0.05 ? "" : "  not shown any more"));
  show("Four comparisons, each below .05 by itself, after your correction", lines);
}

// same, 1 of `return t_probability((std::abs(mean) - margin) / error, degrees);`: the absolute value, the larger of two and the smaller of two ask for no order or sign
TEST_CASE("14.5 the equivalence test: two one-sided tests") {
  struct Question {
    double mean, error, degrees, margin;
  };
  const std::vector<Question> questions = {{0.004, 0.005, 4, 0.02},
                                           {-0.004, 0.005, 2.5, 0.02},
                                           {0.03, 0.01, 9, 0.02},
                                           {-0.05, 0.02, 3, 0.02},
                                           {0, 0.02, 6, 0.05}};
  std::vector<std::string> inputs;
  for (const auto& [mean, error, degrees, margin] : questions)
    inputs.push_back(str("p of a mean of ", mean, " with an error of ", error, ", margin ", margin));
  compare(
      inputs, {"p value"},
      [&](std::size_t i) {
        const auto& [mean, error, degrees, margin] = questions[i];
        Difference difference{.mean = mean, .error = error, .degrees = degrees};
        return list({difference.p_of_equality(margin)});
      },
      [&](std::size_t i) {
        const auto& [mean, error, degrees, margin] = questions[i];
        const double not_above = t_probability((mean - margin) / error, degrees),
                     not_below = t_probability((-mean - margin) / error, degrees);
        return list({std::max(not_above, not_below)});
      },
      1e-9, {{"for means above 0", {0, 2}}, {"for means below 0", {1, 3}}});
}

namespace locus {
// Taken when sign_flips.cpp has no such function.
__attribute__((weak)) double sign_flip_p(const std::vector<double>&) {
  fail("exercise 14.6", "still to be written");
}
}  // namespace locus

// same, 6 of `if (std::abs(sum) > std::abs(seen) - 1e-12 * static_cast<double>(n)) ++as_far;`: how much is allowed for rounding may be anything between the rounding and the smallest difference of two sums; turning all signs gives the same lists of signs, and a mean has no sign here
// same, 1 of `const std::size_t n = differences.size();`: the lines can stand in either order: neither reads what the other writes
// same, 3 of `for (const double difference : differences) seen += difference;`: the lines can stand in either order: neither reads what the other writes; turning all signs gives the same lists of signs, and a mean has no sign here
// same, 6 of `for (std::size_t i = 0; i < n; ++i) sum += (signs >> i) % 2 == 1 ? -differences[i] : differences[i];`: turning all signs gives the same lists of signs, and a mean has no sign here
TEST_CASE("14.6 the sign-flip test, from blank") {
  const std::vector<std::vector<double>> all = {{0.11, 0.267, 0.185},
                                                {0.1, -0.2, 0.4, 0.3},
                                                {0.5},
                                                {0.02, 0.02, -0.02, 0.02, 0.02},
                                                {-0.2, 0.1, -0.3, 0.2},
                                                {-0.1, -0.4, -0.2, -0.7, -0.3, 0.05}};
  std::vector<std::string> inputs;
  for (const auto& differences : all) inputs.push_back("p of " + join(differences, ", "));
  compare(
      inputs, {"p value"}, [&](std::size_t i) { return list({sign_flip_p(all[i])}); },
      [&](std::size_t i) {
        std::vector<double> sums = {0};  // of all lists of signs, one more difference at a time
        for (const double difference : all[i]) {
          std::vector<double> more;
          for (const double sum : sums)
            for (const double sign : {-1.0, 1.0}) more.push_back(sum + sign * difference);
          sums = more;
        }
        const double seen = std::abs(sum_of(all[i]));
        const auto as_far =
            std::ranges::count_if(sums, [&](double sum) { return std::abs(sum) > seen - 1e-9; });
        return list({static_cast<double>(as_far) / static_cast<double>(sums.size())});
      },
      1e-9);
}

// --- 14.7 ---

namespace {

// Random values of its own for each candidate.
Draw drawn(double (*of)(Random&)) {
  const auto random = std::make_shared<Random>(14, Purpose::testing);
  return [random, of] { return of(*random); };
}
double normal(Random& random) { return 0.6 + 0.05 * random.normal(); }
double wide_normal(Random& random) { return 0.6 + 40 * random.normal(); }
double skewed(Random& random) { return 0.6 - std::log(1 - random.uniform()) - 1; }  // exponential, mean .6
double solved_or_not(Random& random) { return random.below(2) == 0 ? 0.3 : 0.9; }

// The mean, and so many standard errors on each side.
IntervalOf errors_around_mean(double quantile, double shift = 0) {
  return [=](const std::vector<double>& values) {
    const double n = static_cast<double>(values.size()), mean = sum_of(values) / n,
                 error = spread_of(values) / std::sqrt(n), center = mean + shift * error;
    return Interval{center - quantile * error, center + quantile * error};
  };
}

IntervalOf known_spread(double reach) {
  return [=](const std::vector<double>& values) {
    const double n = static_cast<double>(values.size()), mean = sum_of(values) / n;
    return Interval{mean - reach / std::sqrt(n), mean + reach / std::sqrt(n)};
  };
}

Interval smallest_to_largest(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

Interval around_median(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const double median = sorted[sorted.size() / 2],
               reach = 2.77644510519779 * spread_of(values) / std::sqrt(static_cast<double>(values.size()));
  return {median - reach, median + reach};
}

// What the learner's test says of an interval. A test of few studies is run again, with other values, until it has
// seen `enough` of them: it must say the same each time.
bool verdict(const std::string& what, const IntervalOf& interval_of, const Draw& draw, int seeds) {
  constexpr int enough = 100'000;     // studies: an error of .0007
  constexpr int allowed = 5'000'000;  // by contract.h
  int draws = 0, before = 0;          // before: the draws up to the last call of the test
  const Draw counted = [&] {
    if (++draws > before + allowed)
      throw Error(str(
          "Your test drew more than five million values to judge one interval:\n  - ", what,
          "\nThe likely reason is the number of studies: each draws ", seeds,
          seeds == 1 ? " value" : " values",
          ", and contract.h allows five million draws, not five million "
          "studies. How many studies are needed to tell a coverage of .938 from one of .947? If you ask for few, a "
          "loop has no end."));
    return draw();
  };
  const auto test = [&] {
    before = draws;
    return covers(interval_of, counted, 0.6, seeds);
  };
  const bool first = test();
  while (draws > before && draws < enough * seeds) {
    if (test() != first)
      throw Error(str(
          "Your test was run more than once on one interval, with other random values, and its answers differ:\n  - ",
          what,
          "\nSo chance decides. How many studies are needed to tell a coverage of .938 from one of .947?"));
  }
  return first;
}

}  // namespace

TEST_CASE("14.7 your test: a 95 % interval holds the truth in 95 % of all studies") {
  on_timeout(
      "still running when time was up. The likely reason is the number of studies: your test is run on 25 intervals, "
      "and has ten seconds for all of them. If you ask for few studies, a loop has no end.");
  constexpr double infinite = std::numeric_limits<double>::infinity();
  constexpr double t_2 = 4.30265272974946, t_4 = 2.77644510519779, z = 1.95996398454005;
  const auto candidate = [](const std::string& what, bool is_right, const IntervalOf& interval_of,
                            double (*of)(Random&), int seeds) {
    return Candidate{what, is_right, [=] { return verdict(what, interval_of, drawn(of), seeds); }};
  };
  judge({
      candidate("Student's t, 3 seeds, normal distribution", true, errors_around_mean(t_2), normal, 3),
      candidate("Student's t, 5 seeds, normal distribution", true, errors_around_mean(t_4), normal, 5),
      candidate("Student's t, 2 seeds, a distribution 800 times as wide", true,
                errors_around_mean(12.7062047361747), wide_normal, 2),
      candidate("1.96 errors, one seed, with the true standard deviation", true, known_spread(z * 0.05),
                normal, 1),
      candidate("an interval that holds the truth in 95.3 % of all studies", true,
                known_spread(1.98630020412943 * 0.05), normal, 1),
      candidate("an interval that holds the truth in 94.7 % of all studies", true,
                known_spread(1.93492092488739 * 0.05), normal, 1),
      candidate(
          "an interval with one end only, 3 seeds", true,
          [](const std::vector<double>& values) {
            return Interval{-infinite, errors_around_mean(2.91998558035373)(values).high};
          },
          normal, 3),
      candidate(
          "a skewed distribution that is known, one seed", true,
          [](const std::vector<double>& values) {  // 2.5 % and 97.5 % of an exponential are .0253 and 3.6889
            return Interval{values[0] + 1 - 3.68887945411394, values[0] + 1 - 0.0253178079842899};
          },
          skewed, 1),

      candidate("1.96 errors with the standard deviation of 3 seeds, as if it were the true one", false,
                errors_around_mean(z), normal, 3),
      candidate("1.96 errors with the standard deviation of 5 seeds", false, errors_around_mean(z), normal,
                5),
      candidate("Student's t with as many degrees of freedom as seeds", false,
                errors_around_mean(3.18244630528371), normal, 3),
      candidate("a quantile that leaves 5 % outside on each side", false,
                errors_around_mean(2.91998558035373), normal, 3),
      candidate("a standard deviation divided by n instead of n - 1", false,
                errors_around_mean(t_2 * std::sqrt(2 / 3.0)), normal, 3),
      candidate("a standard deviation that is not divided by the root of n", false,
                errors_around_mean(t_2 * std::sqrt(3.0)), normal, 3),
      candidate("an interval of 99 %", false, errors_around_mean(9.92484320091807), normal, 3),
      candidate("one standard error", false, errors_around_mean(1), normal, 5),
      candidate("the smallest and the largest of 6 seeds, which holds the truth too often", false,
                smallest_to_largest, normal, 6),
      candidate("the smallest and the largest of 3 seeds", false, smallest_to_largest, normal, 3),
      candidate("Student's reach around the median of 5", false, around_median, normal, 5),
      candidate("a center that is two thirds of an error too high", false, errors_around_mean(t_4, 0.67),
                normal, 5),
      candidate("seeds that solve the task or do not, 3 of them", false, errors_around_mean(t_2),
                solved_or_not, 3),
      candidate("seeds that solve the task or do not, 5 of them", false, errors_around_mean(t_4),
                solved_or_not, 5),
      candidate("Student's t, 3 seeds, a skewed distribution", false, errors_around_mean(t_2), skewed, 3),
      candidate(
          "an interval that does not look at the values, and always holds", false,
          [](const std::vector<double>&) {
            return Interval{0, 1};
          },
          normal, 3),
      candidate(
          "an interval that never holds: its ends are exchanged", false,
          [](const std::vector<double>& values) {
            const Interval right = errors_around_mean(4.30265272974946)(values);
            return Interval{right.high, right.low};
          },
          normal, 3),
  });
}
