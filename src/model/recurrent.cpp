#include "model/recurrent.h"

#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/size.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

Tensor zeros(Tape& tape, Shape shape) {
  Real* values = tape.arena().allocate<Real>(shape.count());
  std::fill_n(values, shape.count(), Real{0});
  return tape.constant(shape, values);
}

void check_scheme(const ModelSettings& settings) {
  for (const Spec::Part& part : settings.scheme.only().parts)
    if (part.info->stage == Stage::query_and_key || part.info->stage == Stage::scores)
      fail_usage("scheme",
                 str("'", settings.scheme, "' works inside attention, and the ", settings.kind, " has none"),
                 "use none or sinusoidal: it reads in order anyway");
}

}  // namespace

DirectedLayer::DirectedLayer(ParameterTable& table, const std::string& name, ModelKind cell, int inputs,
                             int width, bool right_to_left)
    : width_(width), right_to_left_(right_to_left) {
  const auto gates = cell == ModelKind::rnn ? std::vector{"new"} : std::vector{"new", "reset", "update"};
  for (const char* gate : gates)
    gates_.push_back({Linear(table, str(name, ".", gate, ".input"), inputs, width),
                      Linear(table, str(name, ".", gate, ".state"), width, width)});
}

Tensor DirectedLayer::next_state(const Tensor* from_input, Tensor h) const {
  if (gates_.size() == 1) {
    // exercise 4.1: the new state of an rnn, (B,width)
    return tanh(from_input[0] + gates_[0].state(h));
    // end
  }
  // exercise 4.2: r, z, n and the new state of a gru, each (B,width); r has index 1, z has 2, n has 0
  const Tensor r = sigmoid(from_input[1] + gates_[1].state(h));
  const Tensor z = sigmoid(from_input[2] + gates_[2].state(h));
  const Tensor n = tanh(from_input[0] + r * gates_[0].state(h));
  return (1 - z) * n + z * h;
  // end
}

Tensor DirectedLayer::operator()(Tensor x) const {
  const int B = x.shape()[0], T = x.shape()[1];
  Tensor from_input[most_gates];  // (B,T,width): of all tokens at once, one tall product per gate
  for (std::size_t gate = 0; gate < gates_.size(); ++gate) from_input[gate] = gates_[gate].input(x);
  const auto count = as_size(T);
  Tensor* states = x.tape().arena().allocate<Tensor>(count);
  Tensor h = zeros(x.tape(), {B, width_});
  std::uninitialized_fill_n(states, count, h);
  for (int step = 0; step < T; ++step) {
    Tensor at_t[most_gates];  // (B,width): from_input[gate] at token t
    // exercise 4.3: read one token; afterwards t is its position, and h the state after it (B,width)
    const int t = right_to_left_ ? T - 1 - step : step;
    for (std::size_t gate = 0; gate < gates_.size(); ++gate) at_t[gate] = time_slice(from_input[gate], t);
    h = next_state(at_t, h);
    // end
    states[t] = h;
  }
  return stack_over_time({states, count});
}

Recurrent::Recurrent(const ModelSettings& settings, const TaskShape& task) : Model(settings, task) {
  check_scheme(settings_);
  const int D = settings_.d_model, directions = task_.generates ? 1 : 2;
  embedding_ = std::make_unique<Embedding>(parameters_, "embedding", task_.vocabulary, D);
  for (int layer = 0; layer < settings_.layers; ++layer) {
    layers_.emplace_back();
    for (int i = 0; i < directions; ++i)
      layers_.back().emplace_back(parameters_, str("layer", layer, i == 0 ? ".forward" : ".backward"),
                                  settings_.kind, D, D / directions, i == 1);
  }
  head_ = std::make_unique<Linear>(parameters_, "head", D, task_.vocabulary);
  const SchemeContext context{.d_model = D,
                              .heads = 1,  // it has none; schemes that enter attention are refused above
                              .causal = task_.generates,
                              .layers = settings_.layers,
                              .digits = task_.digits};
  scheme_ = make_scheme(settings_.scheme, context, parameters_);
}

Tensor Recurrent::logits(Tape& tape, const Inputs& inputs) const {
  Inputs placed = inputs;
  placed.positions = scheme_->positions(tape, inputs);
  Tensor x = (*embedding_)(tape, inputs.tokens, inputs.length);  // (B,T,D)
  x = scheme_->embedding(x, placed);
  for (const std::vector<DirectedLayer>& layer : layers_) {
    const Tensor forward = layer[0](x);
    x = layer.size() == 1 ? forward : concat(forward, layer[1](x));
  }
  return (*head_)(task_.pooled ? mean_over_time(x) : x);
}

double Recurrent::activations_per_example(int length) const {
  // Tensors of a width for each token and layer: what the ops of next_state make, slices and stack included.
  const double T = length, D = settings_.d_model, tensors = settings_.kind == ModelKind::rnn ? 7 : 22;
  const double ends = T * (3 * D + 2 * task_.vocabulary);  // embedding, scheme, mean; logits and their loss
  return 2 * (settings_.layers * T * D * tensors + ends);  // values and gradients
}

}  // namespace locus
