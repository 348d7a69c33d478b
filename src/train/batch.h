// The batcher turns examples into batches: the tokens that a model reads, and the targets of its answers.
//
//   an encoder reads x, and answers once per token; once per input in classification
//   a decoder reads BOS x SEP y, and predicts the next token: y0 at SEP, ..., EOS at the last token of y. What it
//   predicts at BOS and x is not scored
//
// A window x of a text, followed by the token n:
//
//   an encoder reads x with one token in about seven replaced by <mask>, and answers what these were
//   a decoder reads x, and predicts at each token the next: x1 at x0, ..., n at the last
//
// Which tokens are hidden follows from x alone, so it is the same for every scheme, seed and thread.
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

inline constexpr double hidden_share = 0.15;  // of the tokens of a text that an encoder reads
inline constexpr int marks = 3;               // BOS, SEP and EOS, the last tokens of the vocabulary
inline bool generates(ModelKind kind, Form form) {
  return form != Form::text && (kind == ModelKind::decoder || form == Form::generation);
}

class Batcher {
 public:
  // Throws UsageError for an encoder on a generation task. The task must outlive the batcher.
  Batcher(const Task& task, ModelKind kind);

  bool generates() const { return generates_; }  // reads BOS x SEP y, like a decoder
  bool continues() const { return continues_; }  // reads a text, and predicts its next token
  bool hides() const { return hides_; }          // reads a text with hidden tokens
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

  Tokens prompt(const Tokens& input) const;  // BOS x SEP, for generation; of a text x
  int end() const { return generates_ ? vocabulary() - 1 : no_end; }  // EOS; a text has no end

 private:
  static constexpr int no_end = -1;
  void hide(const Tokens& window, Batch& batch) const;

  const Task* task_;
  bool generates_, continues_, hides_;
  bool pooled_;
  std::vector<std::string> names_;
};

}  // namespace locus
