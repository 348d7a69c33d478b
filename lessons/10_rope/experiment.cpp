// Chapter 10: two words at growing places, scores over distance, and three schemes on inputs twice as long.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numbers>

#include "base/error.h"
#include "lessons/tools/compare.h"
#include "positional/support/registry.h"
#include "report/charts.h"
#include "report/format.h"
#include "report/terminal.h"

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
  scheme(spec, table)->query_and_key(queries, keys, {1, 2, places});
  return dot(copy(queries).values.data(), copy(keys).values.data() + d) / std::sqrt(d);
}

// The same two words with sinusoidal codes added to them.
double added_score(const Vector& q, const Vector& k, double m, double n) {
  ParameterTable table;
  const auto sinusoidal = scheme("sinusoidal", table);
  Vector at_m = sinusoidal->code(m, 1, nullptr), at_n = sinusoidal->code(n, 1, nullptr);
  for (std::size_t c = 0; c < d; ++c) {
    at_m[c] += q[c];
    at_n[c] += k[c];
  }
  return dot(at_m.data(), at_n.data()) / std::sqrt(d);
}

void print_scores() {
  const Vector q = random_vector(1), k = random_vector(2);
  TextTable table({{"places"}, {"rope", Align::right}, {"sinusoidal, added", Align::right}});
  for (const auto& [m, n] : {std::pair{2, 0}, {5, 3}, {20, 18}, {1002, 1000}, {5, 0}})
    table.add_row(
        {text(m, " and ", n), fixed(turned_score("rope", q, k, m, n), 3), fixed(added_score(q, k, m, n), 3)});
  std::cout << "The score of the same two words, by where they stand\n\n" << table.to_text(false) << '\n';
}

// A query (blue) and a key (orange) of one pair of channels, at three pairs of places 2 apart.
Figure turned_pair(int m, int n) {
  constexpr double radius = 78, side = 240, middle_y = 150;
  const std::string title = text("query at ", m, ", key at ", n);
  const Point center{side / 2, middle_y};
  Drawing drawing;
  drawing.heading(title, 14, 16, 12, side);
  drawing.circle(center, radius, {"#c4c4c4", 1.2, "", 1});
  const auto hand = [&](const char* name, int position, std::size_t form) {
    // One pair as the framework turns it: channels 0 and 1, of a vector that begins as (1, 0).
    Vector start(d), unit(d);
    start[0] = 1;
    unit[0] = 1;
    const double x = turned_score("rope", start, unit, position, 0) * std::sqrt(d);
    unit[0] = 0;
    unit[1] = 1;
    const double y = turned_score("rope", start, unit, position, 0) * std::sqrt(d);
    const std::string ink = to_string(series_colour(form));
    const Point tip{center.x + radius * x, center.y - radius * y};
    drawing.line(center, tip, {ink, 3, "", 1});
    drawing.shape(tip, form, ink, "#ffffff", "");
    drawing.text({center.x + (radius + 20) * x, center.y - (radius + 16) * y + 4}, name,
                 {Anchor::middle, ink, 13, true});
    return std::atan2(y, x);
  };
  const double of_query = hand("q", m, 0), of_key = hand("k", n, 1);
  std::vector<Point> arc;
  const double between = std::remainder(of_query - of_key, 2 * std::numbers::pi);
  for (int i = 0; i <= 20; ++i) {
    const double angle = of_key + between * i / 20;
    arc.push_back({center.x + 26 * std::cos(angle), center.y - 26 * std::sin(angle)});
  }
  drawing.polyline(arc, {dark_ink, 1.6, "", 1});
  drawing.text({side / 2, middle_y + radius + 44},
               text("angle between: ", fixed(std::abs(between) * 180 / std::numbers::pi, 0), "°"),
               {Anchor::middle, dark_ink, 13});
  return {title, side, middle_y + radius + 60, drawing.take()};
}

// What the turn alone makes of the score: query and key of ones, so that at distance 0 it is 1.
Figure score_by_distance() {
  LineChart chart;
  chart.title = "The score of two equal vectors falls with distance, and swings";
  chart.x_label = "distance i - j (tokens)";
  chart.y_label = "score, 1 at distance 0";
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
  chart.series.push_back({.name = "", .samples = {{0, 0}, {64, 0}}, .style = baseline_style()});
  chart.width = 720;
  return line_chart(chart);
}

}  // namespace

void experiment() {
  print_scores();
  save_figure("turned", panels("Both turn on; the angle between them stays",
                               {turned_pair(2, 0), turned_pair(3, 1), turned_pair(5, 3)}, 3));
  save_figure("score_by_distance", score_by_distance());

  TextTable table({{"previous token"},
                   {"seed", Align::right},
                   {"right at 12", Align::right},
                   {"right at 24", Align::right}});
  double rope_at_12 = 0, rope_at_24 = 0;  // means of the seeds
  for (const char* spec : {"learned", "sinusoidal", "rope"})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      RunSettings settings;
      settings.task = "previous";
      settings.model.scheme = spec;
      settings.train.seed = seed;
      settings.test_lengths = {12, 24};
      settings.test_examples = 1000;
      const std::vector<LengthScore> scores = train_and_test(settings);
      if (spec == std::string("rope")) {
        rope_at_12 += scores[0].score.token_accuracy / 3;
        rope_at_24 += scores[1].score.token_accuracy / 3;
      }
      table.add_row({seed == 1 ? spec : "", text(seed), fixed(scores[0].score.token_accuracy, 2),
                     fixed(scores[1].score.token_accuracy, 2)});
    }
  std::cout << table.to_text(false);
  reply(rope_at_24,
        "(The mean of three seeds.) \"The token before me\" is the same turn at position 20 as at 5, and "
        "that much\n"
        "carries over. The rest is lost to distances above 11, which training never saw.");
  expect("rope at the trained length", rope_at_12, 1, 0.05, "Does the gradient turn back (step 10.3)?");
  expect("rope at twice the length", rope_at_24, 0.89, 0.12,
         "Do queries and keys turn alike, and do the speeds fall from pair to pair?");
}

}  // namespace locus
