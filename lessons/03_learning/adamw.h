// AdamW in plain loops and in double, with one thing about it changed: to judge the learner's test, and to train with in
// the experiment. It holds the answers of steps 3.2 and 3.3.
#pragma once

#include <cmath>
#include <vector>

namespace locus {

// One parameter in one step.
struct Element {
  double rate, beta1, beta2, epsilon, decay;
  int t;                                              // the step, from 1
  double mean_correction = 0, square_correction = 0;  // 1 / (1 - beta^t)
  double p = 0, g = 0;                                // the parameter before the step, and its gradient
  double m = 0, v = 0;                                // the running means
};

// The running means, corrected.
inline double corrected_mean(const Element& e) { return e.m * e.mean_correction; }
inline double corrected_square(const Element& e) { return e.v * e.square_correction; }
// What the parameter loses to the step alone.
inline double step_of(const Element& e) {
  return e.rate * corrected_mean(e) / (std::sqrt(corrected_square(e)) + e.epsilon);
}
// The parameter after its decay and a step by other numbers.
inline double moved(const Element& e, double mean, double divisor) {
  return e.p - e.rate * e.decay * e.p - e.rate * mean / divisor;
}

struct Rule {
  void (*means)(Element&) = [](Element& e) {
    e.m = e.beta1 * e.m + (1 - e.beta1) * e.g;
    e.v = e.beta2 * e.v + (1 - e.beta2) * e.g * e.g;
  };
  double (*step)(const Element&) = [](const Element& e) {  // the parameter after it
    return e.p - e.rate * e.decay * e.p - step_of(e);
  };
};

// `all` holds what is the same for all parameters of this step.
template <class Numbers, class Gradient>
void update(const Rule& rule, Element all, const Gradient& gradient, Numbers& parameters,
            std::vector<double>& mean, std::vector<double>& square) {
  all.mean_correction = 1 / (1 - std::pow(all.beta1, all.t));
  all.square_correction = 1 / (1 - std::pow(all.beta2, all.t));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    all.p = parameters[i], all.g = gradient[i], all.m = mean[i], all.v = square[i];
    rule.means(all);
    parameters[i] = static_cast<typename Numbers::value_type>(rule.step(all));
    mean[i] = all.m, square[i] = all.v;
  }
}

// The rules that are wrong and still used to train something, here and in the experiment.
inline const Rule decay_alone{.step = [](const Element& e) {  // not multiplied by the rate
  return e.p - e.decay * e.p - step_of(e);
}};
inline const Rule decay_in_gradient{.means =
                                        [](Element& e) {
                                          const double g = e.g + e.decay * e.p;
                                          e.m = e.beta1 * e.m + (1 - e.beta1) * g;
                                          e.v = e.beta2 * e.v + (1 - e.beta2) * g * g;
                                        },
                                    .step = [](const Element& e) { return e.p - step_of(e); }};
inline const Rule no_root{
    .step = [](const Element& e) { return moved(e, corrected_mean(e), corrected_square(e) + e.epsilon); }};
inline const Rule no_correction{
    .step = [](const Element& e) { return moved(e, e.m, std::sqrt(e.v) + e.epsilon); }};
inline const Rule no_mean_correction{
    .step = [](const Element& e) { return moved(e, e.m, std::sqrt(corrected_square(e)) + e.epsilon); }};
inline const Rule no_square_correction{
    .step = [](const Element& e) { return moved(e, corrected_mean(e), std::sqrt(e.v) + e.epsilon); }};
inline const Rule one_step_late{.step = [](const Element& e) {  // corrects as if the next step were done
  return moved(e, e.m / (1 - std::pow(e.beta1, e.t + 1)),
               std::sqrt(e.v / (1 - std::pow(e.beta2, e.t + 1))) + e.epsilon);
}};
inline const Rule epsilon_inside{.step = [](const Element& e) {
  return moved(e, corrected_mean(e), std::sqrt(corrected_square(e) + e.epsilon));
}};
inline const Rule no_epsilon{
    .step = [](const Element& e) { return moved(e, corrected_mean(e), std::sqrt(corrected_square(e))); }};

}  // namespace locus
