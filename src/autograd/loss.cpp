// Cross-entropy: -log of the probability that the model gives to each right answer.
#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/size.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {
const Op op_cross_entropy{"cross_entropy"};
}

Tensor cross_entropy(Tensor logits, std::span<const int> targets, Real divisor) {
  const int V = logits.shape().last(), rows = logits.shape().rows();
  if (targets.size() != as_size(rows))
    fail("cross_entropy",
         str(targets.size(), " targets for logits ", logits.shape(), ", which have ", rows, " rows"));
  Tape& tape = logits.tape();
  Tensor loss = tape.result({}, {logits});
  Real* probabilities = tape.arena().allocate<Real>(logits.count());
  int* target = tape.arena().allocate<int>(targets.size());
  std::copy(targets.begin(), targets.end(), target);
  auto* sums = tape.arena().allocate<SoftmaxSum>(targets.size());
  softmax(logits.value(), rows, V, false, probabilities, sums);
  Real total = 0;
  for (int row = 0; row < rows; ++row) {
    if (target[row] == not_scored) continue;
    if (target[row] < 0 || target[row] >= V)
      fail("cross_entropy", str("target ", target[row], " is outside the ", V, " classes"));
    const Real log_sum = sums[row].largest + in_double(std::log, sums[row].sum);
    total += log_sum - logits.value()[std::ptrdiff_t{row} * V + target[row]];
  }
  *loss.value() = total / divisor;
  tape.record(op_cross_entropy, loss, [=] {
    // exercise 3.1: what each scored row adds to the gradient of its V logits
    // (probabilities and logits.gradient() hold rows of V numbers; `factor`, the same for all of them: the gradient of
    // the loss, *loss.gradient(), divided by `divisor`)

    // The gradient of each row is (probabilities - one-hot target).
    const Real factor = *loss.gradient() / divisor;
    for (int row = 0; row < rows; ++row) {
      if (target[row] == not_scored) continue;
      const Real* p = probabilities + std::ptrdiff_t{row} * V;
      Real* d = logits.gradient() + std::ptrdiff_t{row} * V;
      for (int v = 0; v < V; ++v) d[v] += factor * (p[v] - (v == target[row] ? 1 : 0));
    }
    // end
  });
  return loss;
}

}  // namespace locus
