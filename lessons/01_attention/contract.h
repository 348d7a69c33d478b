// What chapter 1 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Rows = std::vector<std::vector<double>>;  // T vectors, one for each token

// Step 1.6, attend.cpp: attention for one query, in plain loops. The score of key j is its dot product with the
// query, over the root of their length; the softmax of the scores gives the weights; the result is the mix, the sum
// of weight j times value j. keys and values have equally many rows; a value may be longer or shorter than a key.
std::vector<double> attend(const std::vector<double>& query, const Rows& keys, const Rows& values);

// Step 1.7, moves_along.cpp: a test. `layer` takes T vectors of 4 numbers, for any T, and gives T vectors, its outputs.
// True if shuffling what goes in shuffles what comes out in the same way, and does
// no more: A(PX) = P A(X) for every permutation P. Differences below 1e-4 are rounding.
using Layer = std::function<Rows(const Rows&)>;
bool moves_along(const Layer& layer);

}  // namespace locus
