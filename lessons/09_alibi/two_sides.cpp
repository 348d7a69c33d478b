// A bias by which a model can tell left from right.
#include <cmath>

#include "base/error.h"
#include "lessons/09_alibi/contract.h"

namespace locus {

// exercise 9.7: two_sided_bias(), from blank: contract.h says what it must do
// end

}  // namespace locus
