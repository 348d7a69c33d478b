// The score of a query and a key in four parts: what words and positions contribute.
#include "base/error.h"
#include "lessons/07_table/contract.h"

namespace locus {

// exercise 7.6: four_parts(), from blank: contract.h says what it must do
// end

}  // namespace locus
