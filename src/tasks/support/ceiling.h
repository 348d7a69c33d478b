// The order-blind ceiling of a toy task: the best expected token accuracy of any encoder that sees each token
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
#pragma once

#include "tasks/support/toy.h"

namespace locus {

// Samples the bags. The arrangements of a bag are all counted when any order is an input and there are at
// most 5040 of them; otherwise they are sampled.
Estimate order_blind_ceiling(const Toy&, int length);

}  // namespace locus
