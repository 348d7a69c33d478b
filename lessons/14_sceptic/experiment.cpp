// Chapter 14: three seeds that are all ahead, eight seeds of which one solves the task, and what simulated studies say.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "ablation/results.h"
#include "ablation/statistics.h"
#include "base/error.h"
#include "base/random.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/14_sceptic/contract.h"

namespace locus {

namespace {

using Values = std::vector<double>;

std::vector<TableColumn> numbers(const std::string& first, const std::vector<std::string>& names) {
  std::vector<TableColumn> columns = {{first}};
  for (const std::string& name : names) columns.push_back({name, Align::right});
  return columns;
}

// One point for each seed, without a line between them.
Series points(const std::string& name, const Values& values) {
  Series series{.name = name, .samples = {}};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto seed = static_cast<double>(i + 1);
    if (i > 0) series.samples.push_back({seed - 0.5, std::numeric_limits<double>::quiet_NaN()});
    series.samples.push_back({seed, values[i]});
  }
  return series;
}

Series level(const std::string& name, double value, std::size_t seeds) {
  return {
      .name = name, .samples = {{1, value}, {static_cast<double>(seeds), value}}, .style = baseline_style()};
}

// --- three seeds, all ahead ---

// Token accuracy at 18 tokens of encoders of width 32, as lessons/results/encoder-previous has them.
Values recorded(const std::string& scheme) {
  Values values;
  for (const Result& result : read_records({"lessons/results/encoder-previous"}).results)
    if (result.settings.model.scheme == scheme && result.settings.model.d_model == 32)
      for (const LengthScore& at : result.outcome.by_length)
        if (at.length == 18) values.push_back(at.score.token_accuracy);
  return values;
}

void print_three_seeds() {
  const Values alibi = recorded("alibi:direction=asymmetric"), sinusoidal = recorded("sinusoidal");
  Values differences;
  for (std::size_t i = 0; i < alibi.size(); ++i) differences.push_back(alibi[i] - sinusoidal[i]);
  const Difference difference = paired_difference(
      alibi, sinusoidal,
      std::hypot(test_set_error(mean(alibi), 4000), test_set_error(mean(sinusoidal), 4000)));
  std::cout << "\nThree seeds, all ahead: is the one better? The mean difference has the 95 % interval "
            << fixed(difference.interval->low, 3) << " to " << fixed(difference.interval->high, 3)
            << ": p = " << fixed(difference.p, 4) << ", and by sign flips "
            << fixed(sign_flip_p(differences), 3) << ".\n";

  const std::size_t seeds = differences.size();
  LineChart chart{
      .title = "All three seeds are ahead, and the 95 % interval includes 0",
      .x_label = "seed",
      .y_label = "accuracy of alibi, asymmetric, less that of sinusoidal",
      .series = {
          points("difference", differences), level("no difference", 0, seeds),
          level("mean", difference.mean, seeds),
          level(str("high end ", fixed(difference.interval->high, 3)), difference.interval->high, seeds),
          level(str("low end ", fixed(difference.interval->low, 3)), difference.interval->low, seeds)}};
  for (std::size_t end : {3u, 4u}) chart.series[end].style = series_style(1);
  chart.y_range = Range{-0.1, 0.4};
  save_figure("three_seeds", line_chart(chart));
}

// --- eight seeds, of which one solves the task ---

void print_pairs() {
  Values values;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    RunSettings settings;
    settings.task = "pairs";
    settings.model.scheme = "t5";
    settings.train.seed = seed;
    settings.test_lengths = {12};
    settings.test_examples = 1000;
    values.push_back(train_and_test(settings)[0].score.token_accuracy);
  }
  std::ranges::sort(values, std::greater());
  const double center = mean(values),
               nearest = std::ranges::min(values, {}, [&](double value) { return std::abs(value - center); });
  const auto solved =
      static_cast<std::size_t>(std::ranges::count_if(values, [](double v) { return v > 0.9; }));
  const Interval rate = success_interval(solved, values.size());
  std::cout << "\nOne model of eight learns: t5 on `pairs`, the best first: " << of_each(values)
            << ".\nTheir mean is " << fixed(center, 2) << "; the nearest seed has " << fixed(nearest, 2)
            << ". " << solved << " of 8 solved the task; the 95 % interval of that rate is "
            << fixed(rate.low, 2) << " to " << fixed(rate.high, 2) << ".\n";

  LineChart chart{.title = str("The mean of eight seeds, ", fixed(center, 2), ", describes none of them"),
                  .x_label = "seeds, the best first",
                  .y_label = "token accuracy",
                  .series = {}};
  chart.series = {points("t5 on pairs", values), level("mean", center, values.size())};
  chart.y_range = Range{0, 1};
  save_figure("trained_pairs", line_chart(chart));
  expect("the best seed of t5 on pairs", values.front(), 0.97, 0.06, "Nothing of it is yours: it shows luck");
}

// --- simulated studies ---

// The textbook's interval: the mean, and t standard errors on each side.
Interval student_interval(const Values& values, double quantile) {
  const double center = mean(values), reach = quantile * *sample_standard_deviation(values) /
                                              std::sqrt(static_cast<double>(values.size()));
  return {center - reach, center + reach};
}

struct Noise {
  std::string name;
  double truth;
  double (*draw)(Random&);
};
const std::vector<Noise> noises = {
    {"normal", 0.6, [](Random& random) { return 0.6 + 0.05 * random.normal(); }},
    {"1 of 2 seeds solves", 0.6, [](Random& random) { return random.below(2) == 0 ? 0.9 : 0.3; }},
    {"1 of 4 seeds solves", 0.45, [](Random& random) { return random.below(4) == 0 ? 0.9 : 0.3; }},
    {"1 of 8 seeds solves", 0.375, [](Random& random) { return random.below(8) == 0 ? 0.9 : 0.3; }}};

// In which share of studies the interval of so many seeds holds the truth.
double coverage(const Noise& noise, int seeds) {
  constexpr int studies = 20'000;
  const double quantile = t_quantile(0.975, seeds - 1);
  Random random(14, Purpose::statistics);
  int held = 0;
  for (int study = 0; study < studies; ++study) {
    Values values;
    for (int seed = 0; seed < seeds; ++seed) values.push_back(noise.draw(random));
    const auto [low, high] = student_interval(values, quantile);
    held += low <= noise.truth && noise.truth <= high;
  }
  return held / static_cast<double>(studies);
}

void print_coverage() {
  std::vector<std::string> names;
  for (const Noise& noise : noises) names.push_back(noise.name);
  TextTable table(numbers("seeds", names));
  for (const int seeds : {3, 5, 10}) {
    std::vector<TableCell> row = {str(seeds)};
    for (const Noise& noise : noises) row.push_back(fixed(coverage(noise, seeds), 2));
    table.add_row(row);
  }
  const double rare = coverage(noises.back(), 3);
  reply(
      rare,
      "(Of 20000 simulated studies.) In two thirds of them no seed has solved the task. Then all three are alike, s is 0,\n"
      "and the interval has no width: it is certain, and wrong. A rare success is missed, and so is the truth.");
  std::cout
      << "\nHow often does a 95 % interval by Student's t hold the truth? (Your guess: 3 seeds, 1 of 8.)\n\n"
      << table.to_text(false);

  LineChart chart{.title = {},
                  .x_label = "seeds",
                  .y_label = "coverage: share of studies in which the interval holds the truth",
                  .series = {}};
  for (const Noise& noise : noises) {
    Series series{.name = noise.name, .samples = {}};
    for (int seeds = 2; seeds <= 10; ++seeds) {
      const double share = coverage(noise, seeds);
      series.samples.push_back({static_cast<double>(seeds), share});
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.push_back({.name = "0.95", .samples = {{2, 0.95}, {10, 0.95}}, .style = baseline_style()});
  chart.title =
      str("A 95 % interval of 3 seeds may hold the truth in only ", fixed(100 * rare, 0), " % of studies");
  chart.y_range = Range{0, 1};
  save_figure("coverage", line_chart(chart));
}

// How two-sided tests with Student's t judge so many differences.
Difference difference_of(const Values& differences) {
  const double n = static_cast<double>(differences.size());
  Difference of{.mean = mean(differences)};
  of.error = *sample_standard_deviation(differences) / std::sqrt(n);
  of.degrees = n - 1;
  of.p = 2 * t_probability(-std::abs(of.mean) / of.error, of.degrees);
  return of;
}

struct FalseFindings {
  double uncorrected = 0, by_holm = 0;  // shares of studies with one or more
};

// Studies of so many schemes and a control, all alike, with three seeds each.
FalseFindings false_findings(int schemes) {
  constexpr int studies = 10'000, seeds = 3;
  Random random(15, Purpose::statistics);
  FalseFindings found;
  for (int study = 0; study < studies; ++study) {
    Values control, p;
    for (int seed = 0; seed < seeds; ++seed) control.push_back(random.normal());
    for (int scheme = 0; scheme < schemes; ++scheme) {
      Values differences;
      for (const double value : control) differences.push_back(random.normal() - value);
      p.push_back(difference_of(differences).p);
    }
    const Values adjusted = holm(p);
    found.uncorrected += smallest(p) < 0.05;
    found.by_holm += smallest(adjusted) < 0.05;
  }
  found.uncorrected /= studies;
  found.by_holm /= studies;
  return found;
}

void print_false_findings() {
  TextTable table(numbers("equal schemes", {"studies with a false finding", "after Holm"}));
  LineChart chart{.title = "Ten equal schemes: a third of the studies has a false finding",
                  .x_label = "schemes compared with the control, all of them equal to it",
                  .y_label = "share of studies with a false finding",
                  .series = {}};
  Series uncorrected{.name = "uncorrected", .samples = {}}, by_holm{.name = "after Holm", .samples = {}};
  for (const int schemes : {1, 3, 10, 20}) {
    const FalseFindings found = false_findings(schemes);
    uncorrected.samples.push_back({static_cast<double>(schemes), found.uncorrected});
    by_holm.samples.push_back({static_cast<double>(schemes), found.by_holm});
    table.add_row({str(schemes), fixed(found.uncorrected, 2), fixed(found.by_holm, 2)});
  }
  chart.series = {
      uncorrected, by_holm, {.name = "0.05", .samples = {{1, 0.05}, {20, 0.05}}, .style = baseline_style()}};
  chart.y_range = Range{0, 0.6};
  std::cout << "\nHow often does one of many schemes look different, when all are equal to the control?\n\n"
            << table.to_text(false);
  save_figure("false_findings", line_chart(chart));
}

}  // namespace

void experiment() {
  print_coverage();
  print_three_seeds();
  print_pairs();
  print_false_findings();
}

}  // namespace locus
