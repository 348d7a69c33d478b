// What the order of the words before is worth to a decoder on a text: the loss on the token after each test window,
// when all but the last few tokens of the window are put in a random order. The tokens stay the same, so what is lost
// beside the window as it stands is lost with their order alone.
#pragma once

#include <vector>

#include "train/run.h"

namespace locus {

struct ShuffledContext {
  int in_order;  // how many tokens before the one that is asked for keep their places
  double loss;   // nats per token
};

// For 0, 1, 2, 4 ... tokens in order, and the whole window. Throws UsageError unless the model predicts the next token
// of a text.
std::vector<ShuffledContext> shuffled_contexts(const Run& run, const Real* parameters, int length,
                                               Pool& pool);

}  // namespace locus
