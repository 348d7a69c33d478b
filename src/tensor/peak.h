// What this processor could do at best, for comparison.
#pragma once

namespace locus {

// Billions of floating-point operations a second of one thread that does nothing but fused multiply-adds in
// registers (each counts as two), the best of a few tries of `seconds` each.
double measure_peak_gflops(double seconds = 0.004);

}  // namespace locus
