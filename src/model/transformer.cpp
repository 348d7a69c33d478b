#include "model/transformer.h"

#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/size.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// Several schemes can take turns only where they can be told apart: inside attention, in layers of their own.
void check_turns(const std::vector<Spec::Combination>& specs, int layers) {
  if (specs.size() < 2) return;
  if (std::ssize(specs) > layers)
    fail_usage("scheme", str(specs.size(), " schemes are to take turns in ", layers, " layers"),
               "name no more schemes than there are layers");
  for (const Spec::Combination& spec : specs)
    for (const Spec::Part& part : spec.parts)
      if (const Stage stage = part.info->stage; stage == Stage::positions || stage == Stage::embedding)
        fail_usage(
            "scheme",
            str("'", spec.spec, "' enters at the ", stage, " stage, before the first layer, and cannot be ",
                "chosen layer by layer"),
            "schemes of the query and key or the scores stage can, and none; `locus schemes` shows them");
}

// A scheme that enters attention, and a window, need a layer that has attention.
void check_mixers(const ModelSettings& settings) {
  const std::vector<Spec::Combination>& specs = settings.scheme.by_layer();
  for (std::size_t turn = 0; turn < specs.size(); ++turn) {
    bool enters = false, attention = false;
    for (const Spec::Part& part : specs[turn].parts)
      enters |= part.info->stage == Stage::query_and_key || part.info->stage == Stage::scores;
    for (auto layer = static_cast<int>(turn); layer < settings.layers;
         layer += static_cast<int>(specs.size()))
      attention |= has_attention(settings, layer);
    if (enters && !attention)
      fail_usage("scheme", str("'", specs[turn].spec, "' works inside attention, and its layers have none"),
                 "use none or sinusoidal, or give a layer attention: --mixer-by-layer \"delta attention\"");
  }
  const std::vector<int> windows = windows_of(settings);
  for (int layer = 0; layer < settings.layers; ++layer)
    if (windows[as_size(layer) % windows.size()] != no_limit && !has_attention(settings, layer))
      fail_usage("model",
                 str("--window-by-layer gives layer ", layer, " a window, and it has no attention to cut"),
                 "write none for its layers of the delta rule, as in --mixer-by-layer \"delta attention\" "
                 "--window-by-layer \"none 4\"");
}

}  // namespace

Transformer::Transformer(const ModelSettings& settings, const TaskShape& task) : Model(settings, task) {
  const std::vector<Spec::Combination>& specs = settings_.scheme.by_layer();
  check_turns(specs, settings_.layers);
  check_mixers(settings_);
  const int turns = static_cast<int>(specs.size()), D = settings_.d_model;
  SchemeContext context{D, settings_.heads, settings_.kind == ModelKind::decoder, settings_.layers,
                        task_.digits};
  const std::vector<int> windows = windows_of(settings_);
  AttentionOptions options{.log_scale = settings_.score_scale == "log", .qk_norm = settings_.qk_norm};
  embedding_ = std::make_unique<Embedding>(parameters_, "embedding", task_.vocabulary, D);
  for (int layer = 0; layer < settings_.layers; ++layer) {
    const std::string name = str("layer", layer);
    options.window = windows[as_size(layer) % windows.size()];
    // A scheme counts the layers that are its own.
    using Mixer = decltype(Block::mixer);
    blocks_.push_back(
        {LayerNorm(parameters_, name + ".attention_norm", D),
         has_attention(settings_, layer)
             ? Mixer(Attention(parameters_, name + ".attention", context, layer / turns, options))
             : Mixer(GatedDelta(parameters_, name + ".delta", context)),
         LayerNorm(parameters_, name + ".feed_forward_norm", D),
         FeedForward(parameters_, name + ".feed_forward", D, settings_.d_ff)});
  }
  norm_ = std::make_unique<LayerNorm>(parameters_, "norm", D);
  head_ = std::make_unique<Linear>(parameters_, "head", D, task_.vocabulary);
  for (int turn = 0; turn < turns; ++turn) {
    context.layers = (settings_.layers - turn + turns - 1) / turns;
    if (turns > 1) parameters_.set_prefix(str("turn", turn, "."));
    schemes_.push_back(make_scheme(specs[as_size(turn)], context, parameters_));
    const bool windowed = std::ranges::any_of(windows, [](int window) { return window != no_limit; });
    if ((options.log_scale || windowed) && schemes_.back()->replaces_softmax())
      fail_usage("scheme",
                 str("'", specs[as_size(turn)].spec, "' has no softmax, whose scores ",
                     options.log_scale ? "--score-scale log would scale" : "--window-by-layer would cut"),
                 str("leave ", options.log_scale ? "--score-scale" : "--window-by-layer",
                     " out, or choose another scheme"));
  }
}

Tensor Transformer::Block::operator()(Tensor x, const Scheme& scheme, const Inputs& inputs) const {
  const Tensor normed = attention_norm(x);
  x = x + std::visit([&](const auto& mix) { return mix(normed, scheme, inputs); }, mixer);
  if (inputs.hidden) inputs.hidden->push_back(x);
  x = x + feed_forward(feed_forward_norm(x));
  if (inputs.hidden) inputs.hidden->push_back(x);
  return x;
}

Tensor Transformer::logits(Tape& tape, const Inputs& inputs) const {
  Inputs placed = inputs;
  placed.positions = scheme().positions(tape, inputs);
  Inputs moved = placed;
  if (change_) moved.positions = changed(tape, *change_, placed.positions, inputs.random);
  const bool everywhere = change_ && change_->layers.empty();
  Tensor x = (*embedding_)(tape, inputs.tokens, inputs.length);  // (B,T,D)
  x = scheme().embedding(x, everywhere ? moved : placed);
  if (inputs.hidden) inputs.hidden->push_back(x);
  for (int layer = 0; layer < settings_.layers; ++layer) {
    const bool told = everywhere || (change_ && std::ranges::count(change_->layers, layer) > 0);
    const auto at = as_size(layer);
    x = blocks_[at](x, scheme(at), told ? moved : placed);
  }
  x = (*norm_)(x);
  return (*head_)(task_.pooled ? mean_over_time(x) : x);
}

double Transformer::activations_per_example(int length) const {
  const double T = length, D = settings_.d_model;
  double per_block = T * (13 * D + 2 * settings_.d_ff) + 3.0 * settings_.heads * T * T;
  if (settings_.mixer_by_layer.find("delta") != std::string::npos)
    per_block += T * D * D / settings_.heads;                                      // states
  return 2 * (settings_.layers * per_block + T * (3 * D + 2 * task_.vocabulary));  // values and gradients
}

int Transformer::capacity() const {
  int least = scheme().capacity();
  for (const auto& scheme : schemes_) least = std::min(least, scheme->capacity());
  return least;
}

bool Transformer::all_claim(bool Claims::*claim) const {
  return std::ranges::all_of(schemes_, [&](const auto& scheme) { return scheme->claims().*claim; });
}

bool Transformer::causal_prefix() const {
  return all_claim(&Claims::causal_prefix) && !(change_ && change_->depends_on_length());
}

void Transformer::tell(const PositionChange& change) {
  const std::vector<Spec::Combination>& specs = settings_.scheme.by_layer();
  bool reads = change.layers.empty() && std::ranges::any_of(specs, [](const Spec::Combination& spec) {
                 return spec.reads_positions(Spec::Where::anywhere);
               });
  for (const int layer : change.layers) {
    if (layer >= settings_.layers)
      fail_usage(
          "positions", str("there is no layer ", layer),
          settings_.layers == 1 ? "the only one is 0" : str("the layers are 0 to ", settings_.layers - 1));
    reads |= specs[as_size(layer) % specs.size()].reads_positions(Spec::Where::attention);
  }
  if (!reads)
    fail_usage(
        "positions",
        str("'", settings_.scheme, "' looks at no positions",
            change.layers.empty()
                ? ""
                : str(" in ", change.layers.size() == 1 ? "layer " : "layers ", join(change.layers, ", "))),
        change.layers.empty() ? "what it shows follows from the tokens and the mask alone"
                              : "codes of the embeddings enter before layer 0: leave --only-layers out");
  change_ = change;
}

int Transformer::receptive_field() const {
  const bool sees_digits =  // an unseen digit moves the places of those that are seen
      std::ranges::any_of(schemes_, [](const auto& scheme) { return scheme->counts_digits(); });
  if (task_.pooled || sees_digits) return no_limit;
  const std::vector<int> windows = windows_of(settings_);
  int field = 0;
  for (int layer = 0; layer < settings_.layers; ++layer)
    field += std::min(windows[as_size(layer) % windows.size()], no_limit - field);
  return field;
}

Blindness Transformer::blindness() const {
  if (settings_.kind == ModelKind::decoder) return Blindness::none;  // its causal mask shows order
  const auto is_limited = [](int window) { return window != no_limit; };
  if (std::ranges::any_of(windows_of(settings_), is_limited)) {
    // It shows who is near, and the same from both sides.
    const bool mirrors = std::ranges::all_of(schemes_, [](const auto& scheme) {
      return scheme->claims().order_blind || scheme->claims().mirror_blind;
    });
    return mirrors ? Blindness::mirror : Blindness::none;
  }
  if (all_claim(&Claims::order_blind)) return Blindness::order;
  return all_claim(&Claims::mirror_blind) ? Blindness::mirror : Blindness::none;
}

}  // namespace locus
