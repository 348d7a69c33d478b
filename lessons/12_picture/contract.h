// What chapter 12 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Rows = std::vector<std::vector<double>>;

// Step 12.5, weight_by_offset.cpp: how much weight a key at each offset key - query gets, as the mean over those queries
// that have a key there. `weights` has T rows (queries) of T weights (keys), T from 1 on. Element 0 of the result is of
// the offset -(T - 1), the last of its 2 T - 1 elements of the offset T - 1. Of an encoder's uniform head, every element
// is 1 / T: unlike shares of all attention (step 12.3), which peak at offset 0, as most queries have a key there.
std::vector<double> weight_by_offset(const Rows& weights);

// Step 12.6, uniform_head.cpp: a test. `map_of` gives the weights of a head, T rows of T, for an input of T tokens, T
// from 1 to 64; `input`, from 0 to 9, chooses one of ten inputs of this length. True if every query of every input gives
// the same weight to all keys that it sees, and no weight to others: a query of an encoder sees all T keys, one of a
// decoder (causal) itself and those before it. The weights of a query sum to 1. Differences below 1e-5 are rounding.
using MapOf = std::function<Rows(int length, int input)>;
bool uniform_head(const MapOf& map_of, bool causal);

}  // namespace locus
