// FIRE (Li et al. 2024, "Functional interpolation for relative positions"): a small network reads the
// distance as a share of the query's position, so that longer inputs fall on the same range 0 .. 1.
//   bias_h(i, j) = MLP(psi(|i - j|) / psi(max(i, L)))_h,   psi(x) = ln(1 + c x)
// One hidden layer of 32 with ReLU. Learned are also c, which starts at 0.1, and L, which is the option
// `threshold` times a factor that starts at 1; a softplus keeps both positive, where the authors take
// magnitudes. Their threshold is 512 for 2048 tokens; the default here, 4, is the same quarter of 16 tokens.
// Each layer has its own network (sharing one is their FIRE-S). FIRE was made for decoders; in an encoder it
// is symmetric: a key after the query gets the bias of the key as far before it.
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/pairs.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::fire {

double softplus_inverse(double y) { return std::log(std::expm1(y)); }

class Fire : public Scheme {
 public:
  Fire(const Options& options, const SchemeContext& context, ParameterTable& table)
      : threshold_(options.number("threshold")),
        c_(table, context, "fire.c", {1, 1}, Initial::constant(softplus_inverse(0.1))),
        stretch_(table, context, "fire.stretch", {1, 1}, Initial::constant(softplus_inverse(1))),
        up_(table, context, "fire.up", {width, 1}, Initial::uniform(1)),
        up_bias_(table, context, "fire.up_bias", {width, 1}, Initial::uniform(1)),
        down_(table, context, "fire.down", {context.heads, width}, Initial::uniform(1 / std::sqrt(width))),
        down_bias_(table, context, "fire.down_bias", {context.heads, 1},
                   Initial::uniform(1 / std::sqrt(width))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    const auto pairs = pairs_(p, [&] {
      return distinct(for_pairs(p, [](double query, double key) {
        return Pair{std::abs(query - key), query};
      }));
    });
    const Tensor distance = row_of(scores.tape(), *pairs, [](Pair pair) { return pair.distance; });  // (N)
    const Tensor query = row_of(scores.tape(), *pairs, [](Pair pair) { return pair.query; });
    const Tensor c = softplus(c_(inputs)), L = threshold_ * softplus(stretch_(inputs));  // (1,1)
    const Tensor farthest = L + relu(query - L);                                         // max(i, L) (1,N)
    const Tensor above = log1p(c * distance), below = log1p(c * farthest) + 1e-6;
    const Tensor x = above / below;
    const Tensor hidden = relu(up_(inputs) * x + up_bias_(inputs));          // (32,1) (1,N) -> (32,N)
    const Tensor bias = matmul(down_(inputs), hidden) + down_bias_(inputs);  // (H,N)
    return scores + gather_columns(bias, pairs->ids, pairs_shape(p));
  }

  Claims claims() const override {
    return {.extrapolates = true,
            .parameters = c_.count() + stretch_.count() + up_.count() + up_bias_.count() + down_.count() +
                          down_bias_.count()};
  }

 private:
  struct Pair {
    double distance, query;
    auto operator<=>(const Pair&) const = default;
  };
  static constexpr int width = 32;  // of the hidden layer
  double threshold_;
  PerLayer c_, stretch_, up_, up_bias_, down_, down_bias_;
  Remembered<Distinct<Pair>> pairs_;
};

const RegisterScheme registered{{
    .name = "fire",
    .summary = "a small network of the distance, as a share of how far the query stands",
    .source = "Li et al. 2024",
    .stage = Stage::scores,
    .options = {number_option("threshold", "4", 1, 1e6,
                              "queries before it share one scale; learned from there")},
    .formula = "score + MLP(psi(|i - j|) / psi(max(i, L)))_h,   psi(x) = ln(1 + c x)",
    .traps =
        {"it is not invariant to a shift of the positions",
         "a threshold beyond the length, like the authors' 512 for toys, leaves a function of the distance"},
    .make = make<Fire>,
}};

}  // namespace locus::schemes::fire
