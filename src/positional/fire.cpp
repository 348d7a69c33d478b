// FIRE (Li et al. 2024, "Functional interpolation for relative positions"): a small network reads the
// distance as a share of the query's position, so that longer inputs fall on the same range 0 .. 1.
//   bias_h(i, j) = MLP(psi(|i - j|) / psi(max(i, L)))_h,   psi(x) = ln(1 + c x)
// One hidden layer of 32 with ReLU. c, from 0.1, and a factor of the threshold L, from 1, are learned, both
// kept positive by a softplus, where the authors take magnitudes. Their threshold is 512 for 2048 tokens; the
// default here is as much of a toy length. Each layer has its own network (sharing one is their FIRE-S). Keys
// after the query count as those before it: made for decoders.
#include <cmath>

#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"

namespace locus::schemes::fire {

double softplus_inverse(double y) { return std::log(std::expm1(y)); }

class Fire : public Scheme {
 public:
  Fire(const Options& options, const ModelShape& shape, ParameterTable& table)
      : threshold_(options.number("threshold")),
        c_(table, shape, "fire.c", {1, 1}, Initial::constant(softplus_inverse(0.1))),
        stretch_(table, shape, "fire.stretch", {1, 1}, Initial::constant(softplus_inverse(1))),
        up_(table, shape, "fire.up", {hidden, 1}, Initial::uniform(1)),
        up_bias_(table, shape, "fire.up_bias", {hidden, 1}, Initial::uniform(1)),
        down_(table, shape, "fire.down", {shape.heads, hidden}, Initial::uniform(1 / std::sqrt(hidden))),
        down_bias_(table, shape, "fire.down_bias", {shape.heads, 1},
                   Initial::uniform(1 / std::sqrt(hidden))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    Tape& tape = scores.tape();
    using DistanceAndQuery = std::pair<double, double>;
    const auto& pairs = remember(tape, this, inputs.positions, [&] {
      return distinct(for_pairs(inputs.positions, [](double query, double key) {
        return DistanceAndQuery(std::abs(query - key), query);
      }));
    });
    const auto row = [&](auto f) { return row_of(tape, pairs, f); };  // (1,N)
    const Tensor ones = row([](DistanceAndQuery) { return 1; });
    const auto affine = [&](const PerLayer& weight, const PerLayer& bias, Tensor x) {
      return add(matmul(weight(inputs), x), matmul(bias(inputs), ones));
    };
    const Tensor c = softplus(c_(inputs));  // (1,1)
    const Tensor L = matmul(softplus(stretch_(inputs)), ones, static_cast<Real>(threshold_));
    const Tensor query = row([](DistanceAndQuery pair) { return pair.second; });
    const Tensor at_least_L = add(L, relu(add(query, scale(L, -1))));  // max(i, L)
    const Tensor of_query = log1p(matmul(c, at_least_L));
    const Tensor of_distance = log1p(matmul(c, row([](DistanceAndQuery pair) { return pair.first; })));
    const Tensor share = divide(of_distance, add(of_query, scale(ones, static_cast<Real>(1e-6))));
    const Tensor table = affine(down_, down_bias_, relu(affine(up_, up_bias_, share)));  // (H,N)
    return add(scores, gather_columns(table, pairs.ids, pairs_shape(inputs.positions)));
  }

  Claims claims() const override {
    return {.extrapolates = true,
            .parameters = c_.count() + stretch_.count() + up_.count() + up_bias_.count() + down_.count() +
                          down_bias_.count()};
  }

 private:
  static constexpr int hidden = 32;
  double threshold_;
  PerLayer c_, stretch_, up_, up_bias_, down_, down_bias_;
};

const RegisterScheme registered{{
    .name = "fire",
    .summary = "a small network of the distance, as a share of how far the query stands",
    .source = "Li et al. 2024",
    .stage = Stage::scores,
    .keys = {number_key("threshold", "4", 1, 1e6, "queries before it share one scale; learned from there")},
    .formula = "score + MLP(psi(|i - j|) / psi(max(i, L)))_h,   psi(x) = ln(1 + c x)",
    .traps =
        {"it is not invariant to a shift of the positions",
         "a threshold beyond the length, like the authors' 512 for toys, leaves a function of the distance"},
    .make = make<Fire>,
}};

}  // namespace locus::schemes::fire
