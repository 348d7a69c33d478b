// Polar coordinate position embedding (Gopalakrishnan, Csordas, Schmidhuber and Mozer 2025, "PoPE"): the content
// decides how long each channel of a query or key is, the position alone in which direction it points.
//   channel c of the query at p:  length softplus(q_c), angle p w_c              w_c = base^(-c / d), c = 0 .. d-1
//   channel c of the key at s:    length softplus(k_c), angle s w_c + delta_c
//   score = 1/sqrt(d) sum over c of softplus(q_c) softplus(k_c) cos((s - p) w_c + delta_c)
// Each of the d channels is a pair of its own, (x, y), where rope has d/2 pairs of two channels. delta is learned for
// each layer, head and channel, and is kept between -2 pi and 0. With delta = 0 the cosine is even: such an encoder
// cannot tell left from right.
#include <algorithm>
#include <complex>
#include <numbers>

#include "autograd/ops.h"
#include "base/error.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"
#include "positional/support/rotary_frequencies.h"

namespace locus::schemes::pope {

constexpr double pi = std::numbers::pi;

class Pope : public Scheme {
 public:
  Pope(const Options& options, const SchemeContext& context, ParameterTable& table)
      : d_(context.d_head()), base_(options.number("base")), clamped_(options.text("clamp") == "on") {
    const std::string& start = options.text("delta");
    if (start == "none" && options.given("clamp"))
      fail_usage("pope", "'clamp' does nothing without delta", "leave it out, or give delta=zero or uniform");
    if (start != "none")
      delta_.emplace(table, context, "pope.delta", Shape{context.heads, 1, d_},
                     start == "zero" ? Initial::constant(0) : Initial::between(-2 * pi, 0));
  }

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    const Positions& p = inputs.positions;
    const auto turns = turns_(p, [&] {
      Turns all;
      const std::vector<double> w = frequencies(p.length).inverse_frequency;
      for (const double position : p.all())
        for (const double speed : w) all.add(std::polar(1.0, position * speed));
      return all;
    });
    const auto [cos, sin] = turns->on(q.tape(), p);
    const Shape row_by_row{p.length, d_};
    Real* zeros = q.tape().arena().allocate<Real>(row_by_row.count());
    std::fill_n(zeros, row_by_row.count(), Real{0});
    const Tensor zero = q.tape().constant(row_by_row, zeros);
    // Before the turn by its position a query has the angle 0, a key the angle delta. x is in channel c, y in c + d.
    q = rotate(concat(softplus(q), zero), cos, sin, PairLayout::half);
    const Tensor length = softplus(k);
    if (delta_) {
      const Tensor free = (*delta_)(inputs), delta = clamped_ ? clamp(free, -2 * pi, 0) : free;
      const Tensor x = length * cosine(delta);
      const Tensor y = length * cosine(delta - pi / 2);  // the sine
      k = rotate(concat(x, y), cos, sin, PairLayout::half);
    } else {
      k = rotate(concat(length, zero), cos, sin, PairLayout::half);
    }
  }

  Frequencies frequencies(int) const override {
    Frequencies all;
    for (int c = 0; c < d_; ++c) all.inverse_frequency.push_back(std::pow(base_, -1.0 * c / d_));
    return all;
  }

  Claims claims() const override {
    return {.mirror_blind = !delta_,
            .direction_aware = delta_.has_value(),
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .parameters = delta_ ? delta_->count() : 0};
  }

 private:
  int d_;
  double base_;
  bool clamped_;
  std::optional<PerLayer> delta_;
  Remembered<Turns> turns_;
};

const RegisterScheme registered{{
    .name = "pope",
    .summary = "every channel an arrow: the token decides its length, the position its direction",
    .source = "Gopalakrishnan et al. 2025",
    .stage = Stage::query_and_key,
    .options =
        {number_option("base", "10000", 1.0001, 1e12,
                       "ratio of the longest to the shortest wavelength, nearly"),
         choice_option(
             "delta", "zero", {"zero", "uniform", "none"},
             "where the learned angles of the keys start: at 0, or between -2 pi and 0; or no such angles"),
         choice_option("clamp", "on", {"on", "off"}, "whether delta is kept between -2 pi and 0")},
    .formula = "score = 1/sqrt(d) sum over c of softplus(q_c) softplus(k_c) cos((j - i) w_c + delta_c)\n"
               "query i, key j,  w_c = base^(-c/d), c = 0 .. d-1,  delta_c between -2 pi and 0",
    .traps =
        {"with delta at 0 the score is the same for a key as far on the left as on the right",
         "clamped and started at 0 it cannot learn to look back: that needs delta > 0, where the clamp has no slope",
         "so an encoder with the default delta stays on the mirror-blind ceiling of `previous`",
         "the speeds are those of d pairs, not of d/2, and the d under the root is not doubled",
         "delta belongs to the key alone; on the query it turns the other way"},
    .differs =
        {"the paper's theta^((c-1)/d) lacks a minus, and its `theta_c = min(max(...` means delta_c; here as "
         "in x-transformers: base^(-c/d) from c = 0, and delta is clamped when it is used",
         "left out: the fused kernel; channels that do not turn"},
    .make = make<Pope>,
}};

}  // namespace locus::schemes::pope
