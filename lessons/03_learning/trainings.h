// What the learner's test of step 3.7 is tried on: trainings as contract.h has them, right and broken.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "lessons/03_learning/adamw.h"
#include "lessons/03_learning/contract.h"
#include "train/optimizer.h"

namespace locus {

// A training in plain loops and in double, with one thing about it changed.
struct Changes {
  Rule rule{};
  enum Divisor { scored, all, none } of_loss = scored, of_gradient = scored;
  bool first_rate = false, forgets = false, swapped = false, loss_after = false, logits_before = false;
};

// The loss of these targets, and its gradient by the logits.
inline double loss_of(const std::vector<double>& logits, const std::vector<int>& targets,
                      const Changes& changes, std::vector<double>& gradient) {
  const double largest = std::ranges::max(logits);
  double sum = 0, scored = 0, loss = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  gradient.assign(logits.size(), 0);
  for (const int target : targets) {
    if (target == not_scored) continue;
    ++scored;
    loss += largest + std::log(sum) - logits.at(static_cast<std::size_t>(target));
    for (std::size_t v = 0; v < logits.size(); ++v)
      gradient[v] += std::exp(logits[v] - largest) / sum - (static_cast<int>(v) == target);
  }
  const double divisors[] = {scored, static_cast<double>(targets.size()), 1};
  for (double& d : gradient) d /= divisors[changes.of_gradient];
  return loss / divisors[changes.of_loss];
}

inline Training training_with(const Changes& changes) {
  return [=](const Plan& plan) {
    std::vector<double> logits = plan.logits, m(logits.size()), v(logits.size()), gradient;
    std::vector<Moment> trace;
    for (std::size_t step = 0; step < plan.targets.size(); ++step) {
      const std::vector<double> before = logits;
      double loss = loss_of(logits, plan.targets[step], changes, gradient);
      if (changes.forgets) m.assign(m.size(), 0), v.assign(v.size(), 0);
      const double rate = plan.rates[changes.first_rate ? 0 : step];
      Element e{rate, plan.beta1, plan.beta2, plan.epsilon, plan.decay, static_cast<int>(step) + 1};
      if (changes.swapped) std::swap(e.beta1, e.beta2);
      update(changes.rule, e, gradient, logits, m, v);
      if (changes.loss_after) loss = loss_of(logits, plan.targets[step], changes, gradient);
      trace.push_back({loss, changes.logits_before ? before : logits});
    }
    return trace;
  };
}

// Throws Error if contract.h does not allow this plan.
inline void require_allowed(const Plan& plan) {
  const auto check = [](bool holds, const std::string& otherwise) {
    if (!holds) throw Error("Your test tries a plan that contract.h does not allow: " + otherwise);
  };
  const auto V = static_cast<int>(plan.logits.size());
  check(V > 0, "it has no logits.");
  check(!plan.targets.empty(), "it has no training step.");
  check(plan.rates.size() == plan.targets.size(),
        str("it has ", plan.rates.size(), " rates for ", plan.targets.size(), " training steps."));
  for (int step = 0; const std::vector<int>& targets : plan.targets) {
    ++step;
    for (const int target : targets)
      check(target >= not_scored && target < V,
            str("training step ", step, " has the target ", target, "; with ", V,
                " logits the targets are 0 to ", V - 1, ", or -1: not scored."));
    check(std::ranges::any_of(targets, [](int target) { return target != not_scored; }),
          str("in training step ", step,
              " no target is scored, so that the loss is 0 / 0. Each batch needs a target that is not -1."));
  }
}

// The learner's own lines: the framework's loss and optimizer.
inline std::vector<Moment> learners_training(const Plan& plan) {
  const OptimizerSettings settings{
      .weight_decay = plan.decay, .beta1 = plan.beta1, .beta2 = plan.beta2, .epsilon = plan.epsilon};
  const std::size_t V = plan.logits.size();
  Reals logits(plan.logits.begin(), plan.logits.end());
  OptimizerState state{Reals(V), Reals(V)};
  std::vector<Moment> trace;
  for (int step = 0; const std::vector<int>& targets : plan.targets) {
    const Reals zeros(targets.size() * V);
    Reals gradient(V);
    Tape tape(logits.data(), gradient.data());
    const Shape rows{static_cast<int>(targets.size()), static_cast<int>(V)};
    const auto scored = std::ranges::count_if(targets, [](int target) { return target != not_scored; });
    const Tensor loss = cross_entropy(tape.constant(rows, zeros.data()) + tape.parameter({{rows.last()}, 0}),
                                      targets, static_cast<Real>(scored));
    tape.backward(loss);
    adamw_update(settings, plan.rates[trace.size()], step++, 0, gradient.data(), 0, V, logits.data(), state);
    trace.push_back({*loss.value(), {logits.begin(), logits.end()}});
  }
  return trace;
}

}  // namespace locus
