// Kernelised relative bias (Chi et al. 2022, "KERPLE"): a kernel of the distance with two learned numbers per
// head, shared by all layers.
//   log:   -p ln(1 + a |i - j|),  a, p > 0
//   power: -a |i - j|^p,          a > 0, 0 < p < 2; with p = 1 it is ALiBi with a learned slope
// The authors clamp a and p, and a clamped number has no gradient; here a softplus keeps them positive, and 2
// sigmoid keeps the power below 2, where it is still a kernel.
#include <cmath>

#include "positional/support/pairs.h"
#include "positional/support/registry.h"

namespace locus::schemes::kerple {

class Kerple : public Scheme {
 public:
  Kerple(const Options& options, const ModelShape& shape, ParameterTable& table)
      : power_(options.text("form") == "power"),
        a_(table.add("position.kerple.a", {shape.heads, 1}, Initial::uniform(1))),
        p_(table.add("position.kerple.p", {shape.heads, 1}, Initial::uniform(1))) {}

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    Tape& tape = scores.tape();
    const Distinct<double>& distances = remember(tape, this, inputs.positions, [&] {
      return distinct(
          for_pairs(inputs.positions, [](double query, double key) { return std::abs(query - key); }));
    });
    // A number per head (H,1) times one per distance (1,N) -> (H,N)
    const auto times = [&](Tensor heads, double (*f)(double)) {
      return matmul(heads, row_of(tape, distances, f));
    };
    const Tensor a = softplus(tape.parameter(a_)), p = tape.parameter(p_);
    const Tensor bias =
        power_ ? multiply(times(a, [](double d) { return d > 0 ? -1.0 : 0.0; }),
                          exp(times(scale(sigmoid(p), 2), [](double d) { return d > 0 ? std::log(d) : 0; })))
               : multiply(times(softplus(p), [](double) { return -1.0; }),
                          log1p(times(a, [](double d) { return d; })));
    return add(scores, gather_columns(bias, distances.ids, pairs_shape(inputs.positions)));
  }

  Claims claims() const override {
    return {.shift_invariant = true, .extrapolates = true, .parameters = a_.shape.count() + p_.shape.count()};
  }

 private:
  bool power_;
  Parameter a_, p_;
};

const RegisterScheme registered{{
    .name = "kerple",
    .summary = "scores fall with the logarithm or a power of the distance, at a learned rate per head",
    .source = "Chi et al. 2022",
    .stage = Stage::scores,
    .keys = {choice_key("form", "log", {"log", "power"}, "-p ln(1 + a |i - j|), or -a |i - j|^p")},
    .formula = "log: score - p ln(1 + a |i - j|)\npower: score - a |i - j|^p\na and p learned per head",
    .traps = {"a and p kept positive by clamping stop learning at the clamp",
              "in an encoder it cannot tell left from right"},
    .make = make<Kerple>,
}};

}  // namespace locus::schemes::kerple
