// The layers of a transformer. Each reserves its parameters when it is built, and is then called like a
// function.
#pragma once

#include <span>
#include <string>

#include "autograd/tape.h"
#include "nn/parameters.h"

namespace locus {

// y = x W + b; x (...,I) -> (...,O). W and b start uniform in +-1/sqrt(I), as in PyTorch.
class Linear {
 public:
  Linear(ParameterTable& table, const std::string& name, int inputs, int outputs);
  Tensor operator()(Tensor x) const;

  // Makes the layer ignore the inputs first, ..., first + count - 1: sets their weights to 0.
  void ignore_inputs(std::span<Real> parameters, int first, int count) const;

 private:
  Parameter weight_, bias_;
};

// Token ids (B*T of them) -> (B,T,D), rows of a table. It starts normal with standard deviation 1, as large
// as sinusoids are (1 at most, 0.71 in the mean square), so rows are not multiplied by sqrt(D) as in Vaswani
// et al. 2017.
class Embedding {
 public:
  Embedding(ParameterTable& table, const std::string& name, int vocabulary, int width);
  Tensor operator()(Tape& tape, std::span<const int> tokens, int length) const;

 private:
  Parameter table_;
};

// Layer normalisation with gain and bias.
class LayerNorm {
 public:
  LayerNorm(ParameterTable& table, const std::string& name, int width);
  Tensor operator()(Tensor x) const;

 private:
  Parameter gain_, bias_;
};

// Each row divided by its root mean square, times gain (Zhang and Sennrich 2019).
class RmsNorm {
 public:
  RmsNorm(ParameterTable& table, const std::string& name, int width);
  Tensor operator()(Tensor x) const;

 private:
  Parameter gain_;
};

// down(gelu(up(x))), with d_ff channels in between.
class FeedForward {
 public:
  FeedForward(ParameterTable& table, const std::string& name, int width, int d_ff);
  Tensor operator()(Tensor x) const;

 private:
  Linear up_, down_;
};

}  // namespace locus
