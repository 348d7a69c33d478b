#include "examine/shuffled_context.h"

#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "base/size.h"

namespace locus {

namespace {

double loss_with(const Run& run, const Real* parameters, int length, int in_order, Pool& pool) {
  const std::span<const Example> windows = run.task().test_set(length, run.settings().test_examples);
  const Draws draws = run.draws_at(length);
  const std::size_t parts = (windows.size() + examples_per_draw - 1) / examples_per_draw;
  std::vector<double> nats(parts);  // added in their order, whichever thread read which
  pool.run(static_cast<int>(parts), [&](int part) {
    const std::size_t first = as_size(part) * examples_per_draw;
    const std::size_t end = std::min(first + examples_per_draw, windows.size());
    Tokens tokens;
    std::vector<int> targets;
    for (std::size_t i = first; i < end; ++i) {
      Tokens window = windows[i].input;
      Random order(0, Purpose::shuffled_context, i);  // the same for every model
      order.shuffle(std::span(window).first(as_size(length - in_order)));
      tokens.insert(tokens.end(), window.begin(), window.end());
      targets.insert(targets.end(), window.size() - 1, not_scored);
      targets.push_back(windows[i].target.back());
    }
    Tape tape(parameters);
    const Tensor logits = run.model().logits(tape, inputs_at_test(tape, tokens, length, draws.at(first)));
    for (const double one : surprisals(logits.value(), logits.shape().last(), targets))
      nats[as_size(part)] += one;
  });
  double sum = 0;
  for (const double part : nats) sum += part;
  if (!std::isfinite(sum))
    fail("eval", str(computes_no_number, " for windows of ", length, " tokens"),
         "train again with a smaller --lr");
  return sum / static_cast<double>(windows.size());
}

}  // namespace

std::vector<ShuffledContext> shuffled_contexts(const Run& run, const Real* parameters, int length,
                                               Pool& pool) {
  if (!run.batcher().continues())
    fail_usage("eval", "--shuffle-context asks a model that predicts the next token of a text",
               "train with --dataset FILE.txt --model decoder");
  std::vector<int> kept = {0};
  for (int in_order = 1; in_order < length; in_order *= 2) kept.push_back(in_order);
  kept.push_back(length);
  std::vector<ShuffledContext> all;
  for (const int in_order : kept)
    all.push_back({in_order, loss_with(run, parameters, length, in_order, pool)});
  return all;
}

}  // namespace locus
