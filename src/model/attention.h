// Multi-head attention (Vaswani et al. 2017, section 3.2), with four of the six hooks of the positional scheme;
// the other two, positions and embedding, are called in transformer.cpp.
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

  // Sets the rows of the output matrix that read this head to 0: the head adds nothing any more.
  void silence(std::span<Real> parameters, int head) const;

 private:
  Linear query_, key_, value_, output_;
  SchemeContext context_;
  int layer_;
};

}  // namespace locus
