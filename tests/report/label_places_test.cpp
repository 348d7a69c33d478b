#include "report/label_places.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/random.h"

using namespace locus;
using Places = std::vector<double>;

TEST_CASE("labels: stay where they want to be when nothing collides") {
  CHECK(spread_apart({10, 30, 90}, 15, 0, 100) == Places{10, 30, 90});
  CHECK(spread_apart({}, 15, 0, 100).empty());
}

TEST_CASE("labels: that collide share the space around their wishes") {
  CHECK(spread_apart({50, 50}, 10, 0, 100) == Places{45, 55});
  CHECK(spread_apart({50, 50, 50}, 10, 0, 100) == Places{40, 50, 60});
  CHECK(spread_apart({0, 0}, 10, 0, 100) == Places{0, 10});
  CHECK(spread_apart({100, 100}, 10, 0, 100) == Places{90, 100});
  CHECK(spread_apart({1, 2, 3}, 10, 0, 12) == Places{0, 10, 20});  // no room: past the end
}

TEST_CASE("labels: never touch, keep their order and stay inside") {
  Random random(1, Purpose::testing);
  for (int i = 0; i < 2000; ++i) {
    Places wishes(static_cast<std::size_t>(random.below(10)));
    for (double& wish : wishes) wish = random.below(120) - 10;
    std::sort(wishes.begin(), wishes.end());
    const Places places = spread_apart(wishes, 10, 0, 100);
    REQUIRE(places.size() == wishes.size());
    for (std::size_t j = 0; j < places.size(); ++j) {
      CHECK(places[j] >= -1e-9);
      CHECK(places[j] <= 100 + 1e-9);
      if (j > 0) CHECK(places[j] - places[j - 1] >= 10 - 1e-9);
    }
  }
}
