// The score of a query and a key in four parts: what words and positions contribute.
#include "lessons/07_table/contract.h"

namespace locus {

// exercise 7.6: four_parts(), from blank: contract.h says what it must do
static Vector times(const Vector& x, const Rows& matrix) {  // x (D), matrix (D,d)
  Vector y(matrix[0].size());
  for (std::size_t in = 0; in < x.size(); ++in)
    for (std::size_t out = 0; out < y.size(); ++out) y[out] += x[in] * matrix[in][out];
  return y;
}

static double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

Parts four_parts(const Token& query, const Token& key, const Rows& Q, const Rows& K) {
  const Vector query_word = times(query.word, Q), query_position = times(query.position, Q);
  const Vector key_word = times(key.word, K), key_position = times(key.position, K);
  return {.word_word = dot(query_word, key_word),
          .word_position = dot(query_word, key_position),
          .position_word = dot(query_position, key_word),
          .position_position = dot(query_position, key_position)};
}
// end

}  // namespace locus
