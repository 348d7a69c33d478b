// What chapter 8 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

// Step 8.7, four_terms.cpp: the score of Transformer-XL for a query at position p and a key at position q.
// query, key, u and v are vectors of d numbers. R is the sinusoid of the signed distance p - q, a vector of an even
// number D of numbers: R[2i] = sin((p - q) w_i) and R[2i+1] = cos((p - q) w_i), with w_i = 10000^(-2i/D). W has d rows
// of D numbers, so that W R, a vector of d numbers, stands for the distance.
//
// Of two sums with added codes, (query + code of p) · (key + code of q), Transformer-XL keeps the four terms. W R is in
// place of the code of q. In place of the code of p each head has learned two vectors, u for the key's content and v for W R.
// Each term is divided by sqrt(d).
struct Terms {
  double content_content;    // the query's content with the key's content
  double content_position;   // the query's content with what stands for the key's position
  double position_content;   // what stands for the query's position with the key's content
  double position_position;  // what stands for the query's position with what stands for the key's
};
Terms four_terms(const Vector& query, const Vector& key, double p, double q, const Vector& u, const Vector& v,
                 const Rows& W);

// Step 8.8, shift_invariant.cpp: a test. `scores` is a layer of attention that reads the same tokens each time. It
// gets their positions: 1 to 64 whole numbers from 0 to 5000, each larger than the one before, with or without gaps.
// It returns scores[i][j], the score of the query of token i and the key of token j. True if no score changes when the
// same number is added to all positions. Differences below 1e-6 are rounding; a score that is NaN has changed.
// Ask some hundreds of times, not thousands: the check runs the test on thirty layers.
using Scores = std::function<Rows(const Vector& positions)>;
bool shift_invariant(const Scores& scores);

}  // namespace locus
