#include "examine/ridge.h"

#include <cmath>
#include <limits>

#include "base/size.h"

namespace locus {

namespace {

// Solves A x = b in place for each b, A symmetric and positive definite, N by N: A = L L^T (Cholesky), then L z = b and
// L^T x = z.
void solve(std::vector<double>& A, std::vector<std::vector<double>>& b, std::size_t N) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = A[i * N + j];
      for (std::size_t k = 0; k < j; ++k) sum -= A[i * N + k] * A[j * N + k];
      A[i * N + j] = i == j ? std::sqrt(sum) : sum / A[j * N + j];
    }
  for (std::vector<double>& x : b) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= A[i * N + k] * x[k];
      x[i] /= A[i * N + i];
    }
    for (std::size_t i = N; i-- > 0;) {
      for (std::size_t k = i + 1; k < N; ++k) x[i] -= A[k * N + i] * x[k];
      x[i] /= A[i * N + i];
    }
  }
}

}  // namespace

Moments::Moments(int features, int targets)
    : features_(features), size_(1 + features + targets), sums_(as_size(size_) * as_size(size_)) {}

void Moments::add(std::span<const Real> x, std::span<const double> y) {
  sample_.assign(1, 1.0);
  sample_.insert(sample_.end(), x.begin(), x.end());
  sample_.insert(sample_.end(), y.begin(), y.end());
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    double* row = sums_.data() + i * sample_.size();
    for (std::size_t j = 0; j <= i; ++j) row[j] += sample_[i] * sample_[j];
  }
}

std::vector<LinearMap> ridge(const Moments& m, double penalty) {
  constexpr double rounding = 1e-12;  // of squares of floats: a smaller variance than that holds nothing
  std::vector<int> used;              // features that vary
  for (int i = 1; i <= m.features(); ++i)
    if (m.covariance(i, i) > rounding * m.sum(i, i) / m.count()) used.push_back(i);
  const std::size_t N = used.size();
  std::vector<double> deviation;
  for (const int i : used) deviation.push_back(std::sqrt(m.covariance(i, i)));

  // The normal equations of features scaled to variance 1: (C + penalty I) u = c, w = u / deviation.
  std::vector<double> C(N * N);
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j)
      C[i * N + j] = m.covariance(used[i], used[j]) / (deviation[i] * deviation[j]) + (i == j ? penalty : 0);
  std::vector<std::vector<double>> c;
  for (int target = m.features() + 1; target < m.size(); ++target) {
    std::vector<double>& one = c.emplace_back();
    for (std::size_t i = 0; i < N; ++i) one.push_back(m.covariance(used[i], target) / deviation[i]);
  }
  solve(C, c, N);

  std::vector<LinearMap> maps;
  for (int k = 0; k < m.targets(); ++k) {
    LinearMap map{m.mean(m.features() + 1 + k), std::vector<double>(as_size(m.features()))};
    for (std::size_t i = 0; i < N; ++i) {
      const double weight = c[as_size(k)][i] / deviation[i];
      map.weights[as_size(used[i] - 1)] = weight;
      map.intercept -= weight * m.mean(used[i]);
    }
    maps.push_back(map);
  }
  return maps;
}

std::vector<double> r_squared(const std::vector<LinearMap>& maps, const Moments& m) {
  std::vector<double> all;
  for (std::size_t k = 0; k < maps.size(); ++k) {
    const int target = m.features() + 1 + static_cast<int>(k);
    // The error y - a - w . x is linear in v = (1, x, y): e . v. So the sum of its squares is e^T S e.
    std::vector<double> e(as_size(m.size()));
    e[0] = -maps[k].intercept;
    for (std::size_t i = 0; i < maps[k].weights.size(); ++i) e[1 + i] = -maps[k].weights[i];
    e[as_size(target)] = 1;
    double squares = 0;
    for (int i = 0; i < m.size(); ++i)
      for (int j = 0; j < m.size(); ++j) squares += e[as_size(i)] * m.sum(i, j) * e[as_size(j)];
    const double total = m.covariance(target, target) * m.count();
    all.push_back(total > 0 ? 1 - squares / total : std::numeric_limits<double>::quiet_NaN());
  }
  return all;
}

}  // namespace locus
