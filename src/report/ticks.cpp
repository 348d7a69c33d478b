#include "report/ticks.h"

#include <algorithm>
#include <cmath>

#include "report/format.h"

namespace locus {

Range range_of(const std::vector<double>& values) {
  Range range{INFINITY, -INFINITY};
  for (const double value : values) {
    if (!(std::abs(value) <= 1e300)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range.low <= range.high ? range : Range{};
}

Range with_some_width(Range range) {
  const double magnitude = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > std::max(1e-9 * magnitude, 1e-290)) return range;
  const double reach = magnitude < 1e-280 ? 1 : magnitude * 0.1;
  return {range.low - reach, range.high + reach};
}

double nice_step(Range range, std::size_t most) {
  const double least = range.high / static_cast<double>(most) - range.low / static_cast<double>(most);
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::vector<double> nice_ticks(Range range, std::size_t most, double smallest_step) {
  const double magnitude = std::max(std::abs(range.low), std::abs(range.high));
  if (!(range.high - range.low > magnitude * 1e-12)) return {range.low, range.high};
  const double step = std::max(nice_step(range, most), smallest_step);
  std::vector<double> ticks;
  // A whole number of steps, so that errors do not add up; the slack keeps ends that are ticks but for
  // rounding.
  for (double i = std::ceil(range.low / step - 1e-6); i <= std::floor(range.high / step + 1e-6); ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::vector<double> power_of_two_ticks(Range range, std::size_t most) {
  const double first = std::ceil(std::log2(range.low) - 1e-6),
               last = std::floor(std::log2(range.high) + 1e-6);
  if (!(last > first)) return nice_ticks(range, most);
  const double stride = std::max(1.0, std::ceil((last - first) / static_cast<double>(most)));
  std::vector<double> ticks;
  for (double power = first; power <= last; power += stride) ticks.push_back(std::exp2(power));
  return ticks;
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
  std::vector<std::string> labels;
  if (!std::all_of(ticks.begin(), ticks.end(), reads_plainly)) {
    for (const double tick : ticks) labels.push_back(tick == 0 ? "0" : short_number(tick));
    return labels;
  }
  const auto is_whole_at = [&](int decimals) {
    const double scale = std::pow(10, decimals);
    return std::all_of(ticks.begin(), ticks.end(), [&](double tick) {
      return std::abs(tick * scale - std::round(tick * scale)) < 1e-6 * std::max(1.0, std::abs(tick * scale));
    });
  };
  int decimals = 0;
  while (decimals < 5 && !is_whole_at(decimals)) ++decimals;
  for (const double tick : ticks) labels.push_back(fixed(tick, decimals));
  return labels;
}

}  // namespace locus
