// What a learner's ops make of known numbers: their value, and the gradients of parameters.
#pragma once

#include <functional>
#include <vector>

#include "lessons/tools/compare.h"

namespace locus {

// Ops on a tape. All memory they are given holds NaN, before and behind the parameters as well, so that what was never
// written and what is not theirs show.
using Ops = std::function<Tensor(Tape&)>;
Array value_of(const Ops& ops, const Reals& parameters = {});

// Runs backward from the result of the ops, whose gradient is `given`. The gradients of all parameters, which held
// `before`, and hold it still if the result depends on no parameter. compare() says when memory around them was
// written.
std::vector<double> gradients_of(const Ops& ops, const Reals& parameters, const std::vector<double>& before,
                                 const std::vector<double>& given);

// Runs the backward of the op that the tape recorded last, and no other, when the gradient of its result is `given`.
void run_last_backward(Tape&, const Reals& given);

Tensor constant(Tape&, const Array&);

}  // namespace locus
