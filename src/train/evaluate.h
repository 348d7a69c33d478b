// The accuracy of a model on a set of examples.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/pool.h"
#include "model/model.h"
#include "train/batch.h"

namespace locus {

// In place of a token, where a logit is NaN or infinite: what such a model prefers is not an answer, and not right.
inline constexpr int no_answer = -2;
inline constexpr const char* computes_no_number = "the model computes NaN or infinity";

// The token with the largest of `count` logits; no_answer when one is not a finite number.
int most_likely_token(const Real* logits, int count);

struct Counts {
  std::int64_t answers = 0, right = 0;  // scored answers, of a generated one without its END
  std::int64_t exact = 0;               // examples with every answer right, END as well
  std::int64_t unanswered = 0;          // scored answers that are no_answer
  void operator+=(const Counts& more) {
    answers += more.answers;
    right += more.right;
    exact += more.exact;
    unanswered += more.unanswered;
  }
};

// The streams from which schemes draw positions in a test: one for every 16 examples, so that a score is a
// mean over many draws. `seed` is the run's; `of` tells the tests of a run apart, as by length or step.
struct Draws {
  std::uint64_t seed;
  Purpose purpose;
  int of;
  Random at(std::size_t example) const;  // its number among the examples of the test
};
inline constexpr std::size_t examples_per_draw = 16;  // as many as a slice of a default training batch

// The inputs of a model in a test.
Inputs inputs_at_test(Tape& tape, std::span<const int> tokens, int length,
                      const Random& positions = Random(0, Purpose::test_positions));

// `answers` holds a token for each of batch.targets; answers whose target is not_scored are not counted, and `end`
// (Batcher::end) counts for exact match alone.
Counts count_right(const Batch& batch, std::span<const int> answers, int end);

// For a text: -ln of the probability that the model gives to the right token, in nats per scored token. A test window
// begins every half window (tasks/support/text_task.h), so the two readings of a text in windows are both here.
struct TextLoss {
  double loss = 0;     // every token of each window: the first ones have little context
  double sliding = 0;  // only the second half of each: every token once, with half a window or more before it
  std::vector<double> by_position{};  // means of pieces of the window (text_pieces)
};

struct Score {
  double token_accuracy = 0;  // fraction of scored answers that are right; END is not one
  double exact_match =
      0;  // fraction of examples with every answer right; a generated one ends where it should
  int examples = 0;
  std::int64_t unanswered = 0;     // scored answers where the model computes no number; they count as wrong
  std::optional<TextLoss> text{};  // of a text whose loss is a number

  // The accuracy that counts: an answer that is generated is right as a whole or wrong.
  double accuracy(bool generated) const { return generated ? exact_match : token_accuracy; }
};

// -ln of the probability of each target: of those not scored, 0.
std::vector<double> surprisals(const Real* logits, int vocabulary, std::span<const int> targets);

// All inputs must have the same length. The score of an example does not depend on the others.
//
// A model that generates is scored by what generate() says: token accuracy compares it with the target position by
// position. A token that is missing is wrong; what follows the last token of the target shows in exact match alone.
Score evaluate(const Model& model, const Real* parameters, const Batcher& batcher,
               std::span<const Example> examples, const Draws& draws, Pool& pool);

// The approximate memory of evaluate(), in bytes, when the model reads `model_length` tokens per input.
double evaluation_bytes(const Model& model, int model_length, int threads);

// The most likely token at each position, of a model that does not generate.
Tokens answer_of(const Model& model, const Real* parameters, const Tokens& input);

// Continues BOS x SEP greedily until EOS, no_answer, or `most` tokens. For each token the model reads the tokens that
// are there by then, no padding; schemes that draw positions draw from the same stream each time. `read` is
// called with the logits of each pass.
Tokens generate(const Model& model, const Real* parameters, const Batcher& batcher, const Tokens& input,
                int most, const Random& positions = Random(0, Purpose::test_positions),
                const std::function<void(Tensor logits)>& read = {});

}  // namespace locus
