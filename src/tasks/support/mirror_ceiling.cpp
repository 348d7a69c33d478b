// The mirror-blind ceiling (ceiling.h). An input says all about itself and its mirror image, so the mean over
// inputs needs no inner sampling, and has no bias.
#include <algorithm>
#include <cmath>

#include "tasks/support/ceiling.h"

namespace locus {

namespace {

constexpr int fewest_inputs = 4'000, most_inputs = 100'000;
constexpr double good_enough = 0.001;  // the standard error at which no more inputs are drawn

double best_with_mirror_image(const Toy& toy, const Tokens& input) {
  const Tokens mirrored(input.rbegin(), input.rend());
  if (!toy.accepts(mirrored)) return 1;
  const Tokens target = toy.solve(input);
  Tokens other = toy.solve(mirrored);
  if (toy.form == Form::labelling) std::ranges::reverse(other);
  double sum = 0;
  for (std::size_t i = 0; i < target.size(); ++i) sum += target[i] == other[i] ? 1 : 0.5;
  return sum / static_cast<double>(target.size());
}

}  // namespace

Estimate mirror_blind_ceiling(const Toy& toy, int length) {
  Random random(0, Purpose::ceiling, static_cast<std::uint64_t>(length));
  double n = 0, sum = 0, squares = 0;
  const auto mean = [&] { return sum / n; };
  const auto variance = [&] { return std::max(0.0, squares / n - mean() * mean()) / n; };  // of the mean
  while (n < fewest_inputs || (n < most_inputs && variance() > good_enough * good_enough)) {
    const double best = best_with_mirror_image(toy, toy.sample(random, length));
    ++n, sum += best, squares += best * best;
  }
  return {mean(), std::sqrt(variance())};
}

}  // namespace locus
