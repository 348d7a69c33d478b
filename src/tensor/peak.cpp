#include "tensor/peak.h"

#include <algorithm>

#include "base/machine.h"
#include "tensor/register.h"

namespace locus {

double measure_peak_gflops(double seconds) {
  constexpr int chains = 12, rounds = 100000;  // enough independent chains to hide the latency of each
  Register sums[chains];
  for (int c = 0; c < chains; ++c) sums[c] = splat(static_cast<Real>(c));
  // Read at run time: a compiler that knows these numbers leaves out every chain it can foresee, such as the
  // one that starts at 1 and stays there, and the peak would seem higher than it is.
  volatile Real opaque_factor = static_cast<Real>(0.999), opaque_term = static_cast<Real>(0.001);
  const Register factor = splat(opaque_factor), term = splat(opaque_term);
  double best = 0;
  for (int attempt = 0; attempt < 5; ++attempt) {
    double operations = 0, elapsed = 0;
    const double start = clock_seconds();
    do {
      for (int round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
        for (int c = 0; c < chains; ++c) sums[c] = fma(sums[c], factor, term);
      }
      operations += 2.0 * register_lanes * chains * rounds;
      elapsed = clock_seconds() - start;
    } while (elapsed < seconds);
    best = std::max(best, operations / elapsed / 1e9);
  }
  Register total = {};
  for (const Register& sum : sums) total += sum;
  volatile Real keep = total[0];  // so that the work cannot be left out
  static_cast<void>(keep);
  return best;
}

}  // namespace locus
