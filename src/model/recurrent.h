// Recurrent networks: they read one token after another into a state. The state depends on the order of
// the tokens, so no positions are needed. The contrast to all of src/positional.
//
//   rnn   h_t = tanh(W x_t + b + U h_(t-1) + c)                     (Elman 1990)
//
//   gru   r = sigmoid(W_r x_t + b_r + U_r h_(t-1) + c_r)            (Cho et al. 2014)
//         z = sigmoid(W_z x_t + b_z + U_z h_(t-1) + c_z)
//         n = tanh(W_n x_t + b_n + r (U_n h_(t-1) + c_n))           r outside of the product, as in PyTorch
//         h_t = (1 - z) n + z h_(t-1)
//
// Layers are stacked, the states of one being the inputs of the next; a linear layer reads the states of the
// last layer, or their mean over time. To answer about a token, as in `reverse`, the network must know what
// comes after it. So, unless the model generates, half of the width of each layer goes from left to right and
// half from right to left (Schuster and Paliwal 1997).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "nn/layers.h"

namespace locus {

// A cell that goes through the tokens in one direction.
class DirectedLayer {
 public:
  DirectedLayer(ParameterTable& table, const std::string& name, ModelKind cell, int inputs, int width,
                bool right_to_left);
  Tensor operator()(Tensor x) const;  // (B,T,D) -> its state after each token (B,T,width)

  // The state after a token (B,width), from the state h before it. from_input: W x + b of the token (B,width),
  // for each gate.
  Tensor next_state(const Tensor* from_input, Tensor h) const;

  static constexpr std::size_t most_gates = 3;

 private:
  struct Gate {
    Linear input, state;  // W x + b and U h + c
  };

  std::vector<Gate> gates_;  // r has index 1, z has 2, n has 0; an rnn has index 0 only
  int width_;
  bool right_to_left_;
};

class Recurrent : public Model {
 public:
  Recurrent(const ModelSettings& settings, const TaskShape& task);

  Tensor logits(Tape& tape, const Inputs& inputs) const override;
  double activations_per_example(int length) const override;
  int capacity() const override { return scheme_->capacity(); }

 private:
  std::unique_ptr<Scheme> scheme_;
  std::unique_ptr<Embedding> embedding_;
  std::vector<std::vector<DirectedLayer>> layers_;  // each left to right, or that and one right to left
  std::unique_ptr<Linear> head_;
};

}  // namespace locus
