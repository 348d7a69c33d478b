#include "nn/parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"

using namespace locus;

namespace {

using Values = Reals;

Values slice(const Values& values, const Parameter& where) {
  const auto start = values.begin() + static_cast<std::ptrdiff_t>(where.offset);
  return {start, start + static_cast<std::ptrdiff_t>(where.shape.count())};
}

}  // namespace

TEST_CASE("parameters: lie one after the other in one vector") {
  ParameterTable table;
  const Parameter a = table.add("a", {2, 3}, Initial::constant(0)),
                  b = table.add("b", {}, Initial::constant(0)), c = table.add("c", {4}, Initial::constant(0));
  CHECK(a.offset == 0);
  CHECK(b.offset == 6);
  CHECK(c.offset == 7);
  CHECK(table.count() == 11);
  CHECK(table.sample(1).size() == 11);
  REQUIRE(table.entries().size() == 3);
  CHECK(table.entries()[2].name == "c");
  CHECK(table.entries()[2].where.shape == Shape{4});
}

TEST_CASE("parameters: a name can be taken only once") {
  ParameterTable table;
  table.add("layer0.weight", {2}, Initial::constant(0));
  CHECK_THROWS_WITH_AS(table.add("layer0.weight", {3}, Initial::constant(0)),
                       "[parameters] the name 'layer0.weight' is taken", Error);
  CHECK(table.count() == 2);
}

TEST_CASE("parameters: a prefix goes before the names that follow, so one name can be taken again") {
  ParameterTable table;
  const Parameter first = table.add("bias", {50}, Initial::normal(1));
  table.set_prefix("turn1.");
  const Parameter second = table.add("bias", {50}, Initial::normal(1));
  table.set_prefix("");
  table.add("gain", {1}, Initial::normal(1));
  CHECK(table.entries()[0].name == "bias");
  CHECK(table.entries()[1].name == "turn1.bias");
  CHECK(table.entries()[2].name == "gain");
  CHECK(slice(table.sample(3), first) != slice(table.sample(3), second));
}

TEST_CASE("parameters: another parameter, or another order, leaves the others as they were") {
  ParameterTable alone, beside;
  const Parameter a = alone.add("a", {50}, Initial::normal(1)), b = alone.add("b", {50}, Initial::uniform(1));
  const Parameter b2 = beside.add("b", {50}, Initial::uniform(1));
  beside.add("new", {7}, Initial::normal(1));
  const Parameter a2 = beside.add("a", {50}, Initial::normal(1));
  CHECK(slice(alone.sample(3), a) == slice(beside.sample(3), a2));
  CHECK(slice(alone.sample(3), b) == slice(beside.sample(3), b2));
}

TEST_CASE("parameters: another name or another seed is another start, the same ones repeat") {
  ParameterTable table;
  const Parameter a = table.add("a", {50}, Initial::normal(1)), b = table.add("b", {50}, Initial::normal(1));
  const Values values = table.sample(3);
  CHECK(values == table.sample(3));
  CHECK(slice(values, a) != slice(values, b));
  CHECK(slice(values, a) != slice(table.sample(4), a));
}

TEST_CASE("parameters: begin constant, uniform within a size, or normal of a deviation") {
  constexpr int n = 20000;
  ParameterTable table;
  const Parameter constant = table.add("constant", {n}, Initial::constant(2.5)),
                  uniform = table.add("uniform", {n}, Initial::uniform(0.2)),
                  normal = table.add("normal", {n}, Initial::normal(0.5));
  const Values values = table.sample(1);
  CHECK(slice(values, constant) == Values(n, Real(2.5)));

  // Moments within four standard errors.
  const auto check_moments = [](const Values& x, double deviation, double fourth) {
    double mean = 0, square = 0;
    for (const Real value : x) {
      mean += static_cast<double>(value) / n;
      square += static_cast<double>(value * value) / n;
    }
    CHECK(std::abs(mean) < 4 * deviation / std::sqrt(n));
    CHECK(std::abs(square / (deviation * deviation) - 1) < 4 * std::sqrt((fourth - 1) / n));
  };
  check_moments(slice(values, uniform), 0.2 / std::sqrt(3.0), 9.0 / 5);
  check_moments(slice(values, normal), 0.5, 3);
  CHECK(std::ranges::all_of(slice(values, uniform), [](Real x) { return std::abs(x) <= Real(0.2); }));
}
