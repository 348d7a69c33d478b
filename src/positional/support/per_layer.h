// A parameter of which each layer has one of its own: "position.layer0.shaw.keys",
// "position.layer1.shaw.keys" ...
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/size.h"
#include "nn/parameters.h"
#include "positional/scheme.h"

namespace locus {

class PerLayer {
 public:
  PerLayer(ParameterTable& table, const SchemeContext& context, const std::string& name, Shape size,
           Initial initial) {
    for (int layer = 0; layer < context.layers; ++layer)
      of_layer_.push_back(table.add(str("position.layer", layer, ".", name), size, initial));
  }

  // That of the layer at work.
  Tensor operator()(const AttentionInputs& inputs) const {
    return inputs.x.tape().parameter(of_layer_.at(as_size(inputs.layer)));
  }
  std::size_t count() const { return of_layer_.size() * of_layer_.front().shape.count(); }  // in all layers

 private:
  std::vector<Parameter> of_layer_;
};

}  // namespace locus
