// What chapter 7 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

// Step 7.6, four_parts.cpp: the score of a query and a key, when positions are added to words, in four parts.
// A token is the sum word + position, two vectors of length D. Its query is (word + position) Q and its key
// (word + position) K; Q and K have D rows of d numbers, and d need not be D. The score is the dot product of a query
// and a key, here without the division by the root of d. The four parts sum to the score.
struct Token {
  Vector word, position;
};
struct Parts {
  double word_word;          // the query's word and the key's word
  double word_position;      // the query's word and the key's position
  double position_word;      // the query's position and the key's word
  double position_position;  // the query's position and the key's position
};
Parts four_parts(const Token& query, const Token& key, const Rows& Q, const Rows& K);

// Step 7.7, adds_up.cpp: a test of the backward of a lookup. `backward` gets the ids that were looked up, the gradient
// of each row that came out (dy[i] belongs to ids[i]) and the gradient of the table, in which there may be something
// already. True if it leaves in every row of the table's gradient what a right backward of step 7.2 leaves there. You
// choose how many ids, rows and elements to a row there are, at least 1 of each, and the numbers. Differences below
// 1e-5 are rounding.
using Backward = std::function<void(const std::vector<int>& ids, const Rows& dy, Rows& gradient)>;
bool adds_up(const Backward& backward);

}  // namespace locus
