// The score of rope by distance, with one turn.
#include <cmath>

#include "base/error.h"
#include "lessons/10_rope/contract.h"

namespace locus {

// exercise 10.7: turned_score(), from blank: contract.h says what it must do
// end

}  // namespace locus
