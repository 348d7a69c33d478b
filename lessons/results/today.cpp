// The picture of the study "Order from several parts at once" (today.sh): what each decoder loses at the length that it was
// trained on when its positions are taken away.
//
//   build/lessons/today       reads lessons/results/today, prints the means and draws today/today.svg
#include <exception>
#include <iostream>

#include "ablation/results.h"
#include "ablation/statistics.h"
#include "base/text.h"
#include "draw/plot.h"
#include "io/file.h"
#include "io/format.h"

namespace locus {

namespace {

const std::string here = "lessons/results/today/";

struct Kind {
  const char *name, *windows, *mixers, *trained;  // trained: the scheme of its layers in turn
};
constexpr Kind kinds[] = {
    {"plain RoPE", "none", "attention", "rope"},
    {"SmolLM-like", "none", "attention", "rope rope rope none"},
    {"Llama-like", "4 4 4 none", "attention", "rope rope rope none"},
    {"Gemma-like", "4 4 4 none", "attention", "rope:fraction=0.25"},
    {"RoPE in layer 0 alone", "none", "attention", "rope none none none"},
    {"the same, delta layers above", "none", "attention delta delta delta", "rope"},
    {"Qwen-like", "none", "delta delta delta attention", "rope:fraction=0.25"},
    {"the same, no delta layers", "none", "attention", "none none none rope:fraction=0.25"},
};

struct Scores {
  std::vector<double> with, blind;  // one per seed, at the longest trained length
};
using Cell = std::pair<std::string, int>;  // a task and a width

Scores scores_of(const Kind& kind, const Cell& cell, const std::vector<Result>& results) {
  Scores scores;
  for (const auto& [settings, outcome, where] : results) {
    const ModelSettings& model = settings.model;
    const std::string tested = to_string(model.scheme), trained = to_string(settings.trained_as);
    if (Cell{settings.task, model.d_model} != cell || model.window_by_layer != kind.windows ||
        model.mixer_by_layer != kind.mixers || (trained.empty() ? tested : trained) != kind.trained)
      continue;
    (trained.empty() || trained == tested ? scores.with : scores.blind)
        .push_back(outcome.by_length.front().score.exact_match);
  }
  return scores;
}

// A panel for a task: a row for each kind; width 32 above, 64 below it, from what is right with positions (filled) to
// what is without (hollow).
void draw_panel(Drawing& drawing, const PlotArea& area, const std::string& task,
                const std::vector<Result>& results) {
  drawing.text({area.left, area.top - 12}, task, {.bold = true});
  for (const double x : {0.0, 0.5, 1.0}) {
    drawing.line(area.at(x, 0), area.at(x, std::size(kinds)), {.colour = grid_ink});
    drawing.text({area.x_at(x), area.bottom + 16}, str(static_cast<int>(100 * x), " %"),
                 {.anchor = Anchor::middle, .colour = pale_ink});
  }
  for (std::size_t row = 0; row < std::size(kinds); ++row)
    for (const int width : {32, 64}) {
      const Scores scores = scores_of(kinds[row], {task, width}, results);
      if (scores.with.empty() || scores.blind.empty()) continue;
      const double y = area.y.high - static_cast<double>(row) - (width == 32 ? 0.36 : 0.64);
      const Point with = area.at(mean(scores.with), y), blind = area.at(mean(scores.blind), y);
      const std::string colour = series_colour(width == 32 ? 0 : 1);
      drawing.line(blind, with, {.colour = colour, .width = 2});
      drawing.shape(with, 0, colour, paper, "");
      drawing.circle(blind, 4, {.colour = colour, .width = 1.5});
      std::cout << task << '\t' << width << '\t' << kinds[row].name << '\t' << fixed(mean(scores.with), 3)
                << '\t' << fixed(mean(scores.blind), 3) << '\n';
    }
}

Figure picture(const std::vector<Result>& results) {
  constexpr double names = 190, panel = 150, gap = 28, row = 34, top = 96;
  const double bottom = top + row * static_cast<double>(std::size(kinds));
  Drawing drawing;
  drawing.heading("Taken away, RoPE costs where a low layer has it, with delta layers or without", title_size,
                  padding, padding, 4 * (panel + gap) + names);
  drawing.text(
      {padding, 54},
      "right answers at 12 tokens: a dot with positions, a ring without; blue: width 32, orange: width 64",
      {.colour = pale_ink});
  for (std::size_t i = 0; i < std::size(kinds); ++i)
    drawing.text({padding, top + row * (static_cast<double>(i) + 0.62)}, kinds[i].name, {});
  double left = names;
  for (const char* task : {"needle", "pairs", "counting", "cycle"}) {
    const PlotArea area{.left = left,
                        .right = left + panel,
                        .top = top,
                        .bottom = bottom,
                        .x = {0, 1},
                        .y = {0, static_cast<double>(std::size(kinds))}};
    draw_panel(drawing, area, task, results);
    left += panel + gap;
  }
  return {.title = "What decoders of four layers lose when their positions are taken away",
          .width = left,
          .height = bottom + 32,
          .body = drawing.take()};
}

}  // namespace

}  // namespace locus

int main() {
  try {
    using namespace locus;
    write_file_atomically(here + "today.svg", svg_document(picture(read_records({here}).results)));
    return 0;
  } catch (const std::exception& problem) {
    std::cerr << "today: " << problem.what() << '\n';
    return 1;
  }
}
