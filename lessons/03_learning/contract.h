// What chapter 3 asks for that src/ does not have: numbers counted by hand, one function from blank, and one
// test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 3.4, by_hand.cpp: the order-blind ceilings of four tasks, each for one bag of three tokens.
std::vector<double> ceilings_by_hand();

// Step 3.5, ceiling_of_bag.cpp: the order-blind ceiling of one bag of tokens, exactly: the best share of
// right labels that a model without order can reach, when all different orders of the bag are equally likely.
// `solve` gives the right labels of an order: one for each of its tokens, or a single one for all of it. The
// model knows the bag and, if each token gets a label, which token it labels. The tokens of `bag` come in any
// order, and some may be equal; there are at least two.
using Bag = std::vector<int>;
using Solve = std::function<std::vector<int>(const std::vector<int>& order)>;
double ceiling_of_bag(const Bag& bag, const Solve& solve);

// Step 3.7, golden_trace.cpp: a test of a whole training. Its model is the smallest there is: V logits, which
// are the parameters themselves, and the same for every target. In each training step, with the next batch of
// targets, it
//   1. computes the loss: the mean of the cross-entropies of the targets of the batch that are not -1;
//   2. computes the gradient of that loss by the logits;
//   3. takes the step of AdamW that the chapter's text defines, from the logits before this training step, with the
//      rate of this training step. t is 1 in the first (the framework's `step` is t - 1).
// The gradient is not clipped.
struct Plan {
  std::vector<double> logits;             // V of them, at the start
  std::vector<std::vector<int>> targets;  // of each training step: 0 to V - 1, or -1: not scored
  std::vector<double> rates;              // of each training step
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01;
};
struct Moment {
  double loss;                 // computed before the update
  std::vector<double> logits;  // after the update
};
using Training = std::function<std::vector<Moment>(const Plan&)>;  // one for each step

// True if the losses and logits of `training` are right for the plans that you try. You choose the plans and
// the numbers in them, and compute what is right yourself, by the formulas of the text. Each batch needs at least one
// target that is scored (not -1: the mean of no losses is 0 / 0). Differences below 1e-4 are rounding.
bool golden_trace(const Training& training);

}  // namespace locus
