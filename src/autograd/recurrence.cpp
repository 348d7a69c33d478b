// The recurrence of a layer of model/gated_delta.h.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/size.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_gated_delta_rule{"gated_delta_rule"};

// to[0 .. d) += factor * from[0 .. d)
void add_multiple(Real* __restrict to, Real factor, const Real* __restrict from, int d) {
  for (int c = 0; c < d; ++c) to[c] += factor * from[c];
}

}  // namespace

// S has a row for each channel of a value. Every S_t is kept for backward. There, with P = decay S_(t-1) and the error
// u = v - P k: S_t = P + beta u k^T.
Tensor gated_delta_rule(Tensor q, Tensor k, Tensor v, Tensor decay, Tensor beta) {
  const Shape& shape = q.shape();
  if (shape.rank() != 4 || k.shape() != shape || v.shape() != shape ||
      decay.shape() != Shape{shape[0], shape[2], shape[1]} || beta.shape() != decay.shape())
    fail("gated_delta_rule",
         str("q is ", shape, ", k is ", k.shape(), ", v is ", v.shape(), ", decay is ", decay.shape(),
             ", beta is ", beta.shape(), "; they must be (B,H,T,d) three times and (B,T,H) twice"));
  const int H = shape[1], T = shape[2], d = shape[3], heads = shape[0] * H;
  const auto width = as_size(d);
  const std::ptrdiff_t size = std::ptrdiff_t{d} * d;
  Tensor o = q.tape().result(shape, {q, k, v, decay, beta});
  Real* states = q.tape().arena().allocate<Real>(as_size(heads) * as_size(T) * as_size(size));
  Real* error = q.tape().arena().allocate<Real>(o.count());
  const auto gate = [=](std::ptrdiff_t head, int t) { return (head / H * T + t) * H + head % H; };
  for (std::ptrdiff_t head = 0; head < heads; ++head)
    for (int t = 0; t < T; ++t) {
      const std::ptrdiff_t at = (head * T + t) * d;
      Real* S = states + (head * T + t) * size;
      const Real *q_t = q.value() + at, *k_t = k.value() + at, *v_t = v.value() + at;
      const Real keep = decay.value()[gate(head, t)], step = beta.value()[gate(head, t)];
      for (std::ptrdiff_t i = 0; i < size; ++i) S[i] = t == 0 ? Real{0} : keep * S[i - size];
      for (int row = 0; row < d; ++row) {
        Real* of_row = S + std::ptrdiff_t{row} * d;
        error[at + row] = v_t[row] - dot(of_row, k_t, width);
        add_multiple(of_row, step * error[at + row], k_t, d);
        o.value()[at + row] = dot(of_row, q_t, width);
      }
    }
  q.tape().record(op_gated_delta_rule, o, [=] {
    Real *dq = q.gradient(), *dk = k.gradient(), *dv = v.gradient(), *ddecay = decay.gradient(),
         *dbeta = beta.gradient(), *dS = q.tape().arena().allocate<Real>(as_size(size));
    for (std::ptrdiff_t head = 0; head < heads; ++head) {
      std::fill_n(dS, size, Real{0});
      for (int t = T - 1; t >= 0; --t) {
        const std::ptrdiff_t at = (head * T + t) * d;
        const Real* S = states + (head * T + t) * size;
        const Real *q_t = q.value() + at, *k_t = k.value() + at, *dy = o.gradient() + at;
        const Real keep = decay.value()[gate(head, t)], step = beta.value()[gate(head, t)];
        for (int row = 0; row < d; ++row) {
          const Real *of_row = S + std::ptrdiff_t{row} * d, *before = of_row - size, u = error[at + row];
          Real* d_row = dS + std::ptrdiff_t{row} * d;
          add_multiple(dq + at, dy[row], of_row, d);
          add_multiple(d_row, dy[row], q_t, d);
          const Real along = dot(d_row, k_t, width);
          dbeta[gate(head, t)] += u * along;
          dv[at + row] += step * along;
          add_multiple(dk + at, step * u, d_row, d);
          add_multiple(d_row, -step * along, k_t, d);  // from here on the gradient of P
          if (t == 0) continue;
          add_multiple(dk + at, -step * along * keep, before, d);
          ddecay[gate(head, t)] += dot(d_row, before, width);
          for (int c = 0; c < d; ++c) d_row[c] *= keep;
        }
      }
    }
  });
  return o;
}

}  // namespace locus
