// Models whose weights are set by hand, not trained: what each head does is known exactly. They are the ground truth
// for what is measured of trained models: attention maps, silenced heads, changed positions, probes, longer inputs.
//
//   previous   the token before: one head finds the code of the position before, as M_-1 PE[p] = PE[p - 1]
//   count      majority: one head averages all tokens, and so counts them
//   sort       one head counts, for each token, how many are not larger; feed-forward compares that with the position
//
// They are encoders of one layer and one head, of the ordinary classes. A layer norm does no harm because each number
// q of the stream is there twice, in one channel as q and in the next as -q: their mean is 0, and where the squares
// add up to the same number for all tokens, the norm divides by a constant, which its gain multiplies again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "train/run.h"

namespace locus {

struct Construction {
  std::string name;
  std::string codes = "";            // of previous: sinusoidal (as when nothing is said) or onehot
  double sharpness = 10;             // of previous: what the product of two codes is multiplied by
  std::string score_scale = "none";  // or "log" (model/attention.h); as sharp as without at 12 tokens
  std::vector<int> test_lengths = {12, 24, 48, 96};
  int test_examples = 1000;
};

inline constexpr int equally_sharp_at = 12;  // tokens

// The names above. Throws UsageError for another.
const std::vector<std::string>& construction_names();

// Complete. Throws UsageError when the construction has no such codes, or none for the lengths.
RunSettings settings_of(const Construction& construction);

// The parameters of the model of a run with these settings.
Reals construct(const Construction& construction, const Model& model);

// What each part of the model does, in plain words.
std::string explanation_of(const Construction& construction);

}  // namespace locus
