// What chapter 10 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Vector = std::vector<double>;

// Step 10.7, turned_score.cpp: the dot product of a query at position p and a key at position q, both turned by rope, with
// the pairs (0,1), (2,3) ... Only their distance p - q is given, and only one turn is needed. Both vectors have d numbers, and d is
// even; the speeds are those of step 10.1.
double turned_score(const Vector& query, const Vector& key, double distance, double base);

// Step 10.8, by_distance_only.cpp: a test. `score` takes a query and a key, of 8 numbers each, and their positions p
// and q, from 0 to 2000, which need not be whole numbers. True if for every query and key the score depends on p and q through p - q only.
// Differences below 1e-6 are rounding. A score that is no number (NaN) counts as different: false.
using Score = std::function<double(const Vector& query, const Vector& key, double p, double q)>;
bool by_distance_only(const Score& score);

}  // namespace locus
