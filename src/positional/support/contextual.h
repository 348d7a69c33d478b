// Ops of one decoder scheme each (CoPE, stick-breaking, PaTH), for which a distance depends on the tokens between key
// and query. They follow the rules of autograd/ops.h. All except interpolate give 0 for keys after the query.
#pragma once

#include "autograd/ops.h"

namespace locus {

// y_ij = x_ij + ... + x_ii: from key j to the query, both included. x (...,T,T)
Tensor reverse_cumsum(Tensor x);

// The value of a table (...,N) between its entries: at place 1.25, three quarters of entry 1 and a quarter of
// entry 2; below 0 and above N-1 the nearest entry. place (...,M) -> (...,M)
Tensor interpolate(Tensor table, Tensor place);

// Weights instead of a softmax: going back from the query, each key takes its part of what is left of 1.
//   w_ij = sigmoid(x_ij) times the product of (1 - sigmoid(x_ik)) over the keys k between j and i
// A query sees its own key, k = i, only if `current`. With `remainder`, what all keys leave of 1 is added to the
// query's own weight. x (...,T,T)
Tensor stick_breaking(Tensor x, bool current, bool remainder = false);

// By how much the transforms H_s = I - beta_s w_s w_s^T of the tokens between key j and query i change the
// score:
//   k_j . H_{j+1} ... H_i q_i - k_j . q_i
// q, k, w (B,H,T,d), beta (B,H,T,1) -> (B,H,T,T)
Tensor path_scores(Tensor q, Tensor k, Tensor w, Tensor beta);

}  // namespace locus
