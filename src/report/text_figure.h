// The loss of a model on a text by position in the window, one line for each length of the window, beside what
// counting reaches and, of a generated text, the entropy of its grammar.
#pragma once

#include <string>
#include <vector>

#include "draw/charts.h"
#include "draw/svg.h"
#include "train/run.h"

namespace locus {

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
