#include "model/gated_delta.h"

#include <cmath>

#include "autograd/ops.h"

namespace locus {

namespace {

Tensor silu(Tensor x) { return x * sigmoid(x); }

}  // namespace

GatedDelta::GatedDelta(ParameterTable& table, const std::string& name, const SchemeContext& context)
    : query_(table, name + ".query", context.d_model, context.d_model),
      key_(table, name + ".key", context.d_model, context.d_model),
      value_(table, name + ".value", context.d_model, context.d_model),
      gate_(table, name + ".gate", context.d_model, context.d_model),
      decay_(table, name + ".decay", context.d_model, context.heads),
      beta_(table, name + ".beta", context.d_model, context.heads),
      output_(table, name + ".output", context.d_model, context.d_model),
      // A token loses between a hundredth and a fifth of what is kept.
      rate_(table.add(name + ".rate", {context.heads}, Initial::between(std::log(0.015), std::log(0.3)))),
      norm_(table, name + ".norm", context.d_head()),
      context_(context) {}

Tensor GatedDelta::operator()(Tensor x, const Scheme&, const Inputs& inputs) const {
  if (inputs.attention) inputs.attention->push_back({});
  const int heads = context_.heads;
  const Tensor q = unit_length(split_heads(silu(query_(x)), heads));
  const Tensor k = unit_length(split_heads(silu(key_(x)), heads));
  const Tensor v = split_heads(silu(value_(x)), heads);
  const Tensor rate = exp(x.tape().parameter(rate_));
  const Tensor decay = exp(-(rate * softplus(decay_(x))));
  const Tensor beta = sigmoid(beta_(x));
  const Tensor read = gated_delta_rule(q, k, v, decay, beta) / std::sqrt(context_.d_head());
  const Tensor gate = silu(gate_(x));
  return output_(merge_heads(norm_(read)) * gate);
}

void GatedDelta::silence(std::span<Real> parameters, int head) const {
  output_.ignore_inputs(parameters, head * context_.d_head(), context_.d_head());
}

}  // namespace locus
