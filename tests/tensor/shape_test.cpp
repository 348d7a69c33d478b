#include "tensor/shape.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace locus;

TEST_CASE("shape: sizes are counted from the outside in, and from the inside out") {
  const Shape shape{2, 3, 5};
  CHECK(shape.rank() == 3);
  CHECK(shape[0] == 2);
  CHECK(shape[2] == 5);
  CHECK(shape.from_last(0) == 5);
  CHECK(shape.from_last(2) == 2);
  CHECK(shape.last() == 5);
  CHECK(shape.count() == 30);
  CHECK(shape.rows() == 6);
  CHECK(to_string(shape) == "(2,3,5)");
}

TEST_CASE("shape: a single number has rank 0, one row and one column") {
  const Shape number;
  CHECK(number.rank() == 0);
  CHECK(number.count() == 1);
  CHECK(number.last() == 1);
  CHECK(number.rows() == 1);
  CHECK(to_string(number) == "()");
}

TEST_CASE("shape: sizes of 0 hold nothing, and still have rows") {
  CHECK(Shape{0, 4}.count() == 0);
  CHECK(Shape{0, 4}.rows() == 0);
  CHECK(Shape{3, 0}.count() == 0);
  CHECK(Shape{3, 0}.rows() == 3);
  CHECK(Shape{0}.rows() == 1);
}

TEST_CASE("shape: counts past 32 bits are right") { CHECK(Shape{100000, 100000}.count() == 10000000000u); }

TEST_CASE("shape: another last size, another axis") {
  CHECK(Shape{2, 3}.with_last(7) == Shape{2, 7});
  CHECK(Shape{2, 3}.with_axis(7) == Shape{2, 3, 7});
  CHECK(Shape{}.with_axis(7) == Shape{7});
  CHECK(Shape{2, 3} != Shape{2, 3, 1});
}

TEST_CASE("shape: (B,T,D) ends with (T,D), (D), () and itself") {
  const Shape shape{2, 3, 5};
  for (const Shape& tail : {Shape{2, 3, 5}, Shape{3, 5}, Shape{5}, Shape{}}) CHECK(shape.ends_with(tail));
  for (const Shape& other : {Shape{2, 3}, Shape{1, 5}, Shape{3}, Shape{1, 2, 3, 5}, Shape{2, 3, 1}})
    CHECK_FALSE(shape.ends_with(other));
}

TEST_CASE("shape: what cannot be is refused") {
  CHECK_THROWS_WITH_AS((Shape{1, 2, 3, 4, 5}), "[shape] rank 5 is more than 4", Error);
  CHECK_THROWS_WITH_AS((Shape{2, -1}), "[shape] size -1 is negative", Error);
  CHECK_THROWS_WITH_AS((Shape{1, 2, 3, 4}.with_axis(5)), "[shape] (1,2,3,4) has no room for another axis",
                       Error);
  CHECK_THROWS_WITH_AS(Shape{}.with_last(5), "[shape] () has no last size", Error);
}
