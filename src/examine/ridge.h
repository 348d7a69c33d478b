// Ridge regression: the linear map y = a + w . x that fits samples best, with large weights penalised. Computed from
// sums over the samples, in double, so that no sample need be kept.
#pragma once

#include <span>
#include <vector>

#include "base/real.h"
#include "base/size.h"

namespace locus {

// The sums of all products of two entries of v = (1, x, y), over samples of F features x and K targets y.
class Moments {
 public:
  Moments(int features, int targets);
  void add(std::span<const Real> x, std::span<const double> y);

  int features() const { return features_; }
  int targets() const { return size_ - features_ - 1; }
  int size() const { return size_; }          // of v
  double count() const { return sum(0, 0); }  // of the samples
  double sum(int i, int j) const { return i < j ? sums_[at(j, i)] : sums_[at(i, j)]; }
  double mean(int i) const { return sum(0, i) / count(); }
  double covariance(int i, int j) const { return sum(i, j) / count() - mean(i) * mean(j); }

 private:
  std::size_t at(int i, int j) const { return as_size(i) * as_size(size_) + as_size(j); }
  int features_, size_;
  std::vector<double> sums_;  // those with j <= i
  std::vector<double> sample_;
};

// y = intercept + weights . x, for one target.
struct LinearMap {
  double intercept;
  std::vector<double> weights;
};

// For each target the map with the least  mean of (y - a - w . x)^2 + penalty * sum_j variance(x_j) w_j^2. The penalty
// does not depend on the units of x, and leaves the intercept free. A feature that is constant, but for rounding, gets
// the weight 0.
std::vector<LinearMap> ridge(const Moments& fitted, double penalty);

// R^2 of each map on these samples: 1 - sum of (y - a - w . x)^2 / sum of (y - mean of y)^2. 1: every target is hit. 0:
// no better than saying the mean each time; it can be below. NaN where the target is constant.
std::vector<double> r_squared(const std::vector<LinearMap>& maps, const Moments& samples);

}  // namespace locus
