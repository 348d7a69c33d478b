#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace locus {

double learning_rate_at(const OptimizerSettings& settings, int step, int steps, int solved_at) {
  if (solved_at > 0 && step >= solved_at)
    return learning_rate_at(settings, solved_at, steps) *
           std::max(0.0, 1 - (step - solved_at + 0.5) / cooldown);
  const int warmup = std::min(settings.warmup, std::max(1, steps / 10));
  if (step < warmup) return settings.learning_rate * (step + 1) / warmup;
  const double progress = static_cast<double>(step - warmup) / std::max(1, steps - warmup);
  return settings.learning_rate * 0.5 * (1 + std::cos(std::numbers::pi * progress));
}

void accumulate(const Real* gradient, std::size_t first, std::size_t count, Real* total) {
  const Real* __restrict from = gradient + first;
  Real* __restrict to = total + first;
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

void update_means(const OptimizerSettings& settings, double norm, const Real* gradient, std::size_t first,
                  std::size_t count, OptimizerState& state) {
  const auto clip = static_cast<Real>(norm > settings.clip ? settings.clip / norm : 1);
  const auto beta1 = static_cast<Real>(settings.beta1), beta2 = static_cast<Real>(settings.beta2);

  const Real* __restrict g = gradient + first;
  Real* __restrict m = state.mean.data() + first;
  Real* __restrict v = state.square.data() + first;
  // exercise 3.2: the running means, m[i] of the gradient and v[i] of its square; the gradient is clip * g[i]
  // (for i from 0 to count - 1; `clip` is computed above)
  for (std::size_t i = 0; i < count; ++i) {
    const Real gi = clip * g[i];
    m[i] = beta1 * m[i] + (1 - beta1) * gi;
    v[i] = beta2 * v[i] + (1 - beta2) * gi * gi;
  }
  // end
}

void adamw_update(const OptimizerSettings& settings, double learning_rate, int step, double norm,
                  const Real* gradient, std::size_t first, std::size_t count, Real* parameters,
                  OptimizerState& state) {
  update_means(settings, norm, gradient, first, count, state);
  const auto rate = static_cast<Real>(learning_rate), epsilon = static_cast<Real>(settings.epsilon);

  Real* __restrict p = parameters + first;
  Real* __restrict m = state.mean.data() + first;
  Real* __restrict v = state.square.data() + first;
  // exercise 3.3: the parameters p[i], after their decay and a step against m over the root of v, both corrected
  // (mean_correction, square_correction: the factors of m and of v, which are too small at first because they started
  // at 0; keep: the part of a parameter that its decay leaves, a little less than 1; rate: `learning_rate` as Real)
  const Real mean_correction = static_cast<Real>(1 / (1 - std::pow(settings.beta1, step + 1)));
  const Real square_correction = static_cast<Real>(1 / (1 - std::pow(settings.beta2, step + 1)));
  const Real keep = static_cast<Real>(1 - learning_rate * settings.weight_decay);
  for (std::size_t i = 0; i < count; ++i)
    p[i] = keep * p[i] - rate * (m[i] * mean_correction) / (std::sqrt(v[i] * square_correction) + epsilon);
  // end
}

}  // namespace locus
