#include "report/sparkline.h"

#include <doctest/doctest.h>

using namespace locus;

TEST_CASE("sparkline: a bar per value, from nothing to all") {
  const std::vector<double> values = {0, 0.13, 0.5, 0.99, 1, 7, -1};
  CHECK(sparkline(values) ==
        "▁▂▅██"
        "█▁");
  CHECK(sparkline({}) == "");
}

TEST_CASE("sparkline: curves are averaged step by step, and one that has ended keeps its last accuracy") {
  const Curve early{{50, 100}, {1, 1}, {0.5, 1}}, late{{50, 100, 150, 200}, {1, 1, 1, 1}, {0, 0, 0.5, 0.5}};
  CHECK(mean_accuracy({&early, &late}, 200, 4) == std::vector{0.25, 0.5, 0.75, 0.75});
  CHECK(mean_accuracy({&late}, 200, 8) == std::vector<double>{0, 0, 0, 0, 0, 0.5, 0.5, 0.5});
  CHECK(mean_accuracy({}, 200, 4).empty());
  const Curve none;
  CHECK(mean_accuracy({&none}, 200, 4).empty());
}
