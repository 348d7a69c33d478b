// The losses of an ablation on texts, as perplexities, e to the loss, beside what counting reaches and, of a generated
// text, the floor: the entropy of its grammar.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "draw/charts.h"
#include "report/study.h"

namespace locus {

// The rows of one text and kind of model, and the lengths at which they have losses, ascending.
struct TextRows {
  std::string task, model;
  std::vector<const ResultRow*> rows;
  std::vector<int> lengths;
  const ModelRows* view;
};
std::vector<TextRows> texts_of(const Study& study);

// The losses of the row at this length; nothing where there are none.
const TextSummary* text_at(const ResultRow& row, int length);

// The levels that are known of the text, in nats for each of these lengths (NaN where not known): "unigram", "bigram",
// "floor".
struct TextLevel {
  std::string name;
  std::vector<double> nats;
};
std::vector<TextLevel> text_levels_of(const std::vector<const ResultRow*>& rows,
                                      const std::vector<int>& lengths);

// How the windows of a text are scored (evaluate.h).
struct WindowReading {
  const char *name, *what;
  std::vector<double> TextSummary::*loss;
};
inline constexpr WindowReading window_readings[] = {
    {"in windows", "all tokens of each window, also the first, which have little before them",
     &TextSummary::loss},
    {"sliding", "the second half of each window: every token once, with half a window or more before it",
     &TextSummary::sliding}};

std::string token_name(const RunSettings& settings);  // "character" or "word"
// "last 256 characters of each window of 512"
std::string last_half(int length, const std::string& units);

// Those that read windows of this length, by their mean perplexity in them.
std::vector<const ResultRow*> best_first(std::vector<const ResultRow*> rows, int length,
                                         std::vector<double> TextSummary::*loss);
// e to the mean loss of those seeds whose loss is a number; NaN without any.
double mean_perplexity(const std::vector<double>& losses);

// Signs behind the perplexities in windows, by row and length: verdicts (summary_table.cpp).
using LengthMarks = std::map<std::pair<const ResultRow*, int>, std::string>;

// For the terminal: a table for each text, kind of model and reading, with the perplexity by length, its seeds from
// smallest to largest, and in the first table what a model costs. "" without texts. Where the width does not hold all
// lengths, those between are left out.
std::string perplexity_tables(const Study& study, std::size_t width, bool colour,
                              const LengthMarks& signs = {});

// For each text and kind of model the perplexity by position in the longest windows, a line for each scheme.
std::vector<Figure> text_study_figures(const Study& study, double width = 640);

// The figure of a study: the grid of accuracies (grid.h), and below it, or of texts alone in its place, the above.
Figure study_figure(const std::string& title, const Study& study);

// "4.21": three digits or more, so that 1.27 and 1.31 can be told apart.
std::string perplexity_text(double perplexity);

// text_figure.cpp: the loss of a model by position in the window, one line for each length of the window

// A sample in the middle of each piece of the window (piece_of in task.h); positions count the tokens before the one
// that is asked for.
std::vector<Sample> samples_by_position(const std::vector<double>& loss, int length);

// A chart of the loss by position: the caller adds the title and a series for each model, and then what they are read
// against: in grey what counting reaches and the floor of a generated text, and a line at the longest trained length
// where windows of `length` tokens are longer.
LineChart text_chart();
void add_levels(LineChart& chart, const TextLevels& levels, int length, int longest_trained);

// A title of its own says how the loss grows beyond the trained length. Throws Error when no score has a loss.
Figure text_figure(const std::string& subject, const std::vector<LengthScore>& scores,
                   const LengthRange& trained);

}  // namespace locus
