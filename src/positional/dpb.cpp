// Dynamic position bias (Wang et al. 2022, "CrossFormer", section 3.2.2; there in two dimensions): a small network
// makes the bias of every head from the signed distance, where t5 has a table.
//   score + MLP(j - i)_h
//   MLP: a linear layer to D/4 channels (8 at least); three times layer norm, ReLU and a linear layer, the last to the
//   heads. Each layer of the model has a network of its own.
// With distance=log the network reads sign(r) ln(1 + |r|) instead of r = j - i (Swin V2, x-transformers).
#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/size.h"
#include "nn/layers.h"
#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::dpb {

class DynamicPositionBias : public Scheme {
 public:
  DynamicPositionBias(const Options& options, const SchemeContext& context, ParameterTable& table)
      : logarithm_(options.text("distance") == "log"), width_(std::max(context.d_model / 4, 8)) {
    const std::size_t before = table.count();
    for (int layer = 0; layer < context.layers; ++layer)
      networks_.emplace_back(table, str("position.layer", layer, ".dpb."), width_, context.heads);
    parameters_ = table.count() - before;
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    const auto distances = distances_(
        p, [&] { return distinct(for_pairs(p, [](double query, double key) { return key - query; })); });
    Real* read = scores.tape().arena().allocate<Real>(distances->values.size());
    std::ranges::transform(distances->values, read, [&](double r) {
      return static_cast<Real>(logarithm_ ? std::copysign(std::log1p(std::abs(r)), r) : r);
    });
    const Tensor column = scores.tape().constant({distances->count(), 1}, read);
    const Tensor bias = networks_.at(as_size(inputs.layer))(column);  // (H,N)
    return scores + gather_columns(bias, distances->ids, pairs_shape(p));
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = parameters_};
  }

 private:
  struct Network {
    Linear first, second, third;
    LayerNorm norm1, norm2, norm3;
    Parameter down, down_bias;
    Network(ParameterTable& table, const std::string& name, int width, int heads)
        : first(table, name + "first", 1, width),
          second(table, name + "second", width, width),
          third(table, name + "third", width, width),
          norm1(table, name + "norm1", width),
          norm2(table, name + "norm2", width),
          norm3(table, name + "norm3", width),
          down(table.add(name + "down", {heads, width}, Initial::uniform(1 / std::sqrt(width)))),
          down_bias(table.add(name + "down_bias", {heads, 1}, Initial::uniform(1 / std::sqrt(width)))) {}

    Tensor operator()(Tensor distance) const {  // (N,1) -> (H,N)
      const Tensor one = relu(norm1(first(distance)));
      const Tensor two = relu(norm2(second(one)));
      const Tensor three = relu(norm3(third(two)));
      Tape& tape = distance.tape();
      return matmul(tape.parameter(down), transpose(three)) + tape.parameter(down_bias);
    }
  };

  bool logarithm_;
  int width_;
  std::size_t parameters_;
  std::vector<Network> networks_;
  Remembered<Distinct<double>> distances_;
};

const RegisterScheme registered{{
    .name = "dpb",
    .summary = "a small network of the signed distance makes the bias of each head",
    .source = "Wang et al. 2022",
    .stage = Stage::scores,
    .options = {choice_option("distance", "plain", {"plain", "log"},
                              "what the network reads: r = j - i, or sign(r) ln(1 + |r|)")},
    .formula =
        "score + MLP(j - i)_h   query i, key j, head h\n"
        "MLP: linear to D/4 channels, then three times layer norm, ReLU, linear; the last to the heads",
    .traps =
        {"its layer norms take the size of a far distance away: far ones have nearly one bias on each side",
         "a network per layer costs little to store, and must be run for every distance at every step"},
    .differs = {"one dimension instead of two; at least 8 channels, where D/4 is fewer"},
    .make = make<DynamicPositionBias>,
}};

}  // namespace locus::schemes::dpb
