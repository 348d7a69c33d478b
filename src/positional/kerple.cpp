// Kernelised relative bias (Chi et al. 2022, "KERPLE"): a kernel of the distance with two learned numbers per
// head, shared by all layers.
//   log:   -p ln(1 + a |i - j|),  a, p > 0
//   power: -a |i - j|^p,          a > 0, 0 < p < 2; with p = 1 it is ALiBi with a learned slope
// The authors clamp a and p, and a clamped number has no gradient; here a softplus keeps them positive, and 2
// sigmoid keeps the power below 2, where it is still a kernel. A begin anywhere in -1 .. 1 before these functions
// makes a and p 0.31 .. 1.31, and the power 0.54 .. 1.46.
#include <cmath>

#include "autograd/ops.h"
#include "positional/support/pairs.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"

namespace locus::schemes::kerple {

class Kerple : public Scheme {
 public:
  Kerple(const Options& options, const SchemeContext& context, ParameterTable& table)
      : power_(options.text("form") == "power"),
        a_(table.add("position.kerple.a", {context.heads, 1}, Initial::uniform(1))),
        p_(table.add("position.kerple.p", {context.heads, 1}, Initial::uniform(1))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    const Positions& positions = inputs.positions;
    Tape& tape = scores.tape();
    const auto distances = distances_(positions, [&] {
      return distinct(for_pairs(positions, [](double query, double key) { return std::abs(query - key); }));
    });
    const auto row = [&](auto f) { return row_of(tape, *distances, f); };  // (N)
    const Tensor a = softplus(tape.parameter(a_));                         // (H,1)
    Tensor bias;                                                           // (H,N)
    if (power_) {
      const Tensor p = 2 * sigmoid(tape.parameter(p_));
      const Tensor log_distance = row([](double d) { return d > 0 ? std::log(d) : 0; });
      const Tensor apart = row([](double d) { return d > 0 ? 1 : 0; });  // 0^p is 0
      bias = -a * apart * exp(p * log_distance);
    } else {
      const Tensor p = softplus(tape.parameter(p_));
      bias = -p * log1p(a * row([](double d) { return d; }));
    }
    return scores + gather_columns(bias, distances->ids, pairs_shape(positions));
  }

  Claims claims() const override {
    return {.mirror_blind = true,
            .shift_invariant = true,
            .extrapolates = true,
            .parameters = a_.shape.count() + p_.shape.count()};
  }

 private:
  bool power_;
  Parameter a_, p_;
  Remembered<Distinct<double>> distances_;
};

const RegisterScheme registered{{
    .name = "kerple",
    .summary = "scores fall with the logarithm or a power of the distance, at a learned rate per head",
    .source = "Chi et al. 2022",
    .stage = Stage::scores,
    .options = {choice_option("form", "log", {"log", "power"}, "-p ln(1 + a |i - j|), or -a |i - j|^p")},
    .formula = "log: score - p ln(1 + a |i - j|)\npower: score - a |i - j|^p\na and p learned per head",
    .traps = {"a and p kept positive by clamping stop learning at the clamp",
              "in an encoder it cannot tell left from right"},
    .differs = {"a and p begin at 0.31 to 1.31 (the power p at 0.54 to 1.46), in the authors' code a "
                "at 0 to 1 and p at 0 to 2: these ranges touch 0, where a softplus has no gradient left"},
    .make = make<Kerple>,
}};

}  // namespace locus::schemes::kerple
