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

// A title of its own says how the loss grows beyond the trained length. Throws Error when no score has a loss.
Figure text_figure(const std::string& subject, const std::vector<LengthScore>& scores,
                   const LengthRange& trained);

}  // namespace locus
