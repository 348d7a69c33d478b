// Two tasks: which digit is the mark's partner, the nearest or the farthest?
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "base/error.h"
#include "lessons/13_near/contract.h"

namespace locus {

// exercise 13.1: accepts_chain(), from blank: contract.h says what it must do
// end

// exercise 13.2: draw_chain(), from blank: contract.h says what it must do
// end

// exercise 13.3: partner(), from blank: contract.h says what it must do
// end

}  // namespace locus
