// Chapter 11: the clocks of a rotary model at 16 and 64 tokens under each reading, by the learner's lines; a cached
// key; and models trained at 16 tokens, or at 4 to 16, read with each extension, beside the no-input baseline.
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
const Reading plain{"plain", base}, pi_2{"pi, factor 2", base + ",extend=pi,factor=2"},
    pi_4{"pi, factor 4", base + ",extend=pi,factor=4"}, ntk{"ntk", base + ",extend=ntk,factor=4"},
    dynamic{"dynamic", base + ",extend=dynamic,original=16"},
    yarn{"yarn", base + ",extend=yarn,factor=4,original=16,beta_fast=4"},
    cold_yarn{"yarn, no temperature", yarn.spec + ",temperature=off"},
    temperature{"temperature alone", base + ",temperature=on,factor=4"},
    llama3{"llama3", base + ",extend=llama3,factor=4,original=16,beta_fast=2"};

std::unique_ptr<Scheme> scheme(const std::string& spec, ParameterTable& table) {
  return make_scheme(spec, {.d_model = d, .heads = 1, .causal = true}, table);
}

std::vector<double> speeds(const std::string& spec, int length = 64) {
  ParameterTable table;
  return scheme(spec, table)->frequencies(length).inverse_frequency;
}

// --- clocks ---

void print_turns() {
  std::vector<TableColumn> columns = {{"turns made in"}};
  for (int pair = 0; pair < pairs; ++pair) columns.push_back({str("pair ", pair), Align::right});
  TextTable table(columns);
  const auto add = [&](const std::string& name, const std::string& spec, int positions) {
    std::vector<TableCell> cells = {name};
    for (const double speed : speeds(spec)) cells.push_back(fixed(positions * speed / full_turn, 2));
    table.add_row(cells);
  };
  add("16 positions, as trained", plain.spec, trained);
  for (const Reading& reading : {plain, pi_4, ntk, yarn, llama3})
    add("64 positions, " + reading.name, reading.spec, 64);
  std::cout << "How far the clocks turn: heads of " << d << " channels, base 100\n\n"
            << table.to_text(false) << '\n';
}

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
  chart.title = "yarn and llama3 divide the speeds of pairs 2 to 7 by 4, as pi does; ntk only that of pair 7";
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

void print_bases() {
  const double right = ntk_base(100, d, 4), printed = 100 * std::pow(4, -1 / (d - 2.0));
  TextTable table({{"NTK-aware, factor 4, by"},
                   {"base in place of 100", Align::right},
                   {"multiplier of pair 0", Align::right},
                   {"of pair 7", Align::right}});
  const std::vector<double> before = speeds(plain.spec);
  for (const auto& [name, now] :
       {std::pair{"your step 11.3", right}, {"the formula of article D", printed}}) {
    const double last = std::pow(now, -2.0 * (pairs - 1) / d) / before[pairs - 1];
    table.add_row({name, fixed(now, 3), fixed(1, 3), fixed(last, 3)});
  }
  double most = 0;
  const std::vector<double> of_ntk = speeds(ntk.spec);
  for (std::size_t pair = 0; pair < pairs; ++pair)
    most = std::max(most, std::abs(of_ntk[pair] - std::pow(right, -2.0 * static_cast<double>(pair) / d)));
  std::cout << table.to_text(false) << "\nThe speeds of your steps 11.2 and 11.3 "
            << (most < 1e-12 ? std::string("differ by less than 1e-12") : str("differ by ", fixed(most, 4)))
            << ".\n\n";
}

// --- a key that was cached ---

// Query at 63 and key at 15, turned as in inputs of these many tokens; both vectors of ones, so that the score depends
// on nothing but the turns.
double score(const std::string& spec, int tokens_of_query, int tokens_of_key) {
  ParameterTable table;
  const auto rope = scheme(spec, table);
  const auto of_query = rope->frequencies(tokens_of_query), of_key = rope->frequencies(tokens_of_key);
  double sum = 0;
  for (std::size_t pair = 0; pair < pairs; ++pair)
    sum += 2 * std::cos(63 * of_query.inverse_frequency[pair] - 15 * of_key.inverse_frequency[pair]);
  return sum / std::sqrt(d);
}

void print_cache() {
  TextTable table({{"score of query 63 and key 15 at 64 tokens"},
                   {"key cached at 16", Align::right},
                   {"key computed anew", Align::right}});
  for (const Reading& reading : {plain, ntk, dynamic})
    table.add_row(
        {reading.name, fixed(score(reading.spec, 64, 16), 3), fixed(score(reading.spec, 64, 64), 3)});
  std::cout << table.to_text(false) << '\n';
}

// --- models ---

constexpr int lengths[] = {16, 32, 64};

struct Study {
  std::string task, name;
  LengthRange lengths;
  double rate;
  std::vector<Reading> readings, tuned{};
};

RunSettings settings_of(const Study& study, std::uint64_t seed) {
  RunSettings settings;
  settings.task = study.task;
  settings.model.scheme = base;
  settings.train.seed = seed;
  settings.train.lengths = study.lengths;
  settings.train.optimizer.learning_rate = study.rate;
  settings.test_lengths = {16, 32, 64};
  settings.test_examples = 400;
  return complete(settings);
}

// By reading and length, an accuracy for each seed; and the no-input baseline.
struct Results {
  std::map<std::string, std::vector<double>> at[3];
  double no_input[3];

  double mean(const std::string& reading, std::size_t length) const {
    const std::vector<double>& all = at[length].at(reading);
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  }
};

void test(RunSettings settings, const Reading& reading, const std::string& name, const Reals& parameters,
          Results& results) {
  settings.model.scheme = reading.spec;
  const Run run(settings);
  Pool pool(hardware_threads());
  const std::vector<LengthScore> scores = run.test(parameters.data(), pool);
  for (std::size_t i = 0; i < 3; ++i) {
    results.at[i][name].push_back(scores[i].score.token_accuracy);
    results.no_input[i] = scores[i].no_input_baseline;
  }
}

// 100 more steps at 64 tokens, under this reading.
Reals tuned(RunSettings settings, const Reading& reading, const Reals& from) {
  settings.model.scheme = reading.spec;
  settings.train.lengths = {64, 64};
  settings.train.steps = 100;
  settings.train.optimizer.learning_rate = 0.001;
  const Run run(settings);
  Pool pool(hardware_threads());
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  Trainer::State state = trainer.state();
  state.parameters = from;
  trainer.restore(std::move(state));
  train(trainer, run.settings());
  return trainer.parameters();
}

Results results_of(const Study& study) {
  Results results;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const RunSettings settings = settings_of(study, seed);
    const Reals parameters = train(Run(settings));
    for (const Reading& reading : study.readings) test(settings, reading, reading.name, parameters, results);
    if (seed == 1)
      for (const Reading& reading : study.tuned)
        test(settings, reading, "tuned " + reading.name, tuned(settings, reading, parameters), results);
  }
  return results;
}

// --- the puzzle of chapter 10: `previous`, trained at 12 tokens, read at 24, with three bases ---

// 19 positions are 3.02 turns of pair 0, whatever the base. True if there is a token 19 positions before or after the
// previous position. (At position 0 that is token 18, although there is no previous token.)
bool has_look_alike(int position) {
  const int previous = position - 1;
  return previous + 19 < 24 || previous - 19 >= 0;
}

struct LookAlikes {
  std::vector<double> with, without;                 // share of right answers, for each seed
  std::vector<double> at = std::vector<double>(24);  // the same by position, mean of three seeds
};

LookAlikes look_alikes(const std::string& spec, int width) {
  LookAlikes results;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    RunSettings settings;
    settings.task = "previous";
    settings.model.scheme = spec;
    settings.model.d_model = width;
    settings.model.heads = width / d;
    settings.train.seed = seed;
    const Run run(complete(settings));
    const Reals parameters = train(run);
    Random random(1, Purpose::testing);
    double right[2] = {}, all[2] = {};
    for (int n = 0; n < 200; ++n) {
      const std::vector<bool> wrong =
          ask(run, parameters.data(), run.task().sample(random, 24, Split::test).input).wrong();
      for (int position = 0; position < 24; ++position) {
        const auto p = static_cast<std::size_t>(position);
        right[has_look_alike(position)] += !wrong[p];
        ++all[has_look_alike(position)];
        results.at[p] += !wrong[p] / 600.0;
      }
    }
    results.with.push_back(right[1] / all[1]);
    results.without.push_back(right[0] / all[0]);
  }
  return results;
}

// Prints a table, and returns a chart of the models with the base 10000.
Figure look_alikes_by_position() {
  LineChart chart;
  chart.title =
      "At 24 tokens, base 10000, previous fails at the first six and last four positions only, most at position 0";
  chart.x_label = "position";
  chart.y_label = "share of right answers, mean of three seeds";
  chart.width = 560;
  chart.height = 300;
  chart.y_range = {{0, 1}};
  TextTable table(
      {{"previous, trained at 12, read at 24"}, {"right at the first 6 and last 4"}, {"at the 14 others"}});
  for (const auto& [spec, width] :
       {std::pair{"rope:base=2", 32}, {"rope", 32}, {"rope", 64}, {"rope:base=1e6", 32}}) {
    const LookAlikes results = look_alikes(spec, width);
    const std::string name = str(spec, ", width ", width);
    table.add_row({name, of_each(results.with), of_each(results.without)});
    if (spec != std::string("rope")) continue;
    chart.series.push_back({.name = name, .samples = {}});
    for (std::size_t position = 0; position < 24; ++position)
      chart.series.back().samples.push_back({static_cast<double>(position), results.at[position]});
  }
  std::cout << '\n' << table.to_text(false);
  return line_chart(chart);
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
  print_turns();
  print_bases();
  print_cache();
  save_figure("faces", faces());
  save_figure("slowing", slowing());

  const std::vector<Study> studies = {
      {"sort",
       "16",
       {16, 16},
       0.01,
       {plain, pi_2, pi_4, ntk, dynamic, yarn, cold_yarn, temperature},
       {plain, pi_4, ntk, yarn}},
      {"sort", "4 to 16", {4, 16}, 0.01, {plain, pi_2, pi_4, ntk, dynamic, yarn, cold_yarn, temperature}},
      {"previous", "16", {16, 16}, 0.01, {plain, pi_4, ntk, yarn}, {pi_4}}};
  std::vector<Results> all;
  TextTable table({{"task"}, {"trained at"}, {"read as"}, {"right at 16"}, {"at 32"}, {"at 64"}});
  for (const Study& study : studies) {
    all.push_back(results_of(study));
    const Results& results = all.back();
    const bool first = &study == &studies[0] || study.task != studies[0].task;
    if (first)
      table.add_row({study.task, "", "no-input baseline", fixed(results.no_input[0], 3),
                     fixed(results.no_input[1], 3), fixed(results.no_input[2], 3)});
    for (const Reading& reading : study.readings)
      table.add_row({"", &reading == &study.readings[0] ? study.name : "", reading.name,
                     of_each(results.at[0].at(reading.name)), of_each(results.at[1].at(reading.name)),
                     of_each(results.at[2].at(reading.name))});
  }
  std::cout
      << "One model for each seed, read with each extension, without further training: token accuracy of three seeds\n\n"
      << table.to_text(false) << '\n';

  TextTable tuning({{"after 100 more steps at 64, one seed"}, {"right at 16"}, {"at 64"}, {"at 64 before"}});
  for (std::size_t i = 0; i < studies.size(); ++i)
    for (const Reading& reading : studies[i].tuned)
      tuning.add_row(
          {str(studies[i].task, ", ", reading.name), fixed(all[i].mean("tuned " + reading.name, 0), 2),
           fixed(all[i].mean("tuned " + reading.name, 2), 2), fixed(all[i].at[2].at(reading.name)[0], 2)});
  std::cout << tuning.to_text(false);
  save_figure("trained_look_alikes", look_alikes_by_position());

  save_figure(
      "trained_sort",
      panels(
          "Trained at 16 alone, a model with pi, factor 4, sorts 64 digits, not 16; trained at 4 to 16, most of both",
          {by_length("Trained at 16 alone", all[0]), by_length("Trained at 4 to 16", all[1])}, 1));
  const double dialled = all[0].mean(pi_4.name, 0);
  reply(
      dialled,
      "(The mean of three seeds.) The model saw inputs of one length, and learned which share of the input is before a\n"
      "token, not how many tokens. With every speed divided by 4, 16 tokens look like the first quarter of an input.");
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
