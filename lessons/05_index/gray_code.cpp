// A binary code in which neighbours differ in one bit only (Gray 1953).
#include "base/error.h"
#include "lessons/05_index/contract.h"

namespace locus {

// exercise 5.9: gray_code(), from blank: contract.h says what it must do
// end

}  // namespace locus
