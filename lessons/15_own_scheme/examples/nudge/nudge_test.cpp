// The biases of nudge.cpp against numbers worked out by hand, for a query at position 5.
#include <doctest/doctest.h>

#include "positional/support/spec.h"

using namespace locus;

TEST_CASE("nudge: the left neighbour has no bias, and one position further costs 1") {
  ParameterTable table;
  const auto nudge = make_scheme("nudge", {.d_model = 8, .heads = 2, .causal = false}, table);
  for (const int head : {0, 1}) {
    CHECK(nudge->bias(head, 5, 4) == 0);
    CHECK(nudge->bias(head, 5, 3) == -1);
    CHECK(nudge->bias(head, 5, 5) == -1);
    CHECK(nudge->bias(head, 5, 0) == -4);
    CHECK(nudge->bias(head, 5, 12) == -8);
    CHECK(nudge->bias(head, 20, 19) == 0);
  }
}
