// x (...,T,T) has a row for each query; the ops walk along it from the query's own key back to the first one, and leave
// 0 at keys after the query.
#include "positional/support/contextual.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_reverse_cumsum{"reverse_cumsum"}, op_interpolate{"interpolate"},
    op_stick_breaking{"stick_breaking"}, op_path_scores{"path_scores"};

void require_square(const char* op, const Shape& shape) {
  if (shape.rank() < 2 || shape.from_last(0) != shape.from_last(1))
    fail(op, str("x is ", shape, ", but must have as many queries as keys"));
}

// Calls f(query, start of its row) for every row of (...,T,T).
template <class F>
void for_queries(const Shape& shape, F f) {
  const int T = shape.last();
  for (int row = 0; row < shape.rows(); ++row) f(row % T, std::ptrdiff_t{row} * T);
}

Real logistic(Real x) { return 1 / (1 + in_double(std::exp, -x)); }

// to[0 .. d) += factor * from[0 .. d)
void add_multiple(Real* __restrict to, Real factor, const Real* __restrict from, int d) {
  for (int c = 0; c < d; ++c) to[c] += factor * from[c];
}

}  // namespace

Tensor reverse_cumsum(Tensor x) {
  require_square("reverse_cumsum", x.shape());
  const Shape shape = x.shape();
  const int T = shape.last();
  Tensor y = x.tape().result(shape, {x});
  for_queries(shape, [&](int i, std::ptrdiff_t row) {
    const Real* __restrict from = x.value() + row;
    Real* __restrict to = y.value() + row;
    std::fill(to + i + 1, to + T, Real{0});
    Real total = 0;
    for (int j = i; j >= 0; --j) to[j] = total += from[j];
  });
  x.tape().record(op_reverse_cumsum, y, [=] {  // x_ik is part of y_ij for all j <= k
    Real* dx = x.gradient();
    for_queries(shape, [&](int i, std::ptrdiff_t row) {
      const Real* __restrict from = y.gradient() + row;
      Real* __restrict to = dx + row;
      Real total = 0;
      for (int k = 0; k <= i; ++k) to[k] += total += from[k];
    });
  });
  return y;
}

Tensor interpolate(Tensor table, Tensor place) {
  if (table.shape().with_last(1) != place.shape().with_last(1))
    fail("interpolate", str("the table is ", table.shape(), ", the places are ", place.shape(),
                            "; all sizes but the last must be equal"));
  const int N = table.shape().last(), M = place.shape().last(), rows = table.shape().rows();
  // Calls f(which place, entries of the table to its left and right, weight of the right one) for every
  // place.
  auto for_places = [=](auto f) {
    for (int row = 0; row < rows; ++row)
      for (std::ptrdiff_t p = std::ptrdiff_t{row} * M; p < std::ptrdiff_t{row + 1} * M; ++p) {
        const Real to = place.value()[p],
                   at = to >= 0 ? std::min(to, static_cast<Real>(N - 1)) : 0;  // NaN: 0
        const int left = std::min(static_cast<int>(at), std::max(N - 2, 0)),
                  right = std::min(left + 1, N - 1);
        const std::ptrdiff_t start = std::ptrdiff_t{row} * N;
        f(p, start + left, start + right, at - static_cast<Real>(left));
      }
  };
  Tensor y = table.tape().result(place.shape(), {table, place});
  for_places([&](std::ptrdiff_t p, std::ptrdiff_t left, std::ptrdiff_t right, Real weight) {
    y.value()[p] = (1 - weight) * table.value()[left] + weight * table.value()[right];
  });
  table.tape().record(op_interpolate, y, [=] {
    const Real* dy = y.gradient();
    if (table.needs_gradient())
      for_places([=, to = table.gradient()](std::ptrdiff_t p, std::ptrdiff_t left, std::ptrdiff_t right,
                                            Real weight) {
        to[left] += (1 - weight) * dy[p];
        to[right] += weight * dy[p];
      });
    if (place.needs_gradient())
      for_places(
          [=, to = place.gradient()](std::ptrdiff_t p, std::ptrdiff_t left, std::ptrdiff_t right, Real) {
            const bool inside = place.value()[p] >= 0 && place.value()[p] < static_cast<Real>(N - 1);
            if (inside) to[p] += dy[p] * (table.value()[right] - table.value()[left]);
          });
  });
  return y;
}

Tensor stick_breaking(Tensor x, bool current, bool remainder) {
  require_square("stick_breaking", x.shape());
  const Shape shape = x.shape();
  const int T = shape.last();
  Tensor y = x.tape().result(shape, {x});
  for_queries(shape, [&](int i, std::ptrdiff_t row) {
    const Real* __restrict from = x.value() + row;
    Real* __restrict to = y.value() + row;
    const int last = current ? i : i - 1;
    std::fill(to + last + 1, to + T, Real{0});
    Real rest = 1;  // what is left of the stick
    for (int j = last; j >= 0; --j) {
      to[j] = rest * logistic(from[j]);
      rest *= logistic(-from[j]);
    }
    if (remainder) to[i] += rest;
  });
  // When the score of key j rises, its own part of the stick grows and all parts further back shrink.
  x.tape().record(op_stick_breaking, y, [=] {
    Real* dx = x.gradient();
    for_queries(shape, [&](int i, std::ptrdiff_t row) {
      const Real *from = x.value() + row, *part = y.value() + row, *dy = y.gradient() + row;
      Real* to = dx + row;
      const int last = current ? i : i - 1;
      Real rest = remainder ? 1 : 0;
      for (int j = 0; remainder && j <= last; ++j) rest *= logistic(-from[j]);
      Real behind = rest * dy[i];  // sum over the remainder and the keys before j of part * dy
      for (int j = 0; j <= last; ++j) {
        const Real own = j == i ? part[j] - rest : part[j];
        to[j] += own * dy[j] * logistic(-from[j]) - behind * logistic(from[j]);
        behind += own * dy[j];
      }
    });
  });
  return y;
}

// The transforms of PaTH attention (Yang et al. 2025). Row i walks back over the keys with a vector u, at
// first q_i:
//   y_ij = k_j . (u - q_i),  then  u <- H_j u = u - beta_j (w_j . u) w_j
// so that at key j u is H_{j+1} ... H_i q_i. Backward computes every u again, and then walks forward over the
// keys.
Tensor path_scores(Tensor q, Tensor k, Tensor w, Tensor beta) {
  const Shape& shape = q.shape();
  if (shape.rank() != 4 || k.shape() != shape || w.shape() != shape || beta.shape() != shape.with_last(1))
    fail("path_scores", str("q is ", shape, ", k is ", k.shape(), ", w is ", w.shape(), ", beta is ",
                            beta.shape(), "; they must be (B,H,T,d) three times and (B,H,T,1)"));
  const int heads = shape[0] * shape[1], T = shape[2], d = shape[3];
  const auto width = as_size(d);
  // Fills u (T,d) for the query in row i of this head, and calls f(j, u_j, w_j . u_j) on the way.
  auto walk_back = [=](std::ptrdiff_t head, int i, Real* u, auto f) {
    const Real *ws = w.value() + head * T * d, *betas = beta.value() + head * T;
    std::copy_n(q.value() + (head * T + i) * d, d, u + std::ptrdiff_t{i} * d);
    for (int j = i; j >= 0; --j) {
      const Real *w_j = ws + std::ptrdiff_t{j} * d, *u_j = u + std::ptrdiff_t{j} * d;
      const Real along = dot(w_j, u_j, width);
      f(j, u_j, along);
      if (j == 0) break;
      Real* next = u + std::ptrdiff_t{j - 1} * d;
      for (int c = 0; c < d; ++c) next[c] = u_j[c] - betas[j] * along * w_j[c];
    }
  };
  Tensor y = q.tape().result(shape.with_last(T), {q, k, w, beta});
  std::fill_n(y.value(), y.count(), Real{0});
  Real* u = q.tape().arena().allocate<Real>(as_size(T) * width);
  for (std::ptrdiff_t head = 0; head < heads; ++head)
    for (int i = 0; i < T; ++i)
      walk_back(head, i, u, [&](int j, const Real* u_j, Real) {
        const Real *k_j = k.value() + (head * T + j) * d, *q_i = q.value() + (head * T + i) * d;
        y.value()[(head * T + i) * T + j] = dot(k_j, u_j, width) - dot(k_j, q_i, width);
      });
  q.tape().record(op_path_scores, y, [=] {
    Arena& arena = q.tape().arena();
    Real *dq = q.gradient(), *dk = k.gradient(), *dw = w.gradient(), *dbeta = beta.gradient();
    Real *along = arena.allocate<Real>(as_size(T)), *du = arena.allocate<Real>(width);
    for (std::ptrdiff_t head = 0; head < heads; ++head)
      for (int i = 0; i < T; ++i) {
        walk_back(head, i, u, [&](int j, const Real*, Real w_u) { along[j] = w_u; });
        const std::ptrdiff_t query = (head * T + i) * d;
        std::fill_n(du, d, Real{0});
        for (int j = 0; j <= i; ++j) {
          const std::ptrdiff_t key = (head * T + j) * d;
          const Real *u_j = u + std::ptrdiff_t{j} * d, *w_j = w.value() + key, *k_j = k.value() + key;
          if (j > 0) {  // through H_j, which is symmetric
            const Real w_du = dot(w_j, du, width), b = beta.value()[head * T + j];
            dbeta[head * T + j] -= along[j] * w_du;
            add_multiple(dw + key, -b * w_du, u_j, d);
            add_multiple(dw + key, -b * along[j], du, d);
            add_multiple(du, -b * w_du, w_j, d);
          }
          const Real dy = y.gradient()[(head * T + i) * T + j];
          add_multiple(du, dy, k_j, d);
          add_multiple(dq + query, -dy, k_j, d);
          add_multiple(dk + key, dy, u_j, d);
          add_multiple(dk + key, -dy, q.value() + query, d);
        }
        add_multiple(dq + query, 1, du, d);
      }
  });
  return y;
}

}  // namespace locus
