// The batcher turns examples into batches: the tokens that a model reads, and the targets of its answers.
//
//   an encoder reads x, and answers once per token; once per input in classification
//   a decoder reads BOS x SEP y, and predicts the next token: y0 at SEP, ..., EOS at the last token of y. What it
//   predicts at BOS and x is not scored
//
// A recurrent model reads and answers like a decoder in generation tasks, and like an encoder in all others.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "tasks/task.h"

namespace locus {

struct Batch {
  int examples = 0;
  int length = 0;            // tokens the model reads per example
  std::vector<int> tokens;   // examples * length
  std::vector<int> targets;  // one per answer of the model, or not_scored
  int answers() const { return static_cast<int>(targets.size()) / examples; }  // per example
};

inline constexpr int marks = 3;  // BOS, SEP and EOS, the last tokens of the vocabulary
inline bool generates(ModelKind kind, Form form) {
  return kind == ModelKind::decoder || form == Form::generation;
}

class Batcher {
 public:
  // Throws UsageError for an encoder on a generation task. The task must outlive the batcher.
  Batcher(const Task& task, ModelKind kind);

  bool generates() const { return generates_; }  // reads BOS x SEP y, like a decoder
  int vocabulary() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }  // the task's alphabet, then BOS, SEP, EOS
  bool pooled() const { return pooled_; }
  const Task& task() const { return *task_; }
  TaskShape task_shape() const;              // what the model needs to know
  int model_length(int input_length) const;  // the most tokens that are read for an input of this length

  // Where the model reads the token at which its answer begins: SEP, when it generates.
  int first_answer(int input_length) const { return generates_ ? input_length + 1 : 0; }

  // All inputs must have the same length. Targets to generate may differ in length: shorter ones are padded
  // on the right, which a causal model cannot see, and the padding is not scored.
  Batch batch(std::span<const Example> examples) const;

  Tokens prompt(const Tokens& input) const;  // BOS x SEP, for generation
  int end() const { return vocabulary() - 1; }

 private:
  const Task* task_;
  bool generates_;
  bool pooled_;
  std::vector<std::string> names_;
};

}  // namespace locus
