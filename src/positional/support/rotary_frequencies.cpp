#include "positional/support/rotary_frequencies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace locus {

namespace {

constexpr double turn = 2 * std::numbers::pi;

// How many times longer than trained the input is taken to be.
double stretch(const RotarySettings& s, int length) {
  return s.extend == "dynamic" ? std::max(length / s.original, 1.0) : s.factor;
}

double temperature(const RotarySettings& s, int length) {
  if (!s.temperature) return 1;
  const double log_stretch = std::log(stretch(s, length));
  return s.extend == "longrope" ? std::sqrt(1 + log_stretch / std::log(s.original)) : 0.1 * log_stretch + 1;
}

// The pair, as a real number, that makes so many turns in the trained length.
double yarn_pair(const RotarySettings& s, double turns, double (*round)(double)) {
  const double pair = s.channels * std::log(s.original / (turn * turns)) / (2 * std::log(s.base));
  return std::clamp(round(pair), 0.0, s.channels - 1.0);
}

// How much of its speed a pair keeps, from 0 (slowed by the factor) to 1 (untouched).
double yarn_keeps(const RotarySettings& s, int pair) {
  const double low = yarn_pair(s, s.beta_fast, std::floor), high = yarn_pair(s, s.beta_slow, std::ceil);
  return 1 - std::clamp((pair - low) / std::max(high - low, 0.001), 0.0, 1.0);
}
double llama3_keeps(const RotarySettings& s, double theta) {
  const double turns = s.original * theta / turn;
  return std::clamp((turns - s.beta_slow) / (s.beta_fast - s.beta_slow), 0.0, 1.0);
}

double between(double keeps, double factor) { return keeps + (1 - keeps) / factor; }

// From 1 for the fastest pair to 1 / factor for the slowest.
double ntk(const RotarySettings& s, int pair, double factor) {
  return std::pow(factor, -pair / (s.channels / 2 - 1.0));
}

// What the extension multiplies the speed theta of a pair by.
double speed(const RotarySettings& s, int pair, double theta, int length) {
  if (s.extend == "pi") return between(0, s.factor);
  if (s.extend == "yarn") return between(yarn_keeps(s, pair), s.factor);
  if (s.extend == "llama3") return between(llama3_keeps(s, theta), s.factor);
  if (s.extend == "ntk") return ntk(s, pair, s.factor);
  if (s.extend == "dynamic") return ntk(s, pair, s.factor * stretch(s, length) - (s.factor - 1));
  if (s.extend == "longrope")
    return s.rescale.empty() ? ntk(s, pair, s.factor) : 1 / s.rescale[static_cast<std::size_t>(pair)];
  return pair < s.turning ? 1 : 0;
}

}  // namespace

Frequencies rotary_frequencies(const RotarySettings& settings, int length) {
  Frequencies frequencies{{}, temperature(settings, length)};
  for (int pair = 0; pair < settings.channels / 2; ++pair) {
    // exercise 10.1: the speed of pair i, w_i = base^(-2i/d): its angle from one position to the next
    // (d, the channels that make up the pairs, is settings.channels)
    const double theta = std::pow(settings.base, -2.0 * pair / settings.channels);
    // end
    frequencies.inverse_frequency.push_back(theta * speed(settings, pair, theta, length));
  }
  return frequencies;
}

}  // namespace locus
