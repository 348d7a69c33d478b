// What chapter 3 asks for that src/ does not have: numbers counted by hand, one function from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 3.4, by_hand.cpp: four order-blind ceilings, for the bags {A, B, 3}, {1, 2, 3}, {1, 1, 2} and {a, b, b}.
std::vector<double> ceilings_by_hand();

// Step 3.5, ceiling_of_bag.cpp: the order-blind ceiling of one bag of tokens, exactly. All different orders of the bag
// are equally likely. `solve` gives the right answer to an order: a label for each of its tokens, or one
// label for the whole. The tokens of `bag` come in any order, and some may be equal. A model without order knows
// the bag, and, where it labels tokens, the token that it labels. The ceiling is the best share of right labels that it can reach.
using Bag = std::vector<int>;
using Solve = std::function<std::vector<int>(const std::vector<int>& order)>;
double ceiling_of_bag(const Bag& bag, const Solve& solve);

// Step 3.7, golden_trace.cpp: a test of a whole training. The smallest model there is: V logits, the same for every
// row, and nothing else. Step by step (t = 1, 2 ...) with the next batch of targets, a training
//   1. computes the loss: the mean, over the targets of the batch that are not -1, of -log softmax(logits)[target];
//   2. computes g, the gradient of that loss by the logits;
//   3. m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2, element by element; m and v start at 0;
//   4. logits = logits - rate * decay * logits - rate * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon),
//      with the logits from before the step on the right side, and the rate of this step.
struct Plan {
  std::vector<double> logits;             // V of them, at the start
  std::vector<std::vector<int>> targets;  // of each step: 0 to V - 1, or -1: not scored
  std::vector<double> rates;              // of each step
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0.01;
};
struct Moment {
  double loss;                 // computed before the update
  std::vector<double> logits;  // after the update
};
using Training = std::function<std::vector<Moment>(const Plan&)>;  // a Moment for each step

// True if `training` gives, for the plans that you try, the losses and logits that it should. You choose the plans,
// with any numbers in them. Differences below 1e-4 are rounding.
bool golden_trace(const Training& training);

}  // namespace locus
