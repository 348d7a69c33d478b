// Numbers with names for their axes: what the checks of the lessons compare, and where its numbers come from.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "autograd/tape.h"

namespace locus {

// An axis of size 1 is not worth mentioning.
struct Array {
  // The element with an index for each axis.
  template <class... Index>
  double operator()(Index... index) const {
    std::size_t place = 0;
    int axis = 0;
    ((place = place * static_cast<std::size_t>(shape[axis++]) + static_cast<std::size_t>(index)), ...);
    return values[place];
  }
  Shape shape;
  std::vector<double> values;
};

Array copy(Tensor);  // a tensor lasts until its tape is reset; this lasts
Array list(std::vector<double> values);
Array array_of(const std::vector<std::vector<double>>& rows);  // all of one length
std::vector<std::vector<double>> rows_of(const std::vector<double>& values, std::size_t width);

template <class Value, class... Index>
void append_elements(Array& to, const Value& value, Index... index) {
  if constexpr (std::is_invocable_v<Value, Index...>)
    to.values.push_back(value(index...));
  else
    for (int i = 0; i < to.shape[sizeof...(Index)]; ++i) append_elements(to, value, index..., i);
}
// An array of this shape whose elements are value(i, j, ...), with an index for each axis.
template <class Value>
Array filled(const Shape& shape, const Value& value) {
  Array out{shape, {}};
  append_elements(out, value);
  return out;
}

// term(0) + term(1) + ... + term(count - 1)
template <class Count, class Term>
double sum_of(Count count, const Term& term) {
  double sum = 0;
  for (Count i = 0; i < count; ++i) sum += static_cast<double>(term(i));
  return sum;
}
double dot(const std::vector<double>& a, const std::vector<double>& b);
std::vector<double> times(const std::vector<double>& row, const std::vector<std::vector<double>>& matrix);

// Numbers of a standard normal distribution, the same each time; and rows of them.
std::vector<double> random_numbers(std::size_t count, std::uint64_t seed);
std::vector<std::vector<double>> random_rows(std::size_t count, std::size_t width, std::uint64_t seed);
Reals reals(const std::vector<double>& values);

// The largest difference of two lists of equal length; NaN when one holds a NaN.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace locus
