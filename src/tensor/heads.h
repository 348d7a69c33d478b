// The two orders in which the numbers of attention heads, (B,H,T,d), can lie in memory: by head, as their
// shape says, or by token, as in the (B,T,D) that they were cut from, where the H rows of a token lie side by
// side.
#pragma once

#include "base/real.h"
#include "tensor/shape.h"

namespace locus {

// From one order to the other; `accumulate` adds to what is there. heads is (B,H,T,d).
void order_by_head(const Shape& heads, const Real* by_token, Real* by_head, bool accumulate);
void order_by_token(const Shape& heads, const Real* by_head, Real* by_token, bool accumulate);

}  // namespace locus
