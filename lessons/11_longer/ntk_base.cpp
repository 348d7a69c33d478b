// NTK-aware as a change of the base.
#include <cmath>

#include "base/error.h"
#include "lessons/11_longer/contract.h"

namespace locus {

// exercise 11.3: ntk_base(), from blank: contract.h says what it must do
// end

}  // namespace locus
