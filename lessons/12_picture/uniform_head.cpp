// A test of a uniform head. The check of chapter 12 judges it: it must pass heads that are uniform, and fail each other.
#include <cmath>

#include "base/error.h"
#include "lessons/12_picture/contract.h"

namespace locus {

bool uniform_head(const MapOf& map_of, bool causal) {
  // exercise 12.6: true if every query gives equal weight to the keys it sees; contract.h says how map_of is called
  fail("exercise 12.6", "still to be written");
  // end
}

}  // namespace locus
