#include "draw/plot.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

using namespace locus;

TEST_CASE("ticks: are round, inside the range and no more than wanted") {
  CHECK(nice_ticks({0, 1}, 6) == std::vector<double>{0, 0.2, 0.4, 0.2 * 3, 0.8, 1});
  CHECK(nice_ticks({0, 1}, 2) == std::vector<double>{0, 0.5, 1});
  CHECK(nice_ticks({8, 256}, 5) == std::vector<double>{50, 100, 150, 200, 250});
  CHECK(nice_ticks({-10, 10}, 4) == std::vector<double>{-10, -5, 0, 5, 10});
  CHECK(nice_ticks({5, 5}, 4) == std::vector<double>{5, 5});
}

TEST_CASE("ticks: any range gets a sane number of rising ticks") {
  Random random(1, Purpose::testing);
  for (int i = 0; i < 5000; ++i) {
    const double low = random.normal() * std::pow(10, random.below(40) - 20);
    const Range range = with_some_width({low, low + random.uniform() * std::pow(10, random.below(40) - 20)});
    const auto most = static_cast<std::size_t>(1 + random.below(10));
    const std::vector<double> ticks = nice_ticks(range, most);
    CHECK(ticks.size() <= most + 1);
    for (std::size_t t = 1; t < ticks.size(); ++t) CHECK(ticks[t] > ticks[t - 1]);
    if (most >= 5) CHECK(ticks.size() >= 2);
    CHECK(tick_labels(ticks).size() == ticks.size());
  }
  for (const Range range : {Range{-1e300, 1e300}, Range{0, 5e-324}, Range{1e16, 1e16 + 2}, Range{0, 0}}) {
    const std::vector<double> ticks = nice_ticks(with_some_width(range), 5);
    CHECK((ticks.size() >= 2 && ticks.size() <= 6));
  }
}

TEST_CASE("ticks: powers of two on logarithmic axes, thinned out when there are many") {
  CHECK(power_of_two_ticks({8, 256}, 10) == std::vector<double>{8, 16, 32, 64, 128, 256});
  CHECK(power_of_two_ticks({8, 256}, 3) == std::vector<double>{8, 32, 128});
  CHECK(power_of_two_ticks({10, 100}, 10) == std::vector<double>{16, 32, 64});
  CHECK(power_of_two_ticks({20, 30}, 2) == std::vector<double>{20, 25, 30});
}

TEST_CASE("ticks: labels share their number of decimals") {
  using Labels = std::vector<std::string>;
  CHECK(tick_labels({0, 0.25, 0.5}) == Labels{"0.00", "0.25", "0.50"});
  CHECK(tick_labels(nice_ticks({0, 1}, 6)) == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(tick_labels({-5, 0, 5}) == Labels{"−5", "0", "5"});
  CHECK(tick_labels({0, 50000, 100000}) == Labels{"0", "50000", "100000"});
  CHECK(tick_labels({0, 1e6, 2e6}) == Labels{"0", "1e+06", "2e+06"});
  CHECK(tick_labels({-0.0}) == Labels{"0"});
  CHECK(tick_labels(power_of_two_ticks({0.004, 2}, 10)) ==
        Labels{"1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2"});
  CHECK(tick_labels({0, 0.0625}) == Labels{"0.0000", "0.0625"});
  CHECK(tick_labels({}).empty());
}

TEST_CASE("ticks: ranges leave out what is not finite and are never empty") {
  CHECK(range_of({3, NAN, -1, INFINITY, 2, 1e305}).low == -1);
  CHECK(range_of({3, NAN, -1, INFINITY, 2, 1e305}).high == 3);
  CHECK(range_of({NAN}).high == 1);
  CHECK(with_some_width({5, 5}).low == doctest::Approx(4.5));
  CHECK(with_some_width({0, 0}).high == 1);
  CHECK(with_some_width({2, 3}).high == 3);
}

using Places = std::vector<double>;

TEST_CASE("labels: stay where they want to be when nothing collides") {
  CHECK(spread_apart({10, 30, 90}, 15, 0, 100) == Places{10, 30, 90});
  CHECK(spread_apart({}, 15, 0, 100).empty());
}

TEST_CASE("labels: that collide move on, and back from the end") {
  CHECK(spread_apart({50, 50}, 10, 0, 100) == Places{50, 60});
  CHECK(spread_apart({50, 50, 50}, 10, 0, 100) == Places{50, 60, 70});
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
