#include "lessons/tools/claims.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "lessons/tools/compare.h"
#include "model/transformer.h"

namespace locus {

namespace {

constexpr int T = 12, vocabulary = 10;

// How far 20 shuffles of random inputs move the logits of a random model, beyond moving them along with the
// tokens.
double change_when_shuffled(ModelKind kind) {
  const Transformer model({.kind = kind, .scheme = "none", .d_ff = 128}, {.vocabulary = vocabulary});
  const Reals parameters = model.parameters().sample(1);
  Tape tape(parameters.data());
  Random random(1, Purpose::testing);
  const auto logits = [&](const std::vector<int>& tokens) {
    tape.reset();
    return copy(model.logits(tape, {tokens, T, count_up(tape, T)})).values;
  };
  double largest = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<int> tokens(T), shuffled(T);
    std::vector<std::size_t> order(T);
    for (int& token : tokens) token = random.below(vocabulary);
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(std::span(order));
    for (std::size_t t = 0; t < T; ++t) shuffled[t] = tokens[order[t]];
    const std::vector<double> before = logits(tokens), after = logits(shuffled);
    std::vector<double> moved(before.size());
    for (std::size_t i = 0; i < moved.size(); ++i)
      moved[i] = before[order[i / vocabulary] * vocabulary + i % vocabulary];
    largest = std::max(largest, largest_difference(after, moved));
  }
  return largest;
}

const Settles row_1(1,
                    "holds if there is no causal mask: the mask alone tells a token how many came before it",
                    [] {
                      const double encoder = change_when_shuffled(ModelKind::encoder),
                                   decoder = change_when_shuffled(ModelKind::decoder);
                      return Evidence{encoder < 1e-4 && decoder > 0.1,
                                      str("20 shuffles move an encoder's logits by ",
                                          encoder < 1e-4 ? "less than 1e-4" : short_number(encoder),
                                          ", a decoder's by up to ", fixed(decoder, 2))};
                    });

}  // namespace

}  // namespace locus
