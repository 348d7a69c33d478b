#include "positional/support/added_scores.h"

#include <algorithm>

#include "autograd/ops.h"
#include "base/size.h"

namespace locus {

namespace {

Reals random_values(Random& random, Shape shape) {
  Reals values(shape.count());
  for (Real& value : values) value = static_cast<Real>(random.normal());
  return values;
}

}  // namespace

std::vector<double> added_scores(const Scheme& scheme, const SchemeContext& context, const Real* parameters,
                                 int length, int layer) {
  const Shape stream{1, length, context.d_model}, heads{1, context.heads, length, context.d_head()},
      pairs{1, context.heads, length, length};
  const std::vector<int> tokens(as_size(length), 0);
  std::vector<double> from_0;
  for (int t = 0; t < length; ++t) from_0.push_back(t);
  const Inputs read{tokens, length, {1, length, from_0.data()}};
  const Reals zeros(pairs.count(), 0);
  Random random(1, Purpose::test_data);
  Tape tape(parameters);
  std::vector<double> added;
  for (int content = 0; content < 2; ++content) {  // if another is added to the second, the tokens matter
    tape.reset();
    const Positions positions = scheme.positions(tape, read);
    const Reals x = random_values(random, stream), q = random_values(random, heads),
                k = random_values(random, heads);
    const AttentionInputs inputs{tape.constant(stream, x.data()), tape.constant(heads, q.data()),
                                 tape.constant(heads, k.data()), positions, layer};
    const Tensor scores = scheme.scores(tape.constant(pairs, zeros.data()), inputs);
    const std::vector<double> values(scores.value(), scores.value() + scores.count());
    if (content > 0 && values != added) return {};
    added = values;
  }
  const bool any = std::ranges::any_of(added, [](double value) { return value != 0; });
  return any ? added : std::vector<double>{};
}

}  // namespace locus
