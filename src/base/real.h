// The number type of the whole library: float to train with, double to check gradients with (-DLOCUS_DOUBLE).
#pragma once

namespace locus {

#ifdef LOCUS_DOUBLE
using Real = double;
#else
using Real = float;
#endif

}  // namespace locus
