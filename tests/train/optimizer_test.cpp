#include "train/optimizer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "../support/random_values.h"

using namespace locus;

namespace {

// AdamW as in the paper (algorithm 2 of Loshchilov and Hutter 2019, with the decay scaled by the rate as in
// PyTorch), one number at a time and in double.
struct Twin {
  OptimizerSettings settings;
  std::vector<double> parameters, mean, square;

  void update(double rate, int step, double norm, const Reals& gradient) {
    const double scale = norm > settings.clip ? settings.clip / norm : 1;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double g = scale * double{gradient[i]};
      mean[i] = settings.beta1 * mean[i] + (1 - settings.beta1) * g;
      square[i] = settings.beta2 * square[i] + (1 - settings.beta2) * g * g;
      const double corrected_mean = mean[i] / (1 - std::pow(settings.beta1, step + 1));
      const double corrected_square = square[i] / (1 - std::pow(settings.beta2, step + 1));
      parameters[i] -= rate * settings.weight_decay * parameters[i];
      parameters[i] -= rate * corrected_mean / (std::sqrt(corrected_square) + settings.epsilon);
    }
  }
};

double norm_of(const Reals& values) {
  double squares = 0;
  for (const Real value : values) squares += double{value} * double{value};
  return std::sqrt(squares);
}

void check_near(const Reals& values, const std::vector<double>& expected) {
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    CHECK(std::abs(double{values[i]} - expected[i]) <= tolerance(2e-6, 1e-14) * (1 + std::abs(expected[i])));
}

}  // namespace

TEST_CASE("optimizer: AdamW equals its naive twin in double, over steps with and without clipping") {
  const OptimizerSettings settings{.learning_rate = 0.05, .weight_decay = 0.1, .clip = 2};
  for (const std::size_t count : {0u, 1u, 7u, 64u, 129u}) {
    Reals parameters = random_values(count, 1);
    OptimizerState state{Reals(count), Reals(count)};
    Twin twin{settings,
              {parameters.begin(), parameters.end()},
              std::vector<double>(count),
              std::vector<double>(count)};
    bool clipped = false, unclipped = false;
    for (int step = 0; step < 8; ++step) {
      const Reals gradient =
          random_values(count, 10 + static_cast<std::uint64_t>(step), step % 2 == 0 ? 10 : 0.01);
      const double norm = norm_of(gradient), rate = 0.05 / (1 + step);
      (norm > settings.clip ? clipped : unclipped) = true;
      adamw_update(settings, rate, step, norm, gradient.data(), 0, count, parameters.data(), state);
      twin.update(rate, step, norm, gradient);
    }
    CHECK(unclipped);
    CHECK(clipped == (count > 0));
    check_near(parameters, twin.parameters);
    check_near(state.mean, twin.mean);
    check_near(state.square, twin.square);
  }
}

TEST_CASE("optimizer: an update cut into ranges gives the same bits") {
  const OptimizerSettings settings{};
  const std::size_t count = 61;
  const Reals gradient = random_values(count, 2);
  Reals whole = random_values(count, 3), cut = whole;
  OptimizerState whole_state{random_values(count, 4), Reals(count, Real(0.5))}, cut_state = whole_state;
  adamw_update(settings, 0.1, 5, 1.5, gradient.data(), 0, count, whole.data(), whole_state);
  for (const auto& [first, size] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 19u}, {20u, 41u}})
    adamw_update(settings, 0.1, 5, 1.5, gradient.data(), first, size, cut.data(), cut_state);
  CHECK(whole == cut);
  CHECK(whole_state.mean == cut_state.mean);
  CHECK(whole_state.square == cut_state.square);
}

TEST_CASE("optimizer: a gradient is shortened to the clip, never lengthened") {
  const OptimizerSettings settings{.clip = 1};
  const Reals gradient = {3, -4};  // norm 5
  for (const auto& [factor, used] :
       {std::pair{1.0, 0.2}, {0.1, 1.0}}) {  // the share of the gradient that is used
    const Reals scaled = {static_cast<Real>(3 * factor), static_cast<Real>(-4 * factor)};
    Reals parameters(2);
    OptimizerState state{Reals(2), Reals(2)};
    adamw_update(settings, 0.1, 0, 5 * factor, scaled.data(), 0, 2, parameters.data(), state);
    CHECK(state.mean[0] == doctest::Approx(0.1 * used * 3 * factor));
    CHECK(state.mean[1] == doctest::Approx(-0.1 * used * 4 * factor));
  }
}

TEST_CASE("optimizer: without a gradient only the decay is left, in proportion to the rate") {
  const OptimizerSettings settings{.weight_decay = 0.5};
  const Reals gradient(2);
  Reals parameters = {2, -8};
  OptimizerState state{Reals(2), Reals(2)};
  adamw_update(settings, 0.1, 3, 0, gradient.data(), 0, 2, parameters.data(), state);
  CHECK(parameters[0] == doctest::Approx(1.9));
  CHECK(parameters[1] == doctest::Approx(-7.6));
}

TEST_CASE("optimizer: the rate warms up in a line, peaks, and falls along a cosine to 0") {
  const OptimizerSettings settings{.learning_rate = 2, .warmup = 100};
  const auto rate = [&](int step) { return learning_rate_at(settings, step, 1100); };
  CHECK(rate(0) == doctest::Approx(0.02));
  CHECK(rate(49) == doctest::Approx(1.0));
  CHECK(rate(99) == doctest::Approx(2.0));
  CHECK(rate(100) == doctest::Approx(2.0));
  CHECK(rate(350) == doctest::Approx(1 + std::sqrt(0.5)));  // a quarter of the way down: cos 45 degrees
  CHECK(rate(600) == doctest::Approx(1.0));
  CHECK(rate(1100) == doctest::Approx(0.0).epsilon(1e-12));
  for (int step = 0; step < 99; ++step) CHECK(rate(step) < rate(step + 1));
  for (int step = 100; step < 1100; ++step) CHECK(rate(step) > rate(step + 1));
}

TEST_CASE("optimizer: a short run warms up for a tenth of its steps, and every step moves") {
  const OptimizerSettings settings{.learning_rate = 2, .warmup = 100};
  CHECK(learning_rate_at(settings, 9, 200) < 2);
  CHECK(learning_rate_at(settings, 19, 200) == doctest::Approx(2));
  CHECK(learning_rate_at(settings, 0, 1) == doctest::Approx(2));
  for (int steps = 1; steps < 40; ++steps)
    for (int step = 0; step < steps; ++step) {
      CHECK(learning_rate_at(settings, step, steps) > 0);
      CHECK(learning_rate_at(settings, step, steps) <= 2);
    }
  CHECK(learning_rate_at({.learning_rate = 2, .warmup = 0}, 0, 1000) == doctest::Approx(2));
}

TEST_CASE("optimizer: a solved run falls from where it was to 0 in `cooldown` steps") {
  const OptimizerSettings settings{.learning_rate = 2, .warmup = 100};
  const auto rate = [&](int step) { return learning_rate_at(settings, step, 1000, 300); };
  const double at_300 = learning_rate_at(settings, 300, 1000);
  CHECK(rate(299) == learning_rate_at(settings, 299, 1000));
  CHECK(rate(300) < at_300);
  CHECK(rate(300) > 0.99 * at_300);
  CHECK(rate(300 + cooldown / 2) == doctest::Approx(at_300 / 2).epsilon(0.01));
  CHECK(rate(300 + cooldown - 1) > 0);
  CHECK(rate(300 + cooldown - 1) < 0.01 * at_300);
  CHECK(rate(300 + cooldown) == 0);
  for (int step = 300; step < 300 + cooldown; ++step) CHECK(rate(step) > rate(step + 1));
}
