// Multi-head attention (Vaswani et al. 2017, section 3.2), with the hooks of the positional scheme in plain
// sight.
#pragma once

#include <string>

#include "nn/layers.h"
#include "positional/scheme.h"

namespace locus {

class Attention {
 public:
  Attention(ParameterTable& table, const std::string& name, const ModelShape& shape, int layer);
  Tensor operator()(Tensor x, const Scheme& scheme, const Positions& positions) const;  // (B,T,D) -> (B,T,D)

 private:
  Linear query_, key_, value_, output_;
  ModelShape shape_;
  int layer_;
};

}  // namespace locus
