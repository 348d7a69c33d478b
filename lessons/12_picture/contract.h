// What chapter 12 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Rows = std::vector<std::vector<double>>;

// Step 12.5, weight_by_offset.cpp: the mean weight by offset. `weights` has T rows (queries) of T weights (keys), T from
// 1 on. The result has 2 T - 1 elements, one for each offset key - query from -(T - 1) to T - 1: the sum of the weights
// at this offset, divided by a number that depends on T and the offset alone, such that for an encoder's uniform head
// every element is 1 / T. (Its shares by offset, step 12.3, are highest at offset 0.)
std::vector<double> weight_by_offset(const Rows& weights);

// Step 12.6, uniform_head.cpp: a test. True if the head is uniform: every query of every input gives the same weight to
// all keys that it sees, and weight 0 to all others. A query of an encoder sees all T keys; a query of a decoder (causal)
// sees its own key and those before it. The weights of a query sum to 1. Differences below 1e-5 are rounding; a weight
// that is NaN differs. `map_of` gives the weights of the head, T rows (queries) of T weights (keys), for an input of T
// tokens, T from 1 to 64; `input`, from 0 to 9, chooses one of ten inputs of this length.
using MapOf = std::function<Rows(int length, int input)>;
bool uniform_head(const MapOf& map_of, bool causal);

}  // namespace locus
