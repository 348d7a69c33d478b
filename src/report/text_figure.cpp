#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "io/format.h"
#include "report/text_study.h"

namespace locus {

std::vector<Sample> samples_by_position(const std::vector<double>& loss, int length) {
  std::vector<Sample> samples;
  int first = 0;
  for (std::size_t piece = 0; piece < loss.size(); ++piece) {
    int end = first;
    while (end < length && piece_of(end, length) == static_cast<int>(piece)) ++end;
    samples.push_back({(first + end + 1) / 2.0, loss[piece]});
    first = end;
  }
  return samples;
}

LineChart text_chart() {
  return {.title = "", .x_label = "position in the window", .y_label = "loss, nats per token"};
}

void add_levels(LineChart& chart, const TextLevels& levels, int length, int longest_trained) {
  const double first = samples_by_position({0}, length).front().x;
  const auto level = [&](const char* name, double nats) {
    chart.series.push_back({name, {{first, nats}, {static_cast<double>(length), nats}}, baseline_style()});
  };
  const bool narrow = chart.width < 400;  // a phone has no room for more beside the lines
  level(narrow ? "unigram" : "unigram, by counting", levels.unigram);
  if (levels.bigram) level(narrow ? "bigram" : "bigram, by counting", *levels.bigram);
  if (levels.floor) {  // behind the others, some of which come near it
    SeriesStyle thin = ceiling_style();
    thin.width = 2;
    chart.series.insert(chart.series.begin(), {narrow ? "floor" : "floor: the grammar",
                                               samples_by_position(levels.floor_by_position, length), thin});
  }
  if (length > longest_trained)
    chart.vertical_line = VerticalLine{static_cast<double>(longest_trained), "longest trained"};
  chart.log_x = length > 16;
}

namespace {

std::string title_of(const std::string& subject, const std::vector<LengthScore>& scores,
                     const LengthRange& trained) {
  const auto said = [](const LengthScore& s) {
    return str(fixed(std::exp(s.score.text->loss), 2), " in windows of ", s.length);
  };
  const LengthScore& last = scores.back();
  const auto inside = std::ranges::find_if(scores, [&](auto& s) { return s.length == trained.high; });
  if (inside == scores.end() || inside->length == last.length)
    return str(subject, ": perplexity ", said(last));
  return str(subject, ": perplexity ", said(*inside), ", ", said(last));
}

}  // namespace

Figure text_figure(const std::string& subject, const std::vector<LengthScore>& all,
                   const LengthRange& trained) {
  std::vector<LengthScore> scores;
  for (const LengthScore& s : all)
    if (s.score.text && s.text) scores.push_back(s);
  if (scores.empty())
    fail("figure", "no window has a loss that is a number", "train again with a smaller --lr");
  LineChart chart = text_chart();
  chart.title = title_of(subject, scores, trained);
  for (const LengthScore& s : scores)
    chart.series.push_back(
        {str("windows of ", s.length), samples_by_position(s.score.text->by_position, s.length)});
  add_levels(chart, *scores.back().text, scores.back().length, trained.high);
  return line_chart(chart);
}

}  // namespace locus
