// A tiny pre-norm transformer (Xiong et al. 2020): embeddings, then blocks of attention and feed-forward,
// each behind a layer norm and added to the stream, then a last norm and a linear layer to one logit per
// token of the vocabulary. A decoder is an encoder with a causal mask; its layers can have the gated delta rule in
// place of attention.
//
// One scheme serves all layers; or several take the layers in turn ("rope none": rope in layers 0, 2, ...,
// none in 1, 3, ...), if all of them enter inside attention.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/size.h"
#include "model/attention.h"
#include "model/gated_delta.h"
#include "model/model.h"
#include "nn/layers.h"

namespace locus {

class Transformer : public Model {
 public:
  Transformer(const ModelSettings& settings, const TaskShape& task);

  Tensor logits(Tape& tape, const Inputs& inputs) const override;
  double activations_per_example(int length) const override;
  int capacity() const override;
  bool causal_prefix() const override;
  Blindness blindness() const override;
  int receptive_field() const override;
  void tell(const PositionChange& change) override;

  // Makes these parameters those of a model in which one head of one layer adds nothing.
  void silence(std::span<Real> parameters, int layer, int head) const {
    std::visit([&](const auto& mixer) { mixer.silence(parameters, head); }, blocks_[as_size(layer)].mixer);
  }

  const Scheme& scheme(std::size_t layer = 0) const { return *schemes_[layer % schemes_.size()]; }

 private:
  bool all_claim(bool Claims::*claim) const;  // whether every scheme makes it

  struct Block {
    LayerNorm attention_norm;
    std::variant<Attention, GatedDelta> mixer;
    LayerNorm feed_forward_norm;
    FeedForward feed_forward;
    Tensor operator()(Tensor x, const Scheme& scheme, const Inputs& inputs) const;
  };

  std::vector<std::unique_ptr<Scheme>> schemes_;
  std::optional<PositionChange> change_;
  std::unique_ptr<Embedding> embedding_;
  std::vector<Block> blocks_;
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<Linear> head_;
};

}  // namespace locus
