#include "tensor/shape.h"

#include "base/error.h"
#include "base/size.h"

namespace locus {

Shape::Shape(std::initializer_list<int> sizes) {
  if (sizes.size() > max_rank) fail("shape", str("rank ", sizes.size(), " is more than ", max_rank));
  for (const int size : sizes) {
    if (size < 0) fail("shape", str("size ", size, " is negative"));
    sizes_[as_size(rank_++)] = size;
  }
}

std::size_t Shape::count() const {
  std::size_t product = 1;
  for (int axis = 0; axis < rank_; ++axis) product *= as_size((*this)[axis]);
  return product;
}

int Shape::rows() const {  // not count() / last(): the last size may be 0
  int product = 1;
  for (int axis = 0; axis + 1 < rank_; ++axis) product *= (*this)[axis];
  return product;
}

Shape Shape::with_last(int size) const {
  if (rank_ == 0) fail("shape", str(*this, " has no last size"));
  Shape shape = *this;
  shape.sizes_[as_size(rank_ - 1)] = size;
  return shape;
}

Shape Shape::with_axis(int size) const {
  if (rank_ == max_rank) fail("shape", str(*this, " has no room for another axis"));
  Shape shape = *this;
  shape.sizes_[as_size(shape.rank_++)] = size;
  return shape;
}

bool Shape::ends_with(const Shape& tail) const {
  if (tail.rank_ > rank_) return false;
  for (int axis = 0; axis < tail.rank_; ++axis)
    if (from_last(axis) != tail.from_last(axis)) return false;
  return true;
}

std::optional<Shape> broadcast(const Shape& x, const Shape& y) {
  Shape shape = x.rank() < y.rank() ? y : x;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int a = x.from_last(axis), b = y.from_last(axis);
    if (a != b && a != 1 && b != 1) return {};
    shape.sizes_[as_size(shape.rank() - 1 - axis)] = a == 1 ? b : a;
  }
  return shape;
}

std::string to_string(const Shape& shape) {
  std::string out = "(";
  for (int axis = 0; axis < shape.rank(); ++axis) out += str(axis ? "," : "", shape[axis]);
  return out + ")";
}

}  // namespace locus
