// A test of a whole training, step by step. The check of chapter 3 judges it: it must pass trainings that are
// right, and fail each broken one, also those whose models learn just as well.
#include <algorithm>
#include <cmath>

#include "lessons/03_learning/contract.h"

namespace locus {

bool golden_trace(const Training& training) {
  // exercise 3.7: true if the losses and logits of `training` are those of contract.h, for a plan of your own
  const Plan plan{.logits = {1, -2, 0.5},
                  .targets = {{0, 2, -1}, {1, 1}, {2, -1, 0, 0}, {2}},
                  .rates = {0.1, 0.2, 0.05, 0.1},
                  .beta1 = 0.7,
                  .beta2 = 0.9,
                  .epsilon = 0.05,
                  .decay = 0.5};
  const std::vector<Moment> trace(training(plan));
  std::vector<double> logits(plan.logits), m(3), v(3);
  for (std::size_t step = 0; step < plan.targets.size(); ++step) {
    double sum = 0, scored = 0, loss = 0;
    for (const double logit : logits) sum += std::exp(logit);
    std::vector<double> g(3);
    for (const int target : plan.targets[step]) {
      if (target < 0) continue;
      ++scored;
      loss -= std::log(std::exp(logits[static_cast<std::size_t>(target)]) / sum);
      for (std::size_t i = 0; i < 3; ++i) g[i] += std::exp(logits[i]) / sum - (static_cast<int>(i) == target);
    }
    if (!(std::abs(trace[step].loss - loss / scored) < 1e-4)) return false;
    const double t = static_cast<double>(step) + 1, rate = plan.rates[step];
    for (std::size_t i = 0; i < 3; ++i) {
      g[i] /= scored;
      m[i] = plan.beta1 * m[i] + (1 - plan.beta1) * g[i];
      v[i] = plan.beta2 * v[i] + (1 - plan.beta2) * g[i] * g[i];
      logits[i] -= rate * plan.decay * logits[i] +
                   rate * m[i] / (1 - std::pow(plan.beta1, t)) /
                       (std::sqrt(v[i] / (1 - std::pow(plan.beta2, t))) + plan.epsilon);
      if (!(std::abs(trace[step].logits[i] - logits[i]) < 1e-4)) return false;
    }
  }
  return true;
  // end
}

}  // namespace locus
