// The influence of each token on the last state of a network whose tokens and states are single numbers.
#include <cmath>

#include "base/error.h"
#include "lessons/04_recurrent/contract.h"

namespace locus {

// exercise 4.4: influence(), from blank: contract.h says what it must do
// end

}  // namespace locus
