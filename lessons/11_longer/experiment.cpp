// Chapter 11: models trained at 16 tokens, or at 4 to 16, read with each extension of the learner's, beside the no-input
// baseline.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "draw/charts.h"
#include "examine/answer.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/11_longer/contract.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

constexpr int d = 16, pairs = d / 2, trained = 16;
constexpr double full_turn = 2 * std::numbers::pi;
const std::string base = "rope:base=100";

struct Reading {
  std::string name, spec;
};
const Reading plain{"plain", base}, pi_4{"pi, factor 4", base + ",extend=pi,factor=4"},
    ntk{"ntk", base + ",extend=ntk,factor=4"},
    yarn{"yarn", base + ",extend=yarn,factor=4,original=16,beta_fast=4"},
    llama3{"llama3", base + ",extend=llama3,factor=4,original=16,beta_fast=2"},
    dynamic{"dynamic", base + ",extend=dynamic,factor=4,original=16"},
    ntk_13{"ntk, factor 13", base + ",extend=ntk,factor=13"};  // that of dynamic at 64 tokens

std::unique_ptr<Scheme> scheme(const std::string& spec, ParameterTable& table) {
  return make_scheme(spec, {.d_model = d, .heads = 1, .causal = true}, table);
}

std::vector<double> speeds(const std::string& spec, int length = 64) {
  ParameterTable table;
  return scheme(spec, table)->frequencies(length).inverse_frequency;
}

// --- clocks ---

std::vector<Point> arc(Point center, double radius, double from, double to) {
  std::vector<Point> points;
  for (int i = 0; i <= 48; ++i) {
    const double angle = from + (to - from) * i / 48;
    points.push_back({center.x + radius * std::sin(angle), center.y - radius * std::cos(angle)});
  }
  return points;
}

// The clocks of one reading at 64 positions: the angles of the hands in training (blue), and those that they reach only
// now (orange).
Figure faces_of(const Reading& reading) {
  constexpr double cell = 66, radius = 24, left = 16;
  Drawing drawing;
  double y = drawing.heading(reading.name, 13, left, 12, pairs * cell);
  const std::vector<double> before = speeds(plain.spec), now = speeds(reading.spec);
  for (int pair = 0; pair < pairs; ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    const Point center{left + (pair + 0.5) * cell, y + radius + 12};
    const double seen = std::min(before[at] * (trained - 1), full_turn),
                 reached = std::min(now[at] * 63, full_turn);
    drawing.circle(center, radius, {reference_ink, 1.2});
    drawing.polyline(arc(center, radius, 0, seen), {series_colour(0), 5});
    if (reached > seen * 1.06) drawing.polyline(arc(center, radius, seen, reached), {series_colour(1), 5});
    const double hand = now[at] * 63;
    drawing.line(center, {center.x + (radius - 6) * std::sin(hand), center.y - (radius - 6) * std::cos(hand)},
                 {dark_ink, 1.6});
    drawing.text({center.x, center.y + radius + 16}, str("pair ", pair), {Anchor::middle, pale_ink, 11});
  }
  return {reading.name, 2 * left + pairs * cell, y + 2 * radius + 36, drawing.take()};
}

Figure faces() {
  return panels(
      "At 64 tokens, 6 clocks of plain rope and 5 of ntk reach angles (orange) that training (blue) never had",
      {faces_of(plain), faces_of(pi_4), faces_of(ntk), faces_of(yarn)}, 1);
}

Figure slowing() {
  LineChart chart;
  chart.title =
      "yarn and llama3 divide the speeds of pairs 2 to 7 by 4, as pi does; ntk each pair more than the last";
  chart.x_label = "pair, from fast to slow";
  chart.y_label = "speed, as a share of the trained one";
  chart.width = 640;
  chart.y_range = {{0, 1.1}};
  const std::vector<double> before = speeds(plain.spec);
  // The colours of trained_sort; lines on the same points become narrower, so that each is seen.
  const struct {
    Reading reading;
    std::size_t colour;
    double width;
  } lines[] = {{ntk, 2, 2}, {pi_4, 1, 8}, {yarn, 3, 5}, {llama3, 4, 2}};
  for (const auto& [reading, colour, width] : lines) {
    Series series;
    series.name = reading.name;
    series.style = series_style(colour);
    series.style->width = width;
    series.marked = width == 2;
    const std::vector<double> now = speeds(reading.spec);
    for (std::size_t pair = 0; pair < pairs; ++pair)
      series.samples.push_back({static_cast<double>(pair), now[pair] / before[pair]});
    chart.series.push_back(series);
  }
  return line_chart(chart);
}

// --- models ---

constexpr int lengths[] = {16, 32, 64};
const std::vector<Reading> readings = {plain, pi_4, ntk, yarn, llama3, dynamic, ntk_13};

struct Study {
  std::string task, name;
  LengthRange lengths;
};

RunSettings settings_of(const Study& study, std::uint64_t seed) {
  RunSettings settings;
  settings.task = study.task;
  settings.model.scheme = base;
  settings.train.seed = seed;
  settings.train.lengths = study.lengths;
  settings.train.optimizer.learning_rate = 0.01;
  settings.test_lengths = {16, 32, 64};
  settings.test_examples = 400;
  return complete(settings);
}

// By reading and length, an accuracy for each seed; and what can be had without reading, and without order.
struct Results {
  std::map<std::string, std::vector<double>> at[3];
  double no_input[3], order_blind[3];

  double mean(const std::string& reading, std::size_t length) const {
    const std::vector<double>& all = at[length].at(reading);
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  }
};

void test(RunSettings settings, const Reading& reading, const Reals& parameters, Results& results) {
  settings.model.scheme = reading.spec;
  const Run run(settings);
  Pool pool(hardware_threads());
  const std::vector<LengthScore> scores = run.test(parameters.data(), pool);
  for (std::size_t i = 0; i < 3; ++i) {
    results.at[i][reading.name].push_back(scores[i].score.token_accuracy);
    results.no_input[i] = scores[i].no_input_baseline;
    results.order_blind[i] = *scores[i].order_blind_ceiling;
  }
}

Results results_of(const Study& study) {
  Results results;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const RunSettings settings = settings_of(study, seed);
    const Reals parameters = train(Run(settings));
    for (const Reading& reading : readings) test(settings, reading, parameters, results);
  }
  return results;
}

Figure by_length(const std::string& title, const Results& results) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "length (tokens)";
  chart.y_label = "share of right tokens, mean of three seeds";
  chart.log_x = true;
  chart.y_range = {{0, 1}};
  chart.width = 460;
  chart.height = 340;
  for (const Reading& reading : {plain, pi_4, ntk, yarn}) {
    Series series;
    series.name = reading.name;
    for (std::size_t i = 0; i < 3; ++i)
      series.samples.push_back({static_cast<double>(lengths[i]), results.mean(reading.name, i)});
    chart.series.push_back(series);
  }
  Series nothing{.name = "no-input baseline", .samples = {}, .style = baseline_style()};
  for (std::size_t i = 0; i < 3; ++i)
    nothing.samples.push_back({static_cast<double>(lengths[i]), results.no_input[i]});
  chart.series.push_back(nothing);
  return line_chart(chart);
}

}  // namespace

void experiment() {
  save_figure("faces", faces());
  save_figure("slowing", slowing());
  std::vector<Results> all;
  for (const Study& study :
       {Study{"sort", "16", {16, 16}}, Study{"sort", "4 to 16", {4, 16}}, Study{"previous", "16", {16, 16}}})
    all.push_back(results_of(study));
  // A row for each reading: in each cell the accuracies at 16, 32 and 64 tokens.
  TextTable table(
      {{"read as"}, {"sort, trained at 16"}, {"sort, trained at 4 to 16"}, {"previous, trained at 16"}});
  const auto add_row = [&](const std::string& name, const auto& number) {
    std::vector<TableCell> row = {name};
    for (const Results& results : all) {
      std::vector<std::string> words;
      for (std::size_t i = 0; i < 3; ++i) words.push_back(fixed(number(results, i), 2));
      row.push_back(join(words, " "));
    }
    table.add_row(row);
  };
  for (const Reading& reading : readings)
    add_row(reading.name,
            [&](const Results& results, std::size_t i) { return results.mean(reading.name, i); });
  table.add_rule();
  add_row("best fixed answer", [](const Results& results, std::size_t i) { return results.no_input[i]; });
  add_row("order-blind ceiling",
          [](const Results& results, std::size_t i) { return results.order_blind[i]; });
  reply(
      all[0].mean(pi_4.name, 0),
      "(The mean of three seeds.) The model saw inputs of one length, and learned which share of the input is before a\n"
      "token, not how many tokens. With every speed divided by 4, 16 tokens look like the first quarter of an input.");
  std::cout
      << "\nThe same three models, read with each extension, without further training: the mean of their token "
         "accuracies\nat 16, 32 and 64 tokens\n\n"
      << table.to_text(false);
  save_figure(
      "trained_sort",
      panels(
          "Trained at 16 alone, a model with pi, factor 4, sorts 64 digits, not 16; trained at 4 to 16, most of both",
          {by_length("Trained at 16 alone", all[0]), by_length("Trained at 4 to 16", all[1])}, 1));
  expect("plain at the trained length", all[0].mean(plain.name, 0), 1, 0.03, "Is plain rope still plain?");
  expect("interpolation by 4 at 64", all[0].mean(pi_4.name, 2), 0.98, 0.06,
         "Are all clocks slowed (step 11.1)?");
  expect("interpolation by 4 at 16, trained at 4 to 16", all[1].mean(pi_4.name, 0), 0.84, 0.08,
         "Are all clocks slowed (step 11.1)?");
  expect("previous with interpolation at 64", all[2].mean(pi_4.name, 2), 0.13, 0.06,
         "Are all clocks slowed (step 11.1)?");
  expect("previous with NTK-aware at 64", all[2].mean(ntk.name, 2), 0.96, 0.08,
         "Is the fastest clock untouched (step 11.2)?");
}

}  // namespace locus
