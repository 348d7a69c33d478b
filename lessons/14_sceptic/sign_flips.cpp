// The p value of paired differences in the sign-flip test.
#include <cmath>

#include "base/error.h"
#include "lessons/14_sceptic/contract.h"

namespace locus {

// exercise 14.6: sign_flip_p(), from blank: contract.h says what it must do
// end

}  // namespace locus
