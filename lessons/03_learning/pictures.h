// The pictures of chapter 3 that need no training.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "draw/charts.h"
#include "io/format.h"
#include "lessons/03_learning/adamw.h"

namespace locus {

// Probabilities of four classes, and the slope of the loss along each logit: measured, by nudging that logit.
inline Figure picture_of_slopes() {
  const std::vector<double> logits = {0.6, 1, -0.4, -1};
  constexpr int right_class = 1;
  const auto loss_of = [&](const std::vector<double>& z) {
    double sum = 0;
    for (const double logit : z) sum += std::exp(logit);
    return std::log(sum) - z[right_class];
  };
  constexpr double nudge = 1e-4, width = 560, left = 150, gap = 100, bar = 56, unit = 100, upper = 164,
                   lower = 262;
  const std::string title = "Only the logit of the right class lowers the loss";
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const auto draw_bar = [&](double x, double base, double value, const std::string& colour) {
    drawing.rectangle({x - bar / 2, std::min(base, base - unit * value)}, bar, unit * std::abs(value),
                      colour);
    drawing.text({x, base - unit * value + (value < 0 ? 15 : -5)}, fixed(value, 2),
                 {Anchor::middle, dark_ink, 13});
  };
  drawing.text({padding, upper - 20}, "probability", {Anchor::start, series_colour(0), 13, true});
  drawing.text({padding, lower - 34}, "slope of the", {Anchor::start, series_colour(1), 13, true});
  drawing.text({padding, lower - 18}, "loss, measured", {Anchor::start, series_colour(1), 13, true});
  for (std::size_t v = 0; v < logits.size(); ++v) {
    const double x = left + 30 + gap * static_cast<double>(v);
    std::vector<double> up = logits, down = logits;
    up[v] += nudge, down[v] -= nudge;
    draw_bar(x, upper, std::exp(-loss_of(logits) + logits[v] - logits[right_class]), series_colour(0));
    draw_bar(x, lower, (loss_of(up) - loss_of(down)) / (2 * nudge), series_colour(1));
    drawing.text({x, upper + 17}, str("class ", v, v == right_class ? ": right" : ""),
                 {Anchor::middle, v == right_class ? dark_ink : pale_ink, 12, v == right_class});
  }
  for (const double base : {upper, lower})
    drawing.line({left - 10, base}, {width - padding, base}, {axis_ink, 1, "", 1});
  return {title, width, lower + 74, drawing.take()};
}

// m and the root of v of one parameter, while its gradients agree and when they cancel.
inline Figure picture_of_means() {
  constexpr int steps = 48, agreeing = 24;
  constexpr double size = 0.1;
  Element e{.rate = 0, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 0, .decay = 0, .t = 0};
  Series gradient{.name = "gradient", .samples = {}, .style = baseline_style()},
      root{.name = "root of v, corrected", .samples = {}, .style = ceiling_style(), .marked = false},
      mean{.name = "m, corrected", .samples = {}, .style = series_style(0), .marked = false},
      raw{.name = "m, not corrected", .samples = {}, .style = series_style(1), .marked = false};
  mean.style->width = 4, mean.style->marked = raw.style->marked = false;
  for (e.t = 1; e.t <= steps; ++e.t) {
    e.g = e.t <= agreeing || e.t % 2 == 1 ? size : -size;
    e.mean_correction = 1 / (1 - std::pow(e.beta1, e.t)),
    e.square_correction = 1 / (1 - std::pow(e.beta2, e.t));
    Rule{}.means(e);
    const auto step = static_cast<double>(e.t);
    gradient.samples.push_back({step, e.g});
    root.samples.push_back({step, std::sqrt(corrected_square(e))});
    mean.samples.push_back({step, corrected_mean(e)});
    raw.samples.push_back({step, e.m});
  }
  LineChart chart;
  chart.title = "Where gradients cancel, m falls to almost 0; the root of v stays";
  chart.x_label = "training step";
  chart.y_label = "of one parameter";
  chart.y_range = Range{-0.12, 0.12};
  chart.vertical_line = VerticalLine{agreeing + 0.5, "gradients agree until here, then cancel"};
  chart.height = 340;
  chart.series = {root, mean, raw, gradient};
  return line_chart(chart);
}

// All orders of 1 1 2 with the labels of `reverse` below them, and how often each label stands below each token.
inline Figure picture_of_orders() {
  constexpr double width = 560, left = 96, cell = 30, apart = 120, top = 66, height = 30;
  const std::string title = "For a 1, the label 1 is right in 4 of 6 places";
  const auto colour_of = [](int token) { return series_colour(token == 1 ? 0 : 1); };
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  drawing.text({padding, top + 20}, "order", {Anchor::start, dark_ink, 13, true});
  drawing.text({padding, top + height + 24}, "labels", {Anchor::start, dark_ink, 13, true});
  std::map<int, std::map<int, int>> counts;  // token -> label -> how often
  std::vector<int> order = {1, 1, 2};
  double x = left;
  do {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int token = order[i], label = order[order.size() - 1 - i];
      ++counts[token][label];
      const double at = x + cell * static_cast<double>(i);
      drawing.rectangle({at + 1, top}, cell - 2, height - 2, grid_ink);
      drawing.text({at + cell / 2, top + 20}, str(token), {Anchor::middle, colour_of(token), 15, true});
      drawing.text({at + cell / 2, top + height + 24}, str(label), {Anchor::middle, colour_of(token), 15});
    }
    x += apart;
  } while (std::next_permutation(order.begin(), order.end()));
  double y = top + 2 * height + 40;
  for (const auto& [token, of_label] : counts) {
    int best = 0, most = 0;
    std::string labels;
    for (const auto& [label, count] : of_label) {
      if (count > most) best = label, most = count;
      for (int i = 0; i < count; ++i) labels += str(" ", label);
    }
    drawing.text(
        {left, y},
        str("below a ", token, " stand", labels, ": the answer ", best, " is right ", most, " times"),
        {Anchor::start, colour_of(token), 13, true});
    y += 22;
  }
  return {title, width, y, drawing.take()};
}

}  // namespace locus
