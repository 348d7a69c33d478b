// What a scheme adds to each score whatever the tokens: its bias, fixed or learned.
#pragma once

#include <vector>

#include "positional/scheme.h"

namespace locus {

// (H,T,T), query by key, of T tokens in this layer, with these parameters of the model. Empty when it depends
// on the tokens, or when nothing is added.
std::vector<double> added_scores(const Scheme& scheme, const SchemeContext& context, const Real* parameters,
                                 int length, int layer = 0);

}  // namespace locus
