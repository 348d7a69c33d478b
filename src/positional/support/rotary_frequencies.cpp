#include "positional/support/rotary_frequencies.h"

#include <cmath>

#include "base/size.h"
#include "positional/support/rotary_extensions.h"

namespace locus {

Frequencies rotary_frequencies(const RotarySettings& settings, int length) {
  Frequencies frequencies{{}, extensions::temperature(settings, length)};
  for (int pair = 0; pair < settings.channels / 2; ++pair) {
    // exercise 10.1: the speed of this pair: how many radians it turns from one position to the next
    // (`pair` counts from 0; settings.channels is the number of channels that are paired)
    const double theta = std::pow(settings.base, -2.0 * pair / settings.channels);
    // end
    frequencies.inverse_frequency.push_back(theta * extensions::slowing(settings, pair, theta, length));
  }
  for (const int pair : settings.still) frequencies.inverse_frequency[as_size(pair)] = 0;
  return frequencies;
}

}  // namespace locus
