#include "model/model.h"

#include <numeric>

#include "base/error.h"
#include "base/named.h"
#include "base/numbers.h"
#include "base/size.h"
#include "model/recurrent.h"
#include "model/transformer.h"

namespace locus {

std::string to_string(ModelKind kind) {
  switch (kind) {
    case ModelKind::encoder:
      return "encoder";
    case ModelKind::decoder:
      return "decoder";
    case ModelKind::rnn:
      return "rnn";
    case ModelKind::gru:
      return "gru";
  }
  return "";
}

ModelKind parse_model_kind(std::string_view name) {
  return get_named("model", "model", all_model_kinds, name, [](ModelKind kind) { return to_string(kind); });
}

void Model::tell(const PositionChange&) {
  fail_usage("positions",
             str("'", settings_.kind, "' reads one token after another, and is told no positions"),
             "train an encoder or a decoder");
}

bool has_attention(const ModelSettings& s, int layer) {
  constexpr std::string_view mixers[] = {"attention", "delta"};
  const std::vector<std::string> words = split(s.mixer_by_layer, ' ');
  for (const std::string& word : words)
    get_named("model", "--mixer-by-layer", mixers, word, [](std::string_view name) { return name; });
  if (std::ssize(words) > s.layers)
    fail_usage("model",
               str("--mixer-by-layer '", s.mixer_by_layer, "' names ", words.size(),
                   " layers, and there are ", s.layers),
               "name no more than there are");
  return words[as_size(layer) % words.size()] == "attention";
}

std::vector<int> windows_of(const ModelSettings& s) {
  constexpr const char* hint =
      "give the tokens seen on each side, 1 or more, or none, for each layer in turn: \"4 none\"";
  std::vector<int> windows;
  for (const std::string& word : split(s.window_by_layer, ' ')) {
    const std::optional<int> window = word == "none" ? no_limit : parse_int(word);
    if (!window || *window < 1)
      fail_usage("model", str("--window-by-layer '", s.window_by_layer, "': '", word, "' is not a window"),
                 hint);
    windows.push_back(*window);
  }
  if (std::ssize(windows) > s.layers)
    fail_usage("model",
               str("--window-by-layer '", s.window_by_layer, "' names ", windows.size(), " windows for ",
                   s.layers, s.layers == 1 ? " layer" : " layers"),
               "name no more windows than there are layers");
  return windows;
}

void check(const ModelSettings& s, const TaskShape& task) {
  const auto check_positive = [](const char* name, int value) {
    if (value < 1) fail_usage("model", str("--", name, " is ", value), "give 1 or more");
  };
  check_positive("layers", s.layers);
  check_positive("d-model", s.d_model);
  if (is_recurrent(s.kind)) {
    if (!task.generates && s.d_model % 2 != 0)
      fail_usage("model", str("--d-model ", s.d_model, " cannot be halved"),
                 str("half of the width reads from left to right, half from right to left: try --d-model ",
                     s.d_model + 1));
    return;
  }
  const std::string_view score_scales[] = {"none", "log"};
  get_named("model", "--score-scale", score_scales, s.score_scale,
            [](std::string_view name) { return name; });
  windows_of(s);
  for (int layer = 0; layer < s.layers; ++layer)
    if (!has_attention(s, layer) && s.kind != ModelKind::decoder)
      fail_usage("model", "--mixer-by-layer: delta reads from left to right, and an encoder sees both ways",
                 "give it to a decoder: --model decoder");
  check_positive("heads", s.heads);
  check_positive("d-ff", s.d_ff);
  if (s.d_model % s.heads != 0)
    fail_usage("model", str("--d-model ", s.d_model, " is not a multiple of --heads ", s.heads),
               str("each head takes an equal share of the width: try --d-model ",
                   (s.d_model / s.heads + 1) * s.heads));
}

std::unique_ptr<Model> make_model(const ModelSettings& settings, const TaskShape& task) {
  if (is_recurrent(settings.kind)) return std::make_unique<Recurrent>(settings, task);
  return std::make_unique<Transformer>(settings, task);
}

double forward_operations(const ModelSettings& s, const TaskShape& task, int length) {
  const double T = length, D = s.d_model, answers = task.pooled ? 1 : T;
  // A layer has query, key, value and output; the feed-forward layer; scores and the mix of values.
  double per_token = 4 * 2 * D * D + 2 * 2 * D * s.d_ff + 2 * 2 * T * D;
  if (is_recurrent(s.kind)) {
    const double gates = s.kind == ModelKind::gru ? 3 : 1, readers = task.generates ? 1 : 2;
    per_token = gates * 2 * (D * D + D * D / readers);  // W x and U h, each reader being D / readers wide
  }
  return s.layers * T * per_token + answers * 2 * D * task.vocabulary;
}

Positions count_up(Tape& tape, int length) {
  auto* places = tape.arena().allocate<double>(as_size(length));
  std::iota(places, places + length, 0.0);
  return {1, length, places};
}

}  // namespace locus
