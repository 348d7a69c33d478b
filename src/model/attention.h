// Multi-head attention (Vaswani et al. 2017, section 3.2), with four of the six hooks of the positional scheme;
// the other two, positions and embedding, are called in transformer.cpp.
//
// Three options of the model change what lies between the hooks (AttentionOptions):
//
//   --score-scale log    A query that sees n keys multiplies its scores by ln n before the softmax: n is T in an
//                        encoder, i + 1 for query i of a decoder. Scores that are not changed let the largest weight
//                        fall as n grows. Nakanishi 2025, "Scalable-Softmax Is Superior for Attention", equation 2 with
//                        s = 1: there s is one parameter for each head and layer; here the query matrix can learn it.
//                        What a scheme added to the scores is multiplied, too.
//   --window-by-layer    A query sees the keys at most so many tokens away, and n counts these (Beltagy, Peters and
//                        Cohan 2020).
//   --qk-norm            Each query and each key is divided by its root mean square before the scheme turns it, and
//                        multiplied by a gain for each channel of a head (Henry et al. 2020; so Qwen 3 and Gemma 3).
#pragma once

#include <optional>
#include <span>
#include <string>

#include "nn/layers.h"
#include "positional/scheme.h"

namespace locus {

struct AttentionOptions {
  bool log_scale = false, qk_norm = false;
  int window = no_limit;  // tokens seen on each side
};

class Attention {
 public:
  Attention(ParameterTable& table, const std::string& name, const SchemeContext& context, int layer,
            const AttentionOptions& options = {});
  Tensor operator()(Tensor x, const Scheme& scheme, const Inputs& inputs) const;  // (B,T,D) -> (B,T,D)

  // Sets the rows of the output matrix that read this head to 0: the head adds nothing any more.
  void silence(std::span<Real> parameters, int head) const;

 private:
  Linear query_, key_, value_, output_;
  std::optional<RmsNorm> query_norm_, key_norm_;
  SchemeContext context_;
  AttentionOptions options_;
  int layer_;
};

}  // namespace locus
