// Sines and cosines of geometrically falling frequency (Vaswani et al. 2017, section 3.5), as
// support/sinusoid.h computes them:
//   PE[p, 2i] = sin(p w_i),  PE[p, 2i+1] = cos(p w_i),  w_i = base^(-2i / D)
// With one kind of wave only, each channel c has a frequency of its own: base^(-c / D). With scale=learned the code is
// multiplied by one trained number, which starts at 1 (Li et al. 2019, "Neural speech synthesis with Transformer
// network"): sines and token embeddings need not have the same size.
#include "autograd/ops.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/sinusoid.h"

namespace locus::schemes::sinusoidal {

class Sinusoidal : public CodeScheme {
 public:
  Sinusoidal(const Options& options, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(options.text("join") == "add" ? Join::add : Join::concat, context.d_model, context, table),
        width_(context.d_model),
        base_(options.number("base")),
        waves_(options.text("waves")) {
    if (options.text("scale") == "learned")
      scale_ = table.add("position.sinusoidal.scale", {1}, Initial::constant(1));
  }

  // Without parameters: as it is before the learned scale.
  std::vector<double> code(double position, int, const Real* parameters) const override {
    std::vector<double> code = waves(position);
    if (scale_ && parameters)
      for (double& c : code) c *= static_cast<double>(parameters[scale_->offset]);
    return code;
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .bounded = true,
            .unique = true,
            .extrapolates = true,
            .linear_shift = waves_ == "both" && width_ % 2 == 0,
            .parameters = join_parameters() + (scale_ ? 1 : 0)};
  }

 protected:
  Tensor codes(Tape& tape, const Positions& positions) const override {
    const Tensor fixed = CodeScheme::codes(tape, positions);
    return scale_ ? fixed * tape.parameter(*scale_) : fixed;
  }

 private:
  std::vector<double> waves(double position) const {
    if (waves_ == "both") return sinusoid(position, width_, base_);
    const std::vector<double> both = sinusoid(position, 2 * width_, base_);
    std::vector<double> code;
    for (std::size_t c = waves_ == "sin" ? 0 : 1; c < both.size(); c += 2) code.push_back(both[c]);
    return code;
  }

  int width_;
  double base_;
  std::string waves_;
  std::optional<Parameter> scale_;
};

const RegisterScheme registered{{
    .name = "sinusoidal",
    .summary = "sines and cosines from fast to slow, like the hands of many clocks",
    .source = "Vaswani et al. 2017",
    .stage = Stage::embedding,
    .options = {number_option("base", "10000", 1.0001, 1e12,
                              "ratio of the longest to the shortest wavelength, nearly"),
                choice_option("join", "add", {"add", "concat"}, "added to x, or beside x and projected back"),
                choice_option("waves", "both", {"both", "sin", "cos"},
                              "sines and cosines in turn, or one kind only"),
                choice_option("scale", "fixed", {"fixed", "learned"},
                              "as it is, or times one learned number that starts at 1 (Li et al. 2019)")},
    .formula = "PE[p, 2i] = sin(p w_i),  PE[p, 2i+1] = cos(p w_i),  w_i = base^(-2i/D)",
    .traps = {"sine and cosine of a pair share one speed; each with its own, no shift is a turn any more",
              "the exponent of pair i is 2i/D; doubled, it passes any test of shapes",
              "the dot product of two codes falls with distance, but at D = 64 it rises again at 6"},
    .lesson = 6,
    .make = make<Sinusoidal>,
}};

}  // namespace locus::schemes::sinusoidal
