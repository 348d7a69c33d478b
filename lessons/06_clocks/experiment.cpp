// Chapter 6: what the clocks look like, and what their base does to a model that learns.
#include "lessons/tools/experiment.h"

#include <cmath>
#include <iostream>
#include <numbers>

#include "base/error.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/06_clocks/measure.h"
#include "positional/support/sinusoid.h"

namespace locus {

namespace {

constexpr double turn = 2 * std::numbers::pi;

Figure clocks() {
  constexpr int D = 8;
  const std::vector<double> w = inverse_frequencies(D, 10000);
  ClockFaces faces{.title = "Each clock looks alike at some positions, all four together at none (D = 8)",
                   .column_label = "position"};
  for (std::size_t i = 0; i < w.size(); ++i)
    faces.rows.push_back(str("clock ", i, ": a turn in ", short_number(turn / w[i]), " positions"));
  const std::vector<int> positions = {0, 1, 2, 3, 6, 20, 63, 600};
  for (const int p : positions) faces.columns.push_back(str(p));
  for (std::size_t i = 0; i < w.size(); ++i)
    for (const int p : positions) {
      const Code code = sinusoid(p, D);
      faces.hands.push_back({code[2 * i], code[2 * i + 1]});
    }
  return clock_faces(faces);
}

HeatMap heat_map_of(const std::string& title, const std::vector<Code>& rows) {
  HeatMap map;
  map.title = title;
  map.rows = rows.size();
  map.columns = rows.front().size();
  for (const Code& row : rows) map.values.insert(map.values.end(), row.begin(), row.end());
  map.row_axis.label = "position";
  return map;
}

Figure codes_figure(const std::string& title, const std::string& spec, const std::string& channels) {
  HeatMap map = heat_map_of(title, codes_of(spec, 6, 40));
  map.column_axis.label = channels;
  map.value_label = "value";
  const bool signs = std::ranges::min(map.values) < 0;
  map.scale = signs ? HeatMap::Scale::diverging : HeatMap::Scale::sequential;
  map.range = Range{signs ? -1.0 : 0.0, 1};
  map.width = 300;
  return heat_map(map);
}

// As many clocks as bits, each with half the speed of the one before.
Figure counter() {
  return panels("Each column changes half as fast as the one before: bits jump, clocks turn smoothly",
                {codes_figure("binary", "binary:capacity=64", "bit"),
                 codes_figure("the sines of six clocks", "sinusoidal:base=64,waves=sin", "clock")},
                2);
}

HeatMap similarity_map(const std::string& title, const std::string& spec) {
  std::vector<Code> codes = codes_of(spec, 64, 51), cosines;
  codes.erase(codes.begin());  // the sines of position 0 are all 0, and point nowhere
  for (const Code& a : codes) {
    cosines.emplace_back();
    for (const Code& b : codes) cosines.back().push_back(cosine(a, b));
  }
  HeatMap map = heat_map_of(title, cosines);
  map.column_axis.label = "other position";
  map.row_axis.start = map.column_axis.start = 1;
  map.value_label = "similarity";
  map.scale = HeatMap::Scale::diverging;
  map.range = Range{-1, 1};
  map.square_cells = true;
  map.width = 235;
  return map;
}

Figure similarity() {
  return heat_maps(
      "Only with both sine and cosine does similarity depend on the distance alone",
      {similarity_map("sine and cosine", "sinusoidal"), similarity_map("sines only", "sinusoidal:waves=sin"),
       similarity_map("cosines only", "sinusoidal:waves=cos")},
      3);
}

Figure by_distance() {
  LineChart chart{.title = "The product falls along a line with many clocks, swings with few",
                  .x_label = "distance (positions)",
                  .y_label = "dot product of two codes, over D/2",
                  .series = {}};
  chart.log_x = true;
  Series limit{.name = "1 - (ln k + 0.5772) / ln 10000", .samples = {}, .style = ceiling_style()};
  for (int k = 1; k <= 128; ++k) limit.samples.push_back({static_cast<double>(k), envelope(k, 10000)});
  chart.series.push_back(limit);
  for (const int D : {64, 512}) {
    const std::vector<Code> codes = codes_of("sinusoidal", D, 129);
    Series series{.name = str("D = ", D), .samples = {}};
    series.marked = false;
    for (std::size_t k = 1; k < codes.size(); ++k)
      series.samples.push_back({static_cast<double>(k), dot(codes[0], codes[k]) / (D / 2)});
    chart.series.push_back(series);
  }
  return line_chart(chart);
}

// The positions as dots along one ramp of colours, joined in their order. Where dots share a point, each further one
// is smaller, so that all can be seen.
Figure plane_of(const std::string& title, const std::vector<Code>& codes) {
  constexpr double width = 480, height = 400;
  const std::vector<Point> points = in_a_plane(codes);
  std::vector<double> xs, ys;
  for (const Point& point : points) {
    xs.push_back(point.x);
    ys.push_back(point.y);
  }
  Drawing drawing;
  PlotArea area{.left = 76, .right = width - 16, .x = range_of(xs), .y = range_of(ys)};
  const double margin = 0.08 * (area.y.high - area.y.low);
  area.y = {area.y.low - margin, area.y.high + margin};
  area.top = drawing.heading(title, title_size, padding, padding, width) + 24;
  drawing.text({padding, area.top - 10}, "second principal component", {.colour = pale_ink});
  area.bottom = height - x_axis_height("x");
  const std::vector<double> ticks = nice_ticks(area.y, 6);
  draw_y_axis(drawing, area, ticks, tick_labels(ticks));
  draw_x_axis(drawing, area, nice_ticks(area.x, 6), "first principal component");
  std::vector<Point> places;
  for (const Point& point : points) places.push_back(area.at(point.x, point.y));
  drawing.polyline(places, {reference_ink, 1});
  for (std::size_t p = 0; p < places.size(); ++p) {
    const auto here = std::count_if(
        places.begin(), places.begin() + static_cast<std::ptrdiff_t>(p),
        [&](Point other) { return std::hypot(other.x - places[p].x, other.y - places[p].y) < 3; });
    const double size = std::max(3.0, 12 - 4 * static_cast<double>(here));
    const double along = static_cast<double>(p) / static_cast<double>(places.size() - 1);
    drawing.dots({places[p]}, size + 2, guide_ink, 1);
    drawing.dots({places[p]}, size, to_string(sequential_colour(0.15 + 0.8 * along)), 1);
  }
  for (const std::size_t p : {0u, 10u, 20u, 39u}) {
    const bool left = p == 10 || p == 39;  // where neither picture has a dot or line
    drawing.text({places[p].x + (left ? -9 : 9), places[p].y - 8}, str(p),
                 {.anchor = left ? Anchor::end : Anchor::start, .bold = true});
  }
  return {title, width, height, drawing.take()};
}

Figure plane() {
  return panels("In the plane in which codes spread most, clocks make one smooth line; bits jump",
                {plane_of("sinusoidal, D = 64", codes_of("sinusoidal", 64, 40)),
                 plane_of("binary, 6 bits", codes_of("binary:capacity=64", 64, 40))},
                1);
}

constexpr int T = 12, most_steps = 400, drawn_steps = 150, test_every = 10, seeds = 3;

// How a scheme learns to reverse 12 tokens.
struct Learning {
  std::string name;
  double after_100;           // the share of right tokens after a training of 100 steps, the mean over seeds
  std::vector<double> right;  // the same after 10, 20 ... steps of a training of 400
  std::vector<std::string> learned;  // the step of that, for each seed, at which it was first 99 %
};
Learning learn(const std::string& name, const std::string& scheme) {
  Learning out{name, right_after(100, scheme, seeds), std::vector<double>(most_steps / test_every), {}};
  for (int seed = 1; seed <= seeds; ++seed) {
    const Run run(reversing(most_steps, scheme, seed));
    Pool pool(hardware_threads());
    Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
    double right = 0;
    int learned = 0;
    train(trainer, run.settings(), [&] {
      if (trainer.step() % test_every > 0) return;
      right = run.test(trainer.parameters().data(), pool).front().score.token_accuracy;
      if (right >= 0.99 && learned == 0) learned = trainer.step();
      out.right[as_size(trainer.step() / test_every) - 1] += right / seeds;
    });
    for (int step = trainer.step() + test_every; step <= most_steps; step += test_every)
      out.right[as_size(step / test_every) - 1] += right / seeds;  // a training that has ended
    out.learned.push_back(learned > 0 ? str(learned) : str("> ", most_steps));
  }
  return out;
}

Figure learning_figure(const std::vector<Learning>& all, double blind) {
  LineChart chart;
  chart.title =
      "In a training of 400 steps, base 10 is 20 to 30 steps ahead of base 1000000; binary codes are last";
  chart.x_label = "steps of training";
  chart.y_label = "share of right tokens, mean of three seeds";
  chart.y_range = {{0, 1}};
  for (const Learning& one : all) {
    Series series{.name = one.name, .samples = {}};
    series.marked = false;
    for (int step = test_every; step <= drawn_steps; step += test_every)
      series.samples.push_back({static_cast<double>(step), one.right[as_size(step / test_every) - 1]});
    chart.series.push_back(series);
  }
  chart.series.push_back({.name = "order-blind ceiling",
                          .samples = {{test_every, blind}, {drawn_steps, blind}},
                          .style = ceiling_style()});
  return line_chart(chart);
}

std::vector<Choice> print_bases() {
  std::vector<Choice> choices;
  std::vector<Learning> all;
  constexpr int D = 32;
  TextTable table({{"base"},
                   {"turn of the slowest clock", Align::right},
                   {"clocks that move", Align::right},
                   {"trained for 100 steps", Align::right},
                   {"of 400, steps to 99 %", Align::right}});
  for (const char* base : {"10", "100", "10000", "1000000"}) {
    const std::vector<double> w = inverse_frequencies(D, std::stod(base));
    const auto moving = std::ranges::count_if(w, [](double speed) { return speed * T > 0.5; });
    all.push_back(learn(str("base ", base), str("sinusoidal:base=", base)));
    const Learning& found = all.back();
    choices.push_back(
        {base, found.after_100,
         as_size(static_cast<int>(moving)) == w.size()
             ? str("All its clocks move within ", T, " positions.")
             : str("Only ", moving, " of its ", w.size(), " clocks move within ", T,
                   " positions: the channels of the others are nearly the same for every token.")});
    table.add_row({base, str(fixed(turn / w.back(), 0), " positions"), str(moving, " of ", w.size()),
                   fixed(found.after_100, 2), join(found.learned, " ")});
  }
  all.push_back(learn("binary codes", "binary"));
  table.add_rule();
  table.add_row({"binary codes", "", "", fixed(all.back().after_100, 2), join(all.back().learned, " ")});
  const Run run(reversing(most_steps, "none", 1));
  const double blind = test_at(run.task(), run.settings(), T).order_blind_ceiling.value_or(0);
  reply(choices);
  std::cout << "\nReversing " << T
            << " tokens, three seeds: the mean of what is right after a training of 100 steps, and "
               "after how many of\na training of 400 each seed has 99 % right. Without order at best "
            << fixed(blind, 2) << ". A clock moves if it turns by more\nthan half a radian in " << T
            << " positions.\n\n"
            << table.to_text(false);
  save_figure("learning", learning_figure(all, blind));
  return choices;
}

}  // namespace

void experiment() {
  save_figure("clocks", clocks());
  save_figure("counter", counter());
  save_figure("similarity", similarity());
  save_figure("distance", by_distance());
  save_figure("plane", plane());
  const std::vector<Choice> bases = print_bases();
  expect("base 10 after 100 steps", bases.front().result, 0.98, 0.1,
         "Does the base reach the speeds, and does every clock take two channels?");
  expect("base 10000 after 100 steps", bases[2].result, 0.46, 0.15, "Are its speeds those of step 6.1?");
}

}  // namespace locus
