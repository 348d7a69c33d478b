#include "examine/ridge.h"

#include <doctest/doctest.h>

#include <cmath>

#include "../support/random_values.h"

using namespace locus;

namespace {

struct Samples {
  std::vector<Reals> x;
  std::vector<double> y;

  Moments moments() const {
    Moments m(static_cast<int>(x.front().size()), 1);
    for (std::size_t i = 0; i < y.size(); ++i) m.add(x[i], std::vector{y[i]});
    return m;
  }
};

Samples normal_samples(std::size_t count, std::size_t features, std::uint64_t seed) {
  const Reals values = random_values(count * features, seed);
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.x.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(i * features),
                           values.begin() + static_cast<std::ptrdiff_t>((i + 1) * features));
    samples.y.push_back(0);
  }
  return samples;
}

double at(const Samples& samples, std::size_t i, std::size_t feature) {
  return static_cast<double>(samples.x[i][feature]);
}

}  // namespace

TEST_CASE("ridge: of one feature, the weight is covariance / (variance (1 + penalty))") {
  // x has mean 2 and variance 2/3; its covariance with y is 4/3.
  const Samples samples{{{1}, {2}, {3}}, {5, 8, 9}};
  for (const double penalty : {0.0, 0.5}) {
    const LinearMap map = ridge(samples.moments(), penalty)[0];
    CHECK(map.weights[0] == doctest::Approx(2 / (1 + penalty)));
    CHECK(map.intercept == doctest::Approx(22.0 / 3 - 2 * map.weights[0]));
  }
  // Of the best line, 22/3 + 2 (x - 2), the squared errors add up to 2/3, those of the mean to 26/3.
  CHECK(r_squared(ridge(samples.moments(), 0), samples.moments())[0] == doctest::Approx(1 - 2.0 / 26));
}

TEST_CASE("ridge: gradient descent on the penalised error ends at the same map") {
  Samples samples = normal_samples(60, 3, 1);
  const Reals noise = random_values(60, 2);
  for (std::size_t i = 0; i < 60; ++i) {
    samples.x[i][2] += samples.x[i][0] + 3;  // correlated, and not about 0
    samples.y[i] =
        2 * at(samples, i, 0) - at(samples, i, 1) + 0.3 * at(samples, i, 2) + static_cast<double>(noise[i]);
  }
  const double penalty = 0.2;
  const Moments moments = samples.moments();
  const LinearMap map = ridge(moments, penalty)[0];
  std::vector<double> w(3);
  double a = 0;
  for (int step = 0; step < 20000; ++step) {
    std::vector<double> dw(3);
    double da = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      double error = a - samples.y[i];
      for (std::size_t f = 0; f < 3; ++f) error += w[f] * at(samples, i, f);
      for (std::size_t f = 0; f < 3; ++f) dw[f] += error * at(samples, i, f) / 60;
      da += error / 60;
    }
    for (std::size_t f = 0; f < 3; ++f) {
      const int j = 1 + static_cast<int>(f);
      w[f] -= 0.05 * (dw[f] + penalty * moments.covariance(j, j) * w[f]);
    }
    a -= 0.05 * da;
  }
  for (std::size_t f = 0; f < 3; ++f) CHECK(map.weights[f] == doctest::Approx(w[f]).epsilon(1e-6));
  CHECK(map.intercept == doctest::Approx(a).epsilon(1e-6));
  double squares = 0, mean = 0, total = 0;
  for (const double y : samples.y) mean += y / 60;
  for (std::size_t i = 0; i < 60; ++i) {
    double error = map.intercept - samples.y[i];
    for (std::size_t f = 0; f < 3; ++f) error += map.weights[f] * at(samples, i, f);
    squares += error * error;
    total += (samples.y[i] - mean) * (samples.y[i] - mean);
  }
  CHECK(r_squared({map}, moments)[0] == doctest::Approx(1 - squares / total));
}

TEST_CASE(
    "ridge: R^2 on other samples is 1 of what is linear, 0 of what is unrelated, 1/2 where half is noise") {
  const auto score = [](auto target) {
    std::vector<Samples> halves;
    for (const std::uint64_t seed : {1u, 2u}) {
      Samples& half = halves.emplace_back(normal_samples(4000, 4, seed));
      const Reals noise = random_values(4000, seed + 10);
      for (std::size_t i = 0; i < 4000; ++i) half.y[i] = target(half, i, static_cast<double>(noise[i]));
    }
    return r_squared(ridge(halves[0].moments(), 1e-9), halves[1].moments())[0];
  };
  CHECK(score([](const Samples& s, std::size_t i, double) { return 3 * at(s, i, 0) - at(s, i, 3) + 7; }) ==
        doctest::Approx(1).epsilon(1e-6));
  CHECK(std::abs(score([](const Samples&, std::size_t, double noise) { return noise; })) < 0.01);
  CHECK(std::abs(score([](const Samples& s, std::size_t i, double noise) { return at(s, i, 1) + noise; }) -
                 0.5) < 0.03);
}

TEST_CASE("ridge: features that are constant, or there twice, do no harm") {
  Samples samples = normal_samples(50, 4, 5);
  for (std::size_t i = 0; i < 50; ++i) {
    samples.x[i][1] = 3;
    samples.x[i][2] = -samples.x[i][0];
    samples.y[i] = 2 * at(samples, i, 0);
  }
  const LinearMap map = ridge(samples.moments(), 1e-6)[0];
  CHECK(map.weights[1] == 0);
  CHECK(map.weights[0] - map.weights[2] == doctest::Approx(2).epsilon(1e-4));
  CHECK(r_squared({map}, samples.moments())[0] == doctest::Approx(1).epsilon(1e-6));
}
