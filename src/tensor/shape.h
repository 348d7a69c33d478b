// The sizes of a tensor, outermost first: (B,T,D) is B blocks of T rows of D elements, stored row after row.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

#include "base/size.h"

namespace locus {

class Shape {
 public:
  static constexpr int max_rank = 4;

  Shape() = default;  // a single number
  Shape(std::initializer_list<int> sizes);

  int rank() const { return rank_; }
  // Axis 0 is the outermost.
  int operator[](int axis) const { return sizes_[as_size(axis)]; }
  // Counted from the last axis, which is 0. An axis that the shape lacks has size 1.
  int from_last(int axis) const { return axis < rank_ ? sizes_[as_size(rank_ - 1 - axis)] : 1; }
  int last() const { return from_last(0); }
  std::size_t count() const;        // elements
  int rows() const;                 // runs of last() elements
  Shape with_last(int size) const;  // the same with another last size
  Shape with_axis(int size) const;  // the same with one more axis at the end

  bool ends_with(const Shape& tail) const;  // (B,T,D) ends with (T,D), and with itself
  bool operator==(const Shape&) const = default;

  // numpy's rule: the shapes are aligned at their last axes; on each axis the sizes must be equal, or one of
  // them 1, which is repeated. None: they do not fit.
  friend std::optional<Shape> broadcast(const Shape& x, const Shape& y);

 private:
  std::array<int, max_rank> sizes_{};
  int rank_ = 0;
};

std::string to_string(const Shape&);  // "(8,16)"

}  // namespace locus
