// GRAPE, multiplicative (Zhang et al. 2025, "Group representational position encoding"): queries and keys turn by their
// position as in rope, but in planes that are learned. The d channels of a head are cut into N blocks; block i has two
// vectors a and b, which span its plane, and turns by
//   exp(t L) = I + sin(t s)/s L + (1 - cos(t s))/s^2 L^2     (Rodrigues),   t = position * w_i, w_i = base^(-i/N)
//   L = a b^T - b a^T,   s^2 = |a|^2 |b|^2 - (a . b)^2
// so the score depends on the difference of the positions only. The blocks share no channel, so their turns commute.
// L turns from b to a: with N = d/2, b the first and a the second channel of each pair, it is rope. There training
// starts; learned is how far a and b are from that, for each layer and head.
#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "positional/support/per_layer.h"
#include "positional/support/registry.h"
#include "positional/support/remember.h"
#include "positional/support/rotary_settings.h"

namespace locus::schemes::grape_m {

class GrapeM : public Scheme {
 public:
  GrapeM(const Options& options, const SchemeContext& context, ParameterTable& table)
      : d_(channels_in_pairs("grape-m", context.d_head(), context.d_head())),
        heads_(context.heads),
        planes_(options.given("planes") ? options.integer("planes") : d_ / 2),
        base_(options.number("base")),
        a_(table, context, "grape-m.a", {heads_, d_, 1}, Initial::constant(0)),
        b_(table, context, "grape-m.b", {heads_, d_, 1}, Initial::constant(0)) {
    if (d_ % planes_ != 0 || d_ / planes_ < 2)
      fail_usage("grape-m",
                 str("a head's ", d_, " channels cannot be cut into 'planes=", planes_, "' blocks"),
                 "every block has the same number of channels, 2 or more");
  }

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    const Planes planes = planes_of(inputs);
    q = turned(q, planes);
    k = turned(k, planes);
  }

  Claims claims() const override {
    return {.direction_aware = true,
            .shift_invariant = true,
            .bounded = true,
            .extrapolates = true,
            .norm_preserving = true,
            .parameters = a_.count() + b_.count()};
  }

 private:
  struct Planes {
    Tensor a, b;                     // (H,d,N), column i has the vector of block i, 0 outside of it
    Tensor a_a, b_b, a_b;            // their dot products (H,1,N)
    Tensor of_generator, of_square;  // sin(t s)/s and (1 - cos(t s))/s^2, (1 or B,H,T,N)
  };

  static Real* filled(Tape& tape, const Shape& shape, Real value) {
    Real* all = tape.arena().allocate<Real>(shape.count());
    std::fill_n(all, shape.count(), value);
    return all;
  }

  // Of block i: its channels begin at channel i d/N. The vector is e of channel `which` of the block, plus `learned`.
  Tensor vectors(Tensor learned, int which) const {
    const int block = d_ / planes_;
    const Shape shape{d_, planes_};
    Tape& tape = learned.tape();
    Real *own = filled(tape, shape, 0), *start = filled(tape, shape, 0);
    for (int c = 0; c < d_; ++c) {
      own[c * planes_ + c / block] = 1;
      if (c % block == which) start[c * planes_ + c / block] = 1;
    }
    const Tensor moved = learned * tape.constant(shape, own);  // (H,d,1) -> (H,d,N)
    return moved + tape.constant(shape, start);
  }

  Planes planes_of(const AttentionInputs& inputs) const {
    const Tensor a = vectors(a_(inputs), 1);
    const Tensor b = vectors(b_(inputs), 0);
    Tape& tape = a.tape();
    const Shape row{heads_, 1, d_};
    const Tensor sum = tape.constant(row, filled(tape, row, 1));
    const Tensor a_a = matmul(sum, a * a), b_b = matmul(sum, b * b), a_b = matmul(sum, a * b);
    const Tensor product = a_a * b_b;
    const Tensor s_squared = product - a_b * a_b;
    const Positions& p = inputs.positions;
    const auto times = times_(p, [&] {
      Reals all;
      for (const double position : p.all())
        for (int i = 0; i < planes_; ++i)
          all.push_back(static_cast<Real>(position * std::pow(base_, -1.0 * i / planes_)));
      return all;
    });
    const Tensor t = tape.constant({p.rows, 1, p.length, planes_}, times->data());
    const Tensor of_generator = sine_over_root(s_squared, t);
    const Tensor half =
        sine_over_root(s_squared, 0.5 * t);  // 1 - cos x = 2 sin(x/2)^2, which loses no digits
    return {a, b, a_a, b_b, a_b, of_generator, 2 * (half * half)};
  }

  // x (B,H,T,d) -> exp(t L) x, row by row
  static Tensor turned(Tensor x, const Planes& planes) {
    const auto& [a, b, a_a, b_b, a_b, of_generator, of_square] = planes;
    const Tensor a_x = matmul(x, a), b_x = matmul(x, b);  // L x = (b . x) a - (a . x) b   (B,H,T,N)
    const Tensor a_Lx = a_a * b_x - a_b * a_x;
    const Tensor b_Lx = a_b * b_x - b_b * a_x;
    const Tensor along_a = of_generator * b_x + of_square * b_Lx;
    const Tensor along_b = of_generator * a_x + of_square * a_Lx;
    const Tensor with_a = x + matmul(along_a, transpose(a));
    return with_a - matmul(along_b, transpose(b));
  }

  int d_, heads_, planes_;
  double base_;
  PerLayer a_, b_;
  Remembered<Reals> times_;
};

const RegisterScheme registered{{
    .name = "grape-m",
    .summary = "queries and keys turn as in rope, in planes and at speeds that are learned",
    .source = "Zhang et al. 2025",
    .stage = Stage::query_and_key,
    .options = {number_option("base", "10000", 1.0001, 1e12,
                              "ratio of the fastest to the slowest speed, nearly"),
                integer_option("planes", "", 1, 4096,
                               "blocks that a head's channels are cut into, a plane in each "
                               "(half the channels when left out: as rope)")},
    .formula = "q_p and k_p become exp(p w_i L_i) q_p and exp(p w_i L_i) k_p in block i,  w_i = base^(-i/N)\n"
               "L = a b^T - b a^T,  exp(t L) = I + sin(t s)/s L + (1 - cos(t s))/s^2 L^2,\n"
               "s^2 = |a|^2 |b|^2 - (a . b)^2",
    .traps =
        {"a b^T - b a^T turns from b to a: RoPE is a = e_2i+1, b = e_2i; the paper's order turns the other way",
         "where a and b are parallel s is 0: sin(t s)/s is t there, not 0/0",
         "turns in planes that share channels do not commute: the score would depend on both positions",
         "the speed is w_i times the area s that a and b span: lengthening a speeds the turn up",
         "half of the numbers start at gradient 0, where AdamW enlarges rounding: two exact programs differ",
         "turns are computed in float: past position 100000 scores depend on more than the difference"},
    .differs =
        {"the authors' released code learns frequencies only, one for each pair, shared by the heads, "
         "and a learned normalisation follows the turn, after which the score depends on more than the "
         "difference of the positions; here planes are learned, each within its block, and nothing follows",
         "left out: planes that share channels, and those that depend on the tokens"},
    .make = make<GrapeM>,
}};

}  // namespace locus::schemes::grape_m
