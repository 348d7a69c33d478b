// The accuracy of a model on a set of examples.
#pragma once

#include <span>

#include "base/pool.h"
#include "model/model.h"
#include "train/batch.h"

namespace locus {

struct Counts {
  int answers = 0, right = 0;  // scored answers
  int exact = 0;               // examples with every answer right
  void operator+=(const Counts& more) {
    answers += more.answers;
    right += more.right;
    exact += more.exact;
  }
};

// The inputs of a model in a test. Schemes that draw positions draw the same ones for all inputs of a length.
Inputs inputs_at_test(Tape& tape, std::span<const int> tokens, int length);

// `answers` holds a token for each of batch.targets; answers whose target is not_scored are not counted.
Counts count_right(const Batch& batch, std::span<const int> answers);

struct Score {
  double token_accuracy = 0;  // fraction of scored answers that are right
  double exact_match = 0;     // fraction of examples with every answer right
  int examples = 0;

  // The accuracy that counts: an answer that is generated is right as a whole or wrong.
  double accuracy(bool generated) const { return generated ? exact_match : token_accuracy; }
};

// All inputs must have the same length. A decoder is given the right answer so far at each position (teacher
// forcing). Its exact match equals that of free generation: both are right up to the same first mistake.
Score evaluate(const Model& model, const Real* parameters, const Batcher& batcher,
               std::span<const Example> examples, Pool& pool);

// The approximate memory of evaluate(), in bytes, when the model reads `model_length` tokens per input.
double evaluation_bytes(const Model& model, int model_length, int threads);

// The most likely token at each position, of a model that does not generate.
Tokens answer_of(const Model& model, const Real* parameters, const Tokens& input);

// Continues BOS x SEP greedily until EOS, or `most` tokens.
Tokens generate(const Model& model, const Real* parameters, const Batcher& batcher, const Tokens& input,
                int most);

}  // namespace locus
