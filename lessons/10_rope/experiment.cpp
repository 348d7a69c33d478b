// Chapter 10: two words at growing positions, scores over distance, and three schemes on inputs twice as long.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/tools/array.h"
#include "positional/support/spec.h"
#include "tasks/support/registry.h"

namespace locus {

namespace {

constexpr int d = 32;
using Vector = std::vector<double>;

std::unique_ptr<Scheme> scheme(const std::string& spec, ParameterTable& table) {
  return make_scheme(spec, {.d_model = d, .heads = 1, .causal = true}, table);
}

Vector random_vector(std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Vector x(d);
  for (double& value : x) value = random.normal();
  return x;
}

double dot(const double* a, const double* b) {
  double sum = 0;
  for (int c = 0; c < d; ++c) sum += a[c] * b[c];
  return sum;
}

// q at position m times k at position n, over sqrt(d).
double turned_score(const std::string& spec, const Vector& q, const Vector& k, double m, double n) {
  const double places[] = {m, n};
  Reals rows(q.begin(), q.end());
  rows.insert(rows.end(), k.begin(), k.end());
  ParameterTable table;
  Tape tape;
  Tensor queries = tape.constant({1, 1, 2, d}, rows.data()), keys = queries;
  scheme(spec, table)->query_and_key(queries, keys, {queries, queries, keys, {1, 2, places}, 0});
  return dot(copy(queries).values.data(), copy(keys).values.data() + d) / std::sqrt(d);
}

// Where rope turns the arrow (x, y) of one pair of channels to, at this position.
Point turned(int pair, Point arrow, int position) {
  const auto channel = static_cast<std::size_t>(2 * pair);
  Vector start(d);
  start[channel] = arrow.x;
  start[channel + 1] = arrow.y;
  const auto along = [&](std::size_t c) {  // a key at 0 is not turned
    Vector unit(d);
    unit[c] = 1;
    return turned_score("rope", start, unit, position, 0) * std::sqrt(d);
  };
  return {along(channel), along(channel + 1)};
}

// A query at p (blue) and a key at q (orange) in one pair of channels; pale, where they were before the turn.
Figure turned_pair(int pair, int p, int q) {
  constexpr double radius = 62, side = 230, middle_y = 118;
  const std::string title = str("pair ", pair, ": query at ", p, ", key at ", q);
  const Point center{side / 2, middle_y};
  Drawing drawing;
  drawing.heading(title, 13, 16, 12, side);
  drawing.circle(center, radius, {reference_ink, 1.2, "", 1});
  const auto angle_of = [](Point arrow) { return std::atan2(arrow.y, arrow.x); };
  const auto at = [&](Point arrow, double length) {
    return Point{center.x + length * arrow.x, center.y - length * arrow.y};
  };
  const auto hand = [&](const char* name, Point arrow, int position, std::size_t form) {
    const std::string ink = series_colour(form);
    drawing.line(center, at(arrow, radius), {ink, 3, "", 0.3});
    const Point now = turned(pair, arrow, position);
    drawing.line(center, at(now, radius), {ink, 3, "", 1});
    drawing.shape(at(now, radius), form, ink, paper, "");
    const Point label{center.x + (radius + 27) * now.x, center.y - (radius + 14) * now.y};
    drawing.text({label.x, label.y + 4}, name, {Anchor::middle, ink, 13, true});
    return angle_of(now);
  };
  const double of_query = hand("query", {std::cos(0.7), std::sin(0.7)}, p, 0),
               of_key = hand("key", {1, 0}, q, 1);
  const double between = std::remainder(of_query - of_key, 2 * std::numbers::pi);
  std::vector<Point> arc;
  for (int i = 0; i <= 20; ++i) {
    const double angle = of_key + between * i / 20;
    arc.push_back(at({std::cos(angle), std::sin(angle)}, 24));
  }
  drawing.polyline(arc, {dark_ink, 1.6, "", 1});
  drawing.text({side / 2, middle_y + radius + 40},
               str("angle between: ", fixed(std::abs(between) * 180 / std::numbers::pi, 0), "°"),
               {Anchor::middle, dark_ink, 13});
  return {title, side, middle_y + radius + 52, drawing.take()};
}

Figure turned_pairs() {
  std::vector<Figure> all;
  for (const int pair : {0, 2, 5})
    for (const auto& [p, q] : {std::pair{2, 0}, {3, 1}, {5, 3}}) all.push_back(turned_pair(pair, p, q));
  return panels(
      "Query and key, two positions apart: both turn (pale: before), but in each pair the angle between them "
      "stays the same",
      all, 3);
}

// The mean of |score| / (|query| |key|) over independent random queries and keys.
double mean_size(const std::string& spec, int distance) {
  constexpr int draws = 300;
  double sum = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const auto seed = static_cast<std::uint64_t>(2 * draw);
    const Vector q = random_vector(seed), k = random_vector(seed + 1);
    sum += std::abs(turned_score(spec, q, k, distance, 0)) * std::sqrt(d) /
           std::sqrt(dot(q.data(), q.data()) * dot(k.data(), k.data()));
  }
  return sum / draws;
}

// What the turn alone makes of the score: query and key of ones, so that at distance 0 it is 1. Beside it, the size of
// the score of independent ones.
Figure score_by_distance() {
  LineChart chart;
  chart.title = "If query and key are equal, the score falls and swings; if independent, its mean size stays";
  chart.x_label = "distance p - q (tokens)";
  chart.y_label = "score / (|query| |key|), of query and key before the turn";
  const Vector ones(d, 1.0);
  for (const char* spec : {"rope:base=100", "rope:base=10000", "xpos:base=10000,scale_base=32"}) {
    Series series;
    series.name = spec;
    series.marked = false;
    for (int distance = 0; distance <= 64; ++distance)
      series.samples.push_back(
          {static_cast<double>(distance), turned_score(spec, ones, ones, distance, 0) / std::sqrt(d)});
    chart.series.push_back(series);
  }
  Series independent;
  independent.name = "rope, independent: mean size";
  independent.marked = false;
  for (int distance = 0; distance <= 64; ++distance)
    independent.samples.push_back({static_cast<double>(distance), mean_size("rope", distance)});
  chart.series.push_back(independent);
  chart.series.push_back({.name = "", .samples = {{0, 0}, {64, 0}}, .style = baseline_style()});
  chart.width = 720;
  return line_chart(chart);
}

}  // namespace

void experiment() {
  save_figure("turned", turned_pairs());
  save_figure("score_by_distance", score_by_distance());

  TextTable table({{"previous token"}, {"right at 12"}, {"told 12 to 23"}, {"right at 24"}});
  double at_12 = 0, at_24 = 0;  // means of the seeds; at the end those of rope
  Pool pool(hardware_threads());
  for (const char* spec : {"learned", "sinusoidal", "rope"}) {
    at_12 = at_24 = 0;
    std::vector<double> trained, moved, longer;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      RunSettings settings;
      settings.task = "previous";
      settings.model.scheme = spec;
      settings.train.seed = seed;
      settings.test_lengths = {12, 24};
      settings.test_examples = 1000;
      Run run(complete(settings));
      const Reals parameters = train(run);
      const auto right = [&](int length) {
        return run.test(length, parameters.data(), pool).score.token_accuracy;
      };
      trained.push_back(right(12));
      longer.push_back(right(24));
      run.tell({PositionChange::Kind::shift, 0, 0, 12});
      moved.push_back(right(12));
      at_12 += trained.back() / 3;
      at_24 += longer.back() / 3;
    }
    table.add_row({spec, of_each(trained), of_each(moved), of_each(longer)});
  }
  reply(
      at_24,
      "(The mean of three seeds.) Query and key one position apart differ by the same angle at position 20 as at 5,\n"
      "so most answers stay right. At 24 tokens there are also distances above 11, which training never had.");
  const auto ceiling = [](int length) {
    return fixed(find_task("previous").order_blind_ceiling(length)->value, 2);
  };
  std::cout
      << "\nThree seeds each; at best without order: " << ceiling(12) << " at 12 tokens, " << ceiling(24)
      << " at 24.\n\n"
      << table.to_text(false)
      << "\nOne puzzle is left: two of eight clocks make RoPE fail at longer inputs. Which two would you stop? (In the text.)\n";
  expect("rope at the trained length", at_12, 1, 0.05, "Does the gradient turn back (step 10.3)?");
  expect("rope at twice the length", at_24, 0.89, 0.12,
         "Do queries and keys turn alike, and do the speeds fall from pair to pair?");
}

}  // namespace locus
