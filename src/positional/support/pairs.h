// Pairs of a query and a key, by their positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "positional/scheme.h"

namespace locus {

// The shape of all pairs of these positions: (T,T), or (B,T,T) when examples have positions of their own.
inline Shape pairs_shape(const Positions& positions) { return positions.shape().with_axis(positions.length); }

// f(query, key) for all pairs, in the order of pairs_shape.
template <class F>
auto for_pairs(const Positions& positions, F f) {
  std::vector<std::invoke_result_t<F, double, double>> results;
  for (int row = 0; row < positions.rows; ++row)
    for (int i = 0; i < positions.length; ++i)
      for (int j = 0; j < positions.length; ++j) results.push_back(f(positions(row, i), positions(row, j)));
  return results;
}

// How many positions the key is after the query; a real distance is rounded, and one beyond an int is the farthest.
inline int relative(double query, double key) {
  constexpr double farthest = 1 << 30;
  return static_cast<int>(std::lround(std::clamp(key - query, -farthest, farthest)));
}

// The distinct values among those of all pairs, in rising order, and for each pair the index of its value.
template <class T>
struct Distinct {
  std::vector<T> values;
  std::vector<int> ids;
  int count() const { return static_cast<int>(values.size()); }
};
template <class T>
Distinct<T> distinct(const std::vector<T>& of_pairs) {
  Distinct<T> result{of_pairs, {}};
  std::vector<T>& values = result.values;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const T& value : of_pairs)
    result.ids.push_back(static_cast<int>(std::ranges::lower_bound(values, value) - values.begin()));
  return result;
}

// f(value) of each of the distinct values, as a constant (N).
template <class T, class F>
Tensor row_of(Tape& tape, const Distinct<T>& distinct, F f) {
  Real* row = tape.arena().allocate<Real>(distinct.values.size());
  std::ranges::transform(distinct.values, row, [&](const T& value) { return static_cast<Real>(f(value)); });
  return tape.constant({distinct.count()}, row);
}

}  // namespace locus
