#include "report/sparkline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace locus {

namespace {

// At the last probe up to this step; before the first one, at that.
double accuracy_at(const Curve& curve, double step) {
  double accuracy = curve.accuracy.front();
  for (std::size_t i = 0; i < curve.step.size() && curve.step[i] <= step; ++i) accuracy = curve.accuracy[i];
  return accuracy;
}

}  // namespace

std::string sparkline(std::span<const double> values) {
  constexpr std::array<const char*, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const double value : values)
    line += bars[static_cast<std::size_t>(std::lround(std::clamp(value, 0.0, 1.0) * (bars.size() - 1)))];
  return line;
}

std::vector<double> mean_accuracy(const std::vector<const Curve*>& curves, int last_step,
                                  std::size_t points) {
  std::vector<const Curve*> probed;
  for (const Curve* curve : curves)
    if (!curve->step.empty()) probed.push_back(curve);
  std::vector<double> means(probed.empty() ? 0 : points);
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (const Curve* curve : probed)
      means[i] += accuracy_at(*curve, last_step * static_cast<double>(i + 1) / static_cast<double>(points));
    means[i] /= static_cast<double>(probed.size());
  }
  return means;
}

}  // namespace locus
