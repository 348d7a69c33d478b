// A layer of the gated delta rule (Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks", arXiv 2412.06464), which
// can take the place of attention in a decoder (--mixer-by-layer; Qwen3-Next has three such layers to one of
// attention). Each head keeps a matrix S (d,d), from keys to values, and reads one token after another:
//
//   S <- decay_t S                                 it forgets
//   S <- S + beta_t (v_t - S k_t) k_t^T            what S says of key k_t moves towards v_t: the delta rule
//   o_t = S q_t / sqrt(d)                          it is asked
//
// q and k have length 1; decay_t = exp(-exp(a) softplus(w x_t + b)) and beta_t = sigmoid(u x_t), one number for each
// head and token. The answers are normed head by head, gated by silu(g x_t), and go through a linear layer. Nothing
// says where a token is: order comes from the order of reading, as in an rnn, and from forgetting. Left out: the
// convolution over four tokens before q, k and v, which would show order a second time; the form in chunks, which is
// only faster.
#pragma once

#include <string>

#include "nn/layers.h"
#include "positional/scheme.h"

namespace locus {

class GatedDelta {
 public:
  GatedDelta(ParameterTable& table, const std::string& name, const SchemeContext& context);
  // (B,T,D) -> (B,T,D). Nothing of the scheme enters here, and there are no weights to show.
  Tensor operator()(Tensor x, const Scheme& scheme, const Inputs& inputs) const;

  // Sets the rows of the output matrix that read this head to 0.
  void silence(std::span<Real> parameters, int head) const;

 private:
  Linear query_, key_, value_, gate_, decay_, beta_, output_;
  Parameter rate_;
  RmsNorm norm_;
  SchemeContext context_;
};

}  // namespace locus
