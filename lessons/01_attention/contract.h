// What chapter 1 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Rows = std::vector<std::vector<double>>;  // T vectors, one for each token

// Step 1.1, attend.cpp: attention for one query, in plain loops. The score of key j is its dot product with the
// query, divided by sqrt(d), where d is the number of channels of both; the softmax of the scores gives the weights; the
// result is the mix, the sum of weight j times value j. There are as many values as keys; a value may have more or fewer
// channels than a key.
std::vector<double> attend(const std::vector<double>& query, const Rows& keys, const Rows& values);

// Step 1.7, moves_along.cpp: a test of a layer A. `layer` takes T vectors of 4 channels, for any T, and returns T vectors,
// its outputs. moves_along() returns whether the layer is permutation equivariant: A(PX) = P A(X) for every permutation P.
// Differences below 1e-4 are rounding.
using Layer = std::function<Rows(const Rows&)>;
bool moves_along(const Layer& layer);

}  // namespace locus
