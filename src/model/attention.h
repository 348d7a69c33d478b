// Multi-head attention (Vaswani et al. 2017, section 3.2), with the hooks of the positional scheme in plain
// sight.
#pragma once

#include <span>
#include <string>

#include "nn/layers.h"
#include "positional/scheme.h"

namespace locus {

class Attention {
 public:
  Attention(ParameterTable& table, const std::string& name, const SchemeContext& context, int layer);
  Tensor operator()(Tensor x, const Scheme& scheme, const Inputs& inputs) const;  // (B,T,D) -> (B,T,D)

  // Makes these parameters those of a model in which one head adds nothing: what it mixes is multiplied by 0.
  void silence(std::span<Real> parameters, int head) const;

 private:
  Linear query_, key_, value_, output_;
  SchemeContext context_;
  int layer_;
};

}  // namespace locus
