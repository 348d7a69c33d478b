// Rotary positions (Su et al. 2021, "RoFormer"): pair k of the channels of q and k is turned by the angle
//   position * theta_k,  theta_k = base^(-2k / d)
// so that q_i . k_j depends on i - j only. Values are never turned.
// The two layouts are the same model up to a permutation of channels: interleaved pairs (2k, 2k+1) as in the
// paper, or half (k, k + d/2) as in GPT-NeoX and Llama. With fraction < 1 only the first channels turn
// (GPT-J, GPT-NeoX).
#include <cmath>

#include "base/error.h"
#include "positional/support/registry.h"

namespace locus {

namespace {

class Rope : public Scheme {
 public:
  Rope(const Options& options, const ModelShape& shape, ParameterTable&)
      : interleaved_(options.text("layout") == "interleaved") {
    const double turned = options.number("fraction") * shape.d_head();
    const int width = static_cast<int>(std::lround(turned));
    if (width < 2 || width % 2 != 0 || std::abs(turned - width) > 1e-9)
      fail_usage("rope",
                 text(turned, " channels of each head of ", shape.d_head(),
                      " would be turned, but rope turns pairs"),
                 "choose d-model / heads * fraction even");
    for (int k = 0; k < width / 2; ++k) theta_.push_back(std::pow(options.number("base"), -2.0 * k / width));
  }

  void query_and_key(Tensor& q, Tensor& k, const Positions& positions) const override {
    const std::size_t pairs = theta_.size(), rows = positions.all().size(), count = rows * pairs;
    const Real* cos_sin = q.tape().remember(this, positions.all(), 2 * count, [&](Real* table) {
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t pair = 0; pair < pairs; ++pair) {
          const double angle = positions.data[row] * theta_[pair];
          table[row * pairs + pair] = static_cast<Real>(std::cos(angle));
          table[count + row * pairs + pair] = static_cast<Real>(std::sin(angle));
        }
    });
    const Rotation rotation{static_cast<int>(pairs), static_cast<int>(rows), cos_sin, cos_sin + count,
                            interleaved_};
    q = rotate(q, rotation);
    k = rotate(k, rotation);
  }

  Frequencies frequencies() const override { return {theta_}; }

  Claims claims() const override {
    return {.direction_aware = true, .shift_invariant = true, .bounded = true, .extrapolates = true};
  }

 private:
  bool interleaved_;
  std::vector<double> theta_;
};

const RegisterScheme registered{{
    .name = "rope",
    .summary = "turns pairs of query and key channels by an angle that grows with the position",
    .source = "Su et al. 2021",
    .stage = Stage::query_and_key,
    .keys = {number_key("base", "10000", 1.0001, 1e12,
                        "ratio of the slowest to the fastest wavelength, nearly"),
             choice_key("layout", "interleaved", {"interleaved", "half"},
                        "pairs (2k, 2k+1), or (k, k + d/2)"),
             number_key("fraction", "1", 0, 1, "share of each head's channels that turn")},
    .make = make<Rope>,
}};

}  // namespace

}  // namespace locus
