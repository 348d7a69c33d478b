// The ceilings of a toy task: what a model can reach at most that does not see order, or not its direction.
//
// The order-blind ceiling: the best expected token accuracy of any encoder that sees each token
// and the bag of all tokens, but not their order.
//
// Such a model gives every copy of a token the same answer in every arrangement. The best that it can do with
// a bag of T tokens is to give, for each token value v, the answer that is right most often over the
// arrangements, each as likely as the toy's draw makes it (for most toys, all are equally likely):
//
//   ceiling(bag) = 1/T  sum_v  max_y  E[number of positions that hold v and are labelled y]  (labelling)
//   ceiling(bag) =      max_y  P(y)                                                          (classification)
//
// and the ceiling is its mean over the bags.
//
// The mirror-blind ceiling: the same of any encoder that cannot tell an input x from its mirror image x'. It gives
// token i of x and token T-1-i of x' the same answer. As both have the same tokens, both are equally likely, so
// where their labels differ the best answer is right in one of the two:
//
//   ceiling(x) = 1/T  sum_i  (1 if y_i = y'_(T-1-i), else 1/2)    (labelling)
//   ceiling(x) =              1 if y = y', else 1/2               (classification)
//   ceiling(x) = 1, if x' is not an input of the task
//
// and the ceiling is its mean over the inputs.
#pragma once

#include "tasks/support/toy.h"

namespace locus {

// Samples the bags. The arrangements of a bag are all counted when any order is an input and there are at
// most 5040 of them; otherwise they are sampled.
Estimate order_blind_ceiling(const Toy&, int length);

// Samples the inputs.
Estimate mirror_blind_ceiling(const Toy&, int length);

}  // namespace locus
