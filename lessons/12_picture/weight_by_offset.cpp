// The mean weight by offset.
#include "base/error.h"
#include "lessons/12_picture/contract.h"

namespace locus {

// exercise 12.5: weight_by_offset(), from blank: contract.h says what it must do
// end

}  // namespace locus
