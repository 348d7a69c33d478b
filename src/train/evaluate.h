// How well a model does on a set of examples.
#pragma once

#include <span>

#include "base/pool.h"
#include "model/model.h"
#include "train/batch.h"

namespace locus {

struct Counts {
  int answers = 0, right = 0;  // of what is scored
  int exact = 0;               // examples with every answer right
  void operator+=(const Counts& more) {
    answers += more.answers;
    right += more.right;
    exact += more.exact;
  }
};

// What a model is given at test. Schemes that draw positions draw the same ones for all inputs of a length.
Inputs inputs_at_test(Tape& tape, std::span<const int> tokens, int length);

// `answers` holds a token for each of batch.targets; those that are not scored count for nothing.
Counts count_right(const Batch& batch, std::span<const int> answers);

struct Score {
  double token_accuracy = 0;  // share of scored answers that are right
  double exact_match = 0;     // share of examples with every answer right
  int examples = 0;
};

// All inputs of one length. A decoder is shown the right answer so far at each place; its exact match equals
// that of free generation, since the first mistake of either is the first mistake of both.
Score evaluate(const Model& model, const Real* parameters, const Encoding& encoding,
               std::span<const Example> examples, Pool& pool);

// About how many bytes evaluate() takes, for inputs that make the model read `model_length` tokens.
double evaluation_bytes(const Model& model, int model_length, int threads);

// The likeliest token at each place, of a model that does not generate.
Tokens answer_of(const Model& model, const Real* parameters, const Tokens& input);

// Continues BOS x SEP greedily until EOS, or `most` tokens.
Tokens generate(const Model& model, const Real* parameters, const Encoding& encoding, const Tokens& input,
                int most);

}  // namespace locus
