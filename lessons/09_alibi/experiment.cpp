// Chapter 9: slopes and biases by the learner's lines, an input asked backwards, and what training reaches, beside the
// ceilings that the learner counts.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "draw/charts.h"
#include "examine/answer.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/09_alibi/contract.h"
#include "positional/support/alibi_slope.h"
#include "positional/support/bias_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"
#include "tasks/support/registry.h"

namespace locus {

namespace {

// --- the learner's own bias, as a scheme: it can be trained like any other ---

class TwoSided : public BiasScheme {
 public:
  TwoSided(const Options&, const SchemeContext& context, ParameterTable&) : BiasScheme(context) {}
  std::optional<double> bias(int head, double query, double key) const override {
    return two_sided_bias(head, heads(), alibi_slope(head, heads()), query, key);
  }
  Claims claims() const override {
    return {.direction_aware = true, .shift_invariant = true, .extrapolates = true};
  }
};
const RegisterScheme registered{{.name = "two-sided",
                                 .summary = "the bias of step 9.7",
                                 .source = "you",
                                 .stage = Stage::scores,
                                 .options = {},
                                 .make = make<TwoSided>}};

// --- figures without training ---

// The next series of a chart. The first is broad, as others lie on it in places.
Series drawn(const LineChart& chart) {
  Series series;
  series.style = series_style(chart.series.size());
  if (chart.series.empty()) series.style->width = 7;
  return series;
}

Figure slopes() {
  LineChart chart;
  chart.title = "With six heads, head 4 is the steepest, not head 0";
  chart.x_label = "head, counted from 0";
  chart.y_label = "slope";
  chart.log_y = true;
  chart.width = 560;
  for (const int heads : {4, 8, 6}) {
    Series series = drawn(chart);
    series.name = str(heads, " heads");
    for (int head = 0; head < heads; ++head)
      series.samples.push_back({static_cast<double>(head), alibi_slope(head, heads)});
    chart.series.push_back(series);
  }
  return line_chart(chart);
}

constexpr int heads = 8;

std::unique_ptr<Scheme> scheme(const std::string& spec, ParameterTable& table) {
  return make_scheme(spec, {.d_model = 32, .heads = heads, .causal = false}, table);
}

void add_bias_around(LineChart& chart, const std::string& name, const std::string& spec, int reach) {
  ParameterTable table;
  const auto alibi = scheme(spec, table);
  Series series = drawn(chart);
  series.name = name;
  for (int relative = -reach; relative <= reach; ++relative)
    series.samples.push_back({static_cast<double>(relative), *alibi->bias(0, 100, 100 + relative)});
  chart.series.push_back(series);
}

Figure two_sides() {
  LineChart chart;
  chart.title = "The symmetric bias is its own mirror image; the two others are not";
  chart.x_label = "key - query (left of 0: keys before the query)";
  chart.y_label = str("bias of head 0 of ", heads, ", with the slope 1/2");
  chart.width = 560;
  for (const auto& [name, spec] : {std::pair{"symmetric", "alibi"},
                                   {"asymmetric", "alibi:direction=asymmetric"},
                                   {"yours", "two-sided"}})
    add_bias_around(chart, name, spec, 6);
  return line_chart(chart);
}

// --- training ---

RunSettings settings(const std::string& task, const std::string& spec, int width, std::uint64_t seed) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = spec;
  settings.model.d_model = width;
  settings.model.heads = heads;
  settings.train.seed = seed;
  settings.train.steps = 300;
  settings.train.optimizer.learning_rate = 0.01;
  settings.test_lengths = {12, 24, 48, 96};
  settings.test_examples = 500;
  return settings;
}

RunSettings decoder(const std::string& task, int width, std::uint64_t seed) {
  RunSettings of = settings(task, "alibi", width, seed);
  of.model.kind = ModelKind::decoder;
  of.train.steps = 600;
  of.train.optimizer.learning_rate = 0.003;
  return of;
}

// The mean of the learner's best_share() over inputs of 12 tokens.
double counted_ceiling(const std::string& name) {
  const Task& task = find_task(name);
  const auto solve = [&](const Tokens& input) { return task.target_of(input).value_or(Tokens()); };
  Random random(1, Purpose::testing);
  double sum = 0;
  constexpr int inputs = 10'000;
  for (int n = 0; n < inputs; ++n) sum += best_share(task.sample(random, 12, Split::test).input, solve);
  return sum / inputs;
}

struct Trained {
  std::string task, told;
  std::vector<double> at[4];  // for each test length, one accuracy for each seed

  double mean(std::size_t length) const {
    return std::accumulate(at[length].begin(), at[length].end(), 0.0) /
           static_cast<double>(at[length].size());
  }
};

Trained train_seeds(const std::string& told,
                    const std::function<RunSettings(std::uint64_t seed)>& settings_of) {
  Trained trained;
  trained.told = told;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const RunSettings of = settings_of(seed);
    trained.task = of.task;
    const std::vector<LengthScore> scores = train_and_test(of);
    for (std::size_t length = 0; length < scores.size(); ++length)
      trained.at[length].push_back(scores[length].score.accuracy(of.model.kind == ModelKind::decoder));
  }
  return trained;
}

Figure by_length(const std::string& title, const std::vector<Trained>& all, double ceiling) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "length (tokens); trained at 12";
  chart.y_label = "share of right answers, mean of three seeds";
  chart.log_x = true;
  chart.y_range = {{0, 1}};
  chart.width = 560;
  const double lengths[] = {12, 24, 48, 96};
  chart.series.push_back(
      {.name = "mirror-blind ceiling", .samples = {{12, ceiling}, {96, ceiling}}, .style = ceiling_style()});
  for (const Trained& trained : all) {
    Series series{.name = trained.told, .samples = {}, .style = series_style(chart.series.size() - 1)};
    for (std::size_t i = 0; i < 4; ++i) series.samples.push_back({lengths[i], trained.mean(i)});
    chart.series.push_back(series);
  }
  return line_chart(chart);
}

}  // namespace

void experiment() {
  save_figure("slopes", slopes());
  save_figure("two_sides", two_sides());

  const auto encoder = [](const char* task, const char* spec, int width) {
    return [=](std::uint64_t seed) { return settings(task, spec, width, seed); };
  };
  const std::vector<Trained> previous = {
      train_seeds("symmetric, width 32", encoder("previous", "alibi", 32)),
      train_seeds("symmetric, width 64", encoder("previous", "alibi", 64)),
      train_seeds("asymmetric, width 32", encoder("previous", "alibi:direction=asymmetric", 32)),
      train_seeds("yours, width 32", encoder("previous", "two-sided", 32))};
  const std::vector<Trained> needle = {
      train_seeds("symmetric, width 32", encoder("needle", "alibi", 32)),
      train_seeds("decoder, width 32", [](std::uint64_t seed) { return decoder("needle", 32, seed); })};
  const double ceilings[] = {counted_ceiling("previous"), counted_ceiling("needle")};

  TextTable table({{"task"},
                   {"ALiBi"},
                   {"right at 12"},
                   {"at 24"},
                   {"at 48"},
                   {"at 96"},
                   {"your ceiling", Align::right}});
  for (std::size_t task = 0; task < 2; ++task)
    for (const Trained& trained : task == 0 ? previous : needle)
      table.add_row({&trained == &previous[0] || &trained == &needle[0] ? trained.task : "", trained.told,
                     of_each(trained.at[0]), of_each(trained.at[1]), of_each(trained.at[2]),
                     of_each(trained.at[3]),
                     trained.told.starts_with("symmetric") ? fixed(ceilings[task], 3) : "-"});
  reply(
      previous[0].mean(3),
      str("(The mean of three seeds at width 32.) It has as many right at 96 tokens as at 12: ALiBi loses nothing on longer\n"
          "inputs here. But it was never more than that. The model finds both neighbours of a token, and not which of them\n"
          "is the one before. In 1 of 10 tokens the two are the same digit; in the others one of two answers is right.\n"
          "Your own bias, which tells left from right: ",
          fixed(previous[3].mean(0), 2), " at 12 tokens and ", fixed(previous[3].mean(3), 2), " at 96."));
  std::cout << '\n' << table.to_text(false);
  save_figure(
      "trained_previous",
      by_length(
          "Symmetric ALiBi stays at its ceiling at every length; biases with two different sides pass it",
          previous, ceilings[0]));
  save_figure(
      "trained_needle",
      by_length(
          "Same slopes, 12 tokens: the decoder finds every needle, the symmetric encoder fewer than 2 of 3",
          needle, ceilings[1]));

  expect("a symmetric model on previous", previous[0].mean(0), 0.55, 0.03,
         "Is the symmetric bias right (step 9.3)?");
  expect("an asymmetric model on previous", previous[2].mean(0), 0.94, 0.05,
         "Is the left side the nearer one (step 9.8)?");
  expect("a symmetric model on needle", needle[0].mean(0), 0.65, 0.04,
         "Do the slopes fall from head to head (step 9.1)?");
  expect("a decoder on needle", needle[1].mean(0), 1, 0.03, "Is the causal bias right (step 9.3)?");
}

}  // namespace locus
