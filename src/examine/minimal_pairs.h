// Minimal pairs: two texts of the same tokens in two orders, of which one is right. A model prefers the one that it
// finds more probable. (datasets/README.md has the format.)
#pragma once

#include <string>
#include <vector>

#include "train/run.h"

namespace locus {

struct MinimalPair {
  std::string right, wrong, phenomenon;
  int distance;
  bool unknown = false;  // a token of it is unknown to the model
};

// Rows of right<TAB>wrong<TAB>phenomenon<TAB>distance; comments as in tables (is_comment), and | in a text is a line
// end. Throws Error with file and line for anything malformed, and for a pair that differs in more than order.
std::vector<MinimalPair> read_minimal_pairs(const std::string& path, const Task& text_task);

// -ln p of the text, in nats, summed over its tokens. A decoder reads the text after a line end and predicts each
// token; an encoder reads it once per token, with that token hidden (its pseudo-likelihood: Salazar et al. 2020).
double nats_of(const Run& run, const Real* parameters, const Tokens& text);

// Whether the right one is more probable: 1, or 0, or 1/2 where both are equally probable (within 0.0001 nats per
// token), as always for an encoder without positions. Throws Error where the model computes no number.
double preference(const Run& run, const Real* parameters, const MinimalPair& pair);

}  // namespace locus
