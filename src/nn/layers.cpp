#include "nn/layers.h"

#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/size.h"

namespace locus {

Linear::Linear(ParameterTable& table, const std::string& name, int inputs, int outputs)
    : weight_(table.add(name + ".weight", {inputs, outputs}, Initial::uniform(1 / std::sqrt(inputs)))),
      bias_(table.add(name + ".bias", {outputs}, Initial::uniform(1 / std::sqrt(inputs)))) {}

Tensor Linear::operator()(Tensor x) const {
  return linear(x, x.tape().parameter(weight_), x.tape().parameter(bias_));
}

void Linear::ignore_inputs(std::span<Real> parameters, int first, int count) const {
  const auto outputs = as_size(weight_.shape.last());
  // exercise 12.4: the outputs must not depend on the inputs first .. first + count - 1 any more; all else stays as it
  // is. `parameters` are those of the whole model; weight_ (inputs, outputs) begins there at element weight_.offset
  std::ranges::fill(parameters.subspan(weight_.offset + as_size(first) * outputs, as_size(count) * outputs),
                    Real{0});
  // end
}

Embedding::Embedding(ParameterTable& table, const std::string& name, int vocabulary, int width)
    : table_(table.add(name, {vocabulary, width}, Initial::normal(1))) {}

Tensor Embedding::operator()(Tape& tape, std::span<const int> tokens, int length) const {
  return gather_rows(tape.parameter(table_), tokens, {static_cast<int>(tokens.size()) / length, length});
}

LayerNorm::LayerNorm(ParameterTable& table, const std::string& name, int width)
    : gain_(table.add(name + ".gain", {width}, Initial::constant(1))),
      bias_(table.add(name + ".bias", {width}, Initial::constant(0))) {}

Tensor LayerNorm::operator()(Tensor x) const {
  return layer_norm(x, x.tape().parameter(gain_), x.tape().parameter(bias_));
}

RmsNorm::RmsNorm(ParameterTable& table, const std::string& name, int width)
    : gain_(table.add(name + ".gain", {width}, Initial::constant(1))) {}

Tensor RmsNorm::operator()(Tensor x) const {
  return unit_length(x) * (x.tape().parameter(gain_) * std::sqrt(x.shape().last()));
}

FeedForward::FeedForward(ParameterTable& table, const std::string& name, int width, int d_ff)
    : up_(table, name + ".up", width, d_ff), down_(table, name + ".down", d_ff, width) {}

Tensor FeedForward::operator()(Tensor x) const { return down_(gelu(up_(x))); }

}  // namespace locus
