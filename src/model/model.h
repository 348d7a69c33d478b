// A model: token ids and their positions in, logits out. The four kinds:
//
//   encoder   a transformer in which every token sees every token; it answers once per token, or once for the
//             whole input (mean over time)
//   decoder   a transformer in which every token sees itself and those before it; it predicts the next one
//   rnn, gru  recurrent networks, which read one token after another and so need no positions. They answer as
//             encoders do, reading both ways; where a task asks for answers of any length, which no encoder
//             can give, they read left to right only and predict the next token, as decoders do
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/position_change.h"
#include "nn/parameters.h"
#include "positional/scheme.h"
#include "positional/support/spec.h"

namespace locus {

enum class ModelKind { encoder, decoder, rnn, gru };
inline constexpr ModelKind all_model_kinds[] = {ModelKind::encoder, ModelKind::decoder, ModelKind::rnn,
                                                ModelKind::gru};
inline bool is_recurrent(ModelKind kind) { return kind == ModelKind::rnn || kind == ModelKind::gru; }
std::string to_string(ModelKind);
ModelKind parse_model_kind(std::string_view name);  // unknown: UsageError

// What no input can show a model, whatever its parameters: left from right, or any order.
enum class Blindness { none, mirror, order };

// What a user chooses.
struct ModelSettings {
  ModelKind kind = ModelKind::encoder;
  Spec scheme = "none";
  int layers = 2, heads = 2, d_model = 32, d_ff = 0;  // heads and d_ff are of transformers only
  std::string score_scale = "none";                   // or "log" (attention.h); of transformers only
  std::string window_by_layer = "none";  // tokens seen on each side, "4 none" in turn; of transformers only
  bool qk_norm = false;                  // attention.h; of transformers only
  std::string mixer_by_layer =
      "attention";  // or "delta" (gated_delta.h), "delta attention" in turn; of decoders only
};

// What the task decides: the tokens, and how they are answered (Batcher::task_shape).
struct TaskShape {
  int vocabulary = 0;         // V
  bool pooled = false;        // one answer for the whole input (not in decoders)
  bool generates = false;     // the model predicts the next token, as decoders always do
  std::vector<int> digits{};  // the tokens that are digits; none named: all
};

// The windows that the layers have in turn, no_limit for none. Throws UsageError.
std::vector<int> windows_of(const ModelSettings& settings);

// Whether a layer has attention; if not, it has the gated delta rule (gated_delta.h). Throws UsageError.
bool has_attention(const ModelSettings& settings, int layer);

// Throws UsageError unless all sizes are positive and the width can be cut as the kind needs it.
void check(const ModelSettings& settings, const TaskShape& task);

class Model {
 public:
  virtual ~Model() = default;

  // (B,T,V), or (B,V) when pooled. The tape must have been made over this model's parameter vector.
  virtual Tensor logits(Tape& tape, const Inputs& inputs) const = 0;

  // Roughly how many numbers a forward and backward pass over one example keeps, to refuse what cannot fit.
  virtual double activations_per_example(int length) const = 0;

  virtual int capacity() const = 0;  // positions must lie in 0 .. capacity-1

  // For a model that predicts the next token: whether its logits at a token depend on the tokens up to there only,
  // to the last bit, and not on how many follow. It is a claim of its schemes.
  virtual bool causal_prefix() const { return true; }

  // How many tokens before it, and in an encoder after it, the logits at a token can depend on: what the windows of its
  // layers come to. no_limit: on all, also where an answer is the mean over them.
  virtual int receptive_field() const { return no_limit; }

  // A claim of its schemes, too.
  virtual Blindness blindness() const { return Blindness::none; }

  // From here on the scheme is told changed positions. Throws UsageError when it looks at none there.
  virtual void tell(const PositionChange& change);

  const ModelSettings& settings() const { return settings_; }
  const TaskShape& task_shape() const { return task_; }
  const ParameterTable& parameters() const { return parameters_; }

 protected:
  Model(const ModelSettings& settings, const TaskShape& task) : settings_(settings), task_(task) {
    check(settings, task);
  }

  ModelSettings settings_;
  TaskShape task_;
  ParameterTable parameters_;
};

// Throws UsageError when the settings make no sense together.
std::unique_ptr<Model> make_model(const ModelSettings& settings, const TaskShape& task);

// Floating-point operations of the matrix products of a forward pass over one example, scheme apart: a
// multiply-add counts as two.
double forward_operations(const ModelSettings& settings, const TaskShape& task, int length);

// 0, 1, ..., length-1 for every example; valid until the tape is reset.
Positions count_up(Tape& tape, int length);

}  // namespace locus
