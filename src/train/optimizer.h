// AdamW with decoupled weight decay (Loshchilov and Hutter 2019), gradient clipping by the global norm, and a
// learning rate that warms up linearly and falls to 0 along a cosine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/real.h"

namespace locus {

struct OptimizerSettings {
  double learning_rate = 0;  // the peak
  double weight_decay = 0.01, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double clip = 1.0;  // largest global norm of a gradient
  int warmup = 100;   // steps
};

// The learning rate of step `step` (from 0) of `steps`. The warmup takes at most a tenth of all steps. When a
// run has solved its task at step `solved_at` and stops early (0: it does not), the rate falls linearly to 0
// within `cooldown` further steps.
double learning_rate_at(const OptimizerSettings& settings, int step, int steps, int solved_at = 0);
inline constexpr int cooldown = 150;

// The state of AdamW: running means of the gradient and of its square.
struct OptimizerState {
  Reals mean, square;
};

// total[i] += gradient[i] for `count` elements from `first` on.
void accumulate(const Real* gradient, std::size_t first, std::size_t count, Real* total);

// The first half of an update, of `count` elements from `first` on: the running means, of the gradient scaled down to
// the norm settings.clip where its global norm, `norm`, is larger.
void update_means(const OptimizerSettings& settings, double norm, const Real* gradient, std::size_t first,
                  std::size_t count, OptimizerState& state);

// One update of `count` parameters from `first` on: update_means(), and then a step. `norm` is the gradient's global
// norm before clipping, `step` counts from 0. The update is elementwise, so any division into ranges gives the same
// result.
void adamw_update(const OptimizerSettings& settings, double learning_rate, int step, double norm,
                  const Real* gradient, std::size_t first, std::size_t count, Real* parameters,
                  OptimizerState& state);

}  // namespace locus
