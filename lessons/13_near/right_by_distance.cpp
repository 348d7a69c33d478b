// The share of a model's right answers on `mirror`, by the distance of the pair.
#include "base/error.h"
#include "lessons/13_near/contract.h"

namespace locus {

// exercise 13.5: right_by_distance(), from blank: contract.h says what it must do
// end

}  // namespace locus
