// NTK-aware as a change of the base.
#include <cmath>

#include "lessons/11_longer/contract.h"

namespace locus {

// exercise 11.3: ntk_base(), from blank: contract.h says what it must do
double ntk_base(double base, int d, double factor) { return base * std::pow(factor, d / (d - 2.0)); }
// end

}  // namespace locus
