#include "positional/support/rotary_extensions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/size.h"

namespace locus::extensions {

namespace {

constexpr double turn = 2 * std::numbers::pi;

// An end of yarn's ramp, as a whole number of pairs.
double ramp_end(const RotarySettings& s, double turns, double (*round)(double)) {
  return std::clamp(round(pair_with_turns(s, turns)), 0.0, s.channels - 1.0);
}

}  // namespace

double interpolation(double factor) {
  // exercise 11.1: position interpolation: what multiplies every speed, for inputs `factor` times as long as trained
  return 1 / factor;
  // end
}

double ntk(const RotarySettings& s, int pair, double factor) {
  // exercise 11.2: NTK-aware: what multiplies the speed of this pair: pair 0 is untouched, the last pair interpolated,
  // and the multiplier falls by the same ratio from each pair to the next (s.channels is d)
  return std::pow(factor, -pair / (s.channels / 2 - 1.0));
  // end
}

double pair_with_turns(const RotarySettings& s, double turns) {
  // exercise 11.4: which pair makes `turns` full turns in s.original positions? A real number, even one outside of the
  // head (`turn` is 2 pi radians, s.channels is d)
  return s.channels * std::log(s.original / (turn * turns)) / (2 * std::log(s.base));
  // end
}

double yarn_keeps(int pair, double low, double high) {
  // exercise 11.5: the ramp of YaRN, as a weight: 1 for pairs up to `low`, 0 from `high` on, a straight line between
  // them; high - low counts as 0.001 where it is less, so nothing is divided by 0, and low itself has 1
  return 1 - std::clamp((pair - low) / std::max(high - low, 0.001), 0.0, 1.0);
  // end
}

double mixture(double keeps, double factor) {
  // exercise 11.6: what multiplies the speed, if `keeps` is the weight of the untouched speed, and the rest that of
  // the interpolated one
  return keeps + (1 - keeps) / factor;
  // end
}

double temperature(const RotarySettings& s, int length) {
  if (!s.temperature) return 1;
  const double factor = s.extend == "dynamic" ? std::max(length / s.original, 1.0) : s.factor;
  if (s.extend == "longrope") return std::sqrt(1 + std::log(factor) / std::log(s.original));
  // exercise 11.7: the temperature of YaRN for this `factor`, by which queries and keys are both multiplied
  return 0.1 * std::log(factor) + 1;
  // end
}

double dynamic_factor(const RotarySettings& s, int length) {
  // exercise 11.8: dynamic: the factor of an input of `length` tokens: 1 up to s.original tokens, then a straight line
  const double stretch = std::max(length / s.original, 1.0);
  return s.factor * stretch - (s.factor - 1);
  // end
}

double llama3_keeps(const RotarySettings& s, double theta) {
  // exercise 11.9: Llama 3: the weight is 1 for a pair that makes s.beta_fast turns or more in s.original positions, 0
  // for s.beta_slow or fewer, between them a straight line in the number of turns (`theta` is the pair's speed)
  const double turns = s.original * theta / turn;
  return std::clamp((turns - s.beta_slow) / (s.beta_fast - s.beta_slow), 0.0, 1.0);
  // end
}

double slowing(const RotarySettings& s, int pair, double theta, int length) {
  if (s.extend == "pi") return interpolation(s.factor);
  if (s.extend == "yarn") {
    const double low = ramp_end(s, s.beta_fast, std::floor), high = ramp_end(s, s.beta_slow, std::ceil);
    return mixture(yarn_keeps(pair, low, high), s.factor);
  }
  if (s.extend == "llama3") return mixture(llama3_keeps(s, theta), s.factor);
  if (s.extend == "ntk") return ntk(s, pair, s.factor);
  if (s.extend == "dynamic") return ntk(s, pair, dynamic_factor(s, length));
  if (s.extend == "longrope")
    return s.rescale.empty() ? ntk(s, pair, s.factor) : 1 / s.rescale[as_size(pair)];
  return pair < s.turning ? 1 : 0;  // without an extension all turn
}

}  // namespace locus::extensions
