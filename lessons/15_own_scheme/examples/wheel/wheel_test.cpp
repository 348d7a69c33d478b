// The clock of wheel.cpp against angles that can be worked out by hand: 0, 3, 4, 8 and 12 of 32 positions.
#include <doctest/doctest.h>

#include <cmath>

#include "positional/support/spec.h"

using namespace locus;

TEST_CASE("wheel: the hand points where a clock of 32 positions has it") {
  ParameterTable table;
  const auto wheel = make_scheme("wheel", {.d_model = 8, .heads = 2, .causal = false}, table);
  const auto hand = [&](double position) { return wheel->code(position, 32, nullptr); };
  const double half = std::sqrt(0.5);
  CHECK(hand(0)[0] == doctest::Approx(0));
  CHECK(hand(0)[1] == doctest::Approx(1));
  CHECK(hand(4)[0] == doctest::Approx(half));  // an eighth of a turn
  CHECK(hand(4)[1] == doctest::Approx(half));
  CHECK(hand(8)[0] == doctest::Approx(1));  // a quarter
  CHECK(hand(12)[1] == doctest::Approx(-half));
  CHECK(hand(35)[0] == doctest::Approx(hand(3)[0]));  // a whole turn later
}
