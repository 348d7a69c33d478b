// The stripes of stripes.cpp, one after the other.
#include <doctest/doctest.h>

#include "positional/support/spec.h"

using namespace locus;

TEST_CASE("stripes: positions take turns in three channels") {
  ParameterTable table;
  const auto stripes = make_scheme("stripes", {.d_model = 8, .heads = 2, .causal = false}, table);
  const auto code = [&](double position) { return stripes->code(position, 32, nullptr); };
  CHECK(code(0) == std::vector<double>{1, 0, 0});
  CHECK(code(1) == std::vector<double>{0, 1, 0});
  CHECK(code(2) == std::vector<double>{0, 0, 1});
  CHECK(code(3) == code(0));
  CHECK(code(11) == code(2));
}
