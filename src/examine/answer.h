// What a trained model answers to one input, how sure it is of each token, and whether the answer is right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "train/run.h"

namespace locus {

struct AnswerToken {
  int token;
  double probability;  // the softmax of the logits, at this token
};

struct Answer {
  Tokens input;
  Tokens read;                      // what the model read: of a generated answer, BOS input SEP answer
  std::vector<AnswerToken> tokens;  // a generated answer ends in EOS, unless it grew longer than any target
  std::optional<Tokens> target;     // Task::target_of, with EOS where the answer is generated
  std::vector<Reals> logits;        // a row per token of `read`, or one row: classification
  bool no_number = false;           // a logit is NaN or infinite: there are no tokens

  // At each position whether the answer differs from the target: as many as the longer of the two. Empty
  // without a target.
  std::vector<bool> wrong() const;
  int wrong_count() const;
};

// How many tokens continue a text.
inline constexpr int continuation = 40;

// The most likely token at each position; or the continuation of BOS input SEP by the most likely token,
// until it is EOS. Schemes that draw positions draw them from `positions`. Throws UsageError when the model has
// no position for so many tokens, Error when they do not fit in memory.
Answer ask(const Run& run, const Real* parameters, const Tokens& input,
           const Random& positions = Random(0, Purpose::test_positions));

// "2 1 3": the tokens of the answer, without the EOS that ends a generated one.
std::string spell(const Answer& answer, const Run& run);

// "right", "wrong: 2 of 5 tokens", "the right answer is not known".
std::string verdict(const Answer& answer);

// "length 5 was never trained (trained at 12)"; "" when this length was trained.
std::string untrained_length(const Run& run, int length);

// As JSON: "input", "answer", "probabilities", "target" and "right" (null without a target), "wrong" (positions
// from 0), "warnings"; with the logits also "read" and "logits". NaN and infinity are null, and so is the answer then.
Json to_json(const Answer& answer, const Run& run, bool with_logits);

}  // namespace locus
