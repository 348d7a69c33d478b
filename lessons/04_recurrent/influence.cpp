// How much each token still counts in the last state of a network with a single number as its state.
#include <cmath>

#include "base/error.h"
#include "lessons/04_recurrent/contract.h"

namespace locus {

// exercise 4.4: influence(), from blank: contract.h says what it must do
// end

}  // namespace locus
