// Ops that move elements, put tensors together, or sum over time.
#include <algorithm>
#include <memory>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/size.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_split_heads{"split_heads"}, op_merge_heads{"merge_heads"}, op_as_row{"as_row"},
    op_concat{"concat"}, op_mean_over_time{"mean_over_time"}, op_cumsum_over_time{"cumsum_over_time"},
    op_time_slice{"time_slice"}, op_stack_over_time{"stack_over_time"};

// to[0 .. count) += from[0 .. count)
void add_row(const Real* __restrict from, Real* __restrict to, int count) {
  for (int c = 0; c < count; ++c) to[c] += from[c];
}

}  // namespace

// (B,T,D) is (B,T,H,d) in memory, so both ways the two middle axes are swapped.
Tensor split_heads(Tensor x, int heads) {
  const int D = x.shape().last();
  if (x.shape().rank() != 3 || heads < 1 || D % heads != 0)
    fail("split_heads", str("x is ", x.shape(), " and cannot be split into ", heads, " heads"),
         "x must be (B,T,D) with D a multiple of the heads");
  const int B = x.shape()[0], T = x.shape()[1], d = D / heads;
  Tensor y = x.tape().result({B, heads, T, d}, {x});
  swap_axes(x.value(), B, T, heads, d, y.value());
  x.tape().record(op_split_heads, y, [=] {
    const auto [dx, accumulate] = x.contribution();
    swap_axes(y.gradient(), B, heads, T, d, dx, accumulate);
  });
  return y;
}

Tensor merge_heads(Tensor x) {
  if (x.shape().rank() != 4) fail("merge_heads", str("x is ", x.shape(), ", but must be (B,H,T,d)"));
  const int B = x.shape()[0], H = x.shape()[1], T = x.shape()[2], d = x.shape()[3];
  Tensor y = x.tape().result({B, T, H * d}, {x});
  swap_axes(x.value(), B, H, T, d, y.value());
  x.tape().record(op_merge_heads, y, [=] {
    const auto [dx, accumulate] = x.contribution();
    swap_axes(y.gradient(), B, T, H, d, dx, accumulate);
  });
  return y;
}

Tensor as_row(Tensor x) {
  if (x.shape().rank() != 4 || x.shape().last() != 1)
    fail("as_row", str("x is ", x.shape(), ", but must be (B,H,T,1)"));
  Tensor y = x.tape().result({x.shape()[0], x.shape()[1], 1, x.shape()[2]}, {x});
  std::copy_n(x.value(), x.count(), y.value());
  x.tape().record(op_as_row, y, [=] { add_row(y.gradient(), x.gradient(), static_cast<int>(x.count())); });
  return y;
}

Tensor concat(Tensor x, Tensor y) {
  const int D = x.shape().last(), E = y.shape().last();
  if (!x.shape().ends_with(y.shape().with_last(D)))
    fail("concat", str("rows do not match: x is ", x.shape(), ", y is ", y.shape()),
         "all sizes but the last must be equal; y may lack the leading ones");
  Tensor z = x.tape().result(x.shape().with_last(D + E), {x, y});
  const std::ptrdiff_t rows = x.shape().rows(), y_rows = y.shape().rows();
  // exercise 7.3: each row of z: the D elements of a row of x, then the E of the row of y that belongs beside it
  // (x has `rows` rows; y has `y_rows`, as many or fewer)
  for (std::ptrdiff_t row = 0; row < rows; ++row) {
    Real* to = z.value() + row * (D + E);
    std::copy_n(x.value() + row * D, D, to);
    std::copy_n(y.value() + row % y_rows * E, E, to + D);
  }
  // end
  x.tape().record(op_concat, z, [=] {
    // exercise 7.4: what x.gradient() and y.gradient() get from z.gradient()
    // (add_row(), above, adds; x.needs_gradient() is false of a constant, which can be left out)
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      const Real* dz = z.gradient() + row * (D + E);
      if (x.needs_gradient()) add_row(dz, x.gradient() + row * D, D);
      if (y.needs_gradient()) add_row(dz + D, y.gradient() + row % y_rows * E, E);
    }
    // end
  });
  return z;
}

Tensor mean_over_time(Tensor x) {
  if (x.shape().rank() != 3 || x.shape()[1] < 1)
    fail("mean_over_time", str("x is ", x.shape(), ", but must be (B,T,D)"));
  const int B = x.shape()[0], T = x.shape()[1], D = x.shape()[2];
  const Real weight = 1 / static_cast<Real>(T);
  Tensor y = x.tape().result({B, D}, {x});
  std::fill_n(y.value(), y.count(), Real{0});
  for (int row = 0; row < B * T; ++row)
    for (int c = 0; c < D; ++c)
      y.value()[std::ptrdiff_t{row / T} * D + c] += weight * x.value()[std::ptrdiff_t{row} * D + c];
  x.tape().record(op_mean_over_time, y, [=] {
    const Real* dy = y.gradient();
    Real* dx = x.gradient();
    for (int row = 0; row < B * T; ++row)
      for (int c = 0; c < D; ++c)
        dx[std::ptrdiff_t{row} * D + c] += weight * dy[std::ptrdiff_t{row / T} * D + c];
  });
  return y;
}

Tensor cumsum_over_time(Tensor x) {
  if (x.shape().rank() != 3) fail("cumsum_over_time", str("x is ", x.shape(), ", but must be (B,T,D)"));
  const int B = x.shape()[0], T = x.shape()[1], D = x.shape()[2];
  const std::ptrdiff_t example = std::ptrdiff_t{T} * D;
  Tensor y = x.tape().result(x.shape(), {x});
  for (int b = 0; b < B; ++b)
    for (std::ptrdiff_t i = b * example; i < (b + 1) * example; ++i)
      y.value()[i] = x.value()[i] + (i - b * example < D ? 0 : y.value()[i - D]);
  x.tape().record(op_cumsum_over_time, y, [=] {  // x_t is part of y_t and of all later sums
    Real* later = x.tape().arena().allocate<Real>(as_size(D));
    for (int b = 0; b < B; ++b) {
      std::fill_n(later, D, Real{0});
      for (int t = T - 1; t >= 0; --t) {
        add_row(y.gradient() + b * example + t * D, later, D);
        add_row(later, x.gradient() + b * example + t * D, D);
      }
    }
  });
  return y;
}

Tensor time_slice(Tensor x, int t) {
  if (x.shape().rank() != 3 || t < 0 || t >= x.shape()[1])
    fail("time_slice", str("x is ", x.shape(), " and has no time ", t), "x must be (B,T,D), and t below T");
  const int B = x.shape()[0], T = x.shape()[1], D = x.shape()[2];
  Tensor y = x.tape().result({B, D}, {x});
  for (int b = 0; b < B; ++b)
    std::copy_n(x.value() + (std::ptrdiff_t{b} * T + t) * D, D, y.value() + std::ptrdiff_t{b} * D);
  x.tape().record(op_time_slice, y, [=] {
    for (int b = 0; b < B; ++b)
      add_row(y.gradient() + std::ptrdiff_t{b} * D, x.gradient() + (std::ptrdiff_t{b} * T + t) * D, D);
  });
  return y;
}

Tensor stack_over_time(std::span<const Tensor> slices) {
  if (slices.empty()) fail("stack_over_time", "there are no slices", "give one (B,D) for each time");
  const Shape& slice = slices.front().shape();
  for (const Tensor& other : slices)
    if (slice.rank() != 2 || other.shape() != slice)
      fail("stack_over_time", str("one slice is ", slice, ", one is ", other.shape()),
           "all must be of one shape (B,D)");
  const int B = slice[0], T = static_cast<int>(slices.size()), D = slice[1];
  Tape& tape = slices.front().tape();
  Tensor y = tape.result({B, T, D}, slices);
  Tensor* kept = tape.arena().allocate<Tensor>(slices.size());
  std::uninitialized_copy(slices.begin(), slices.end(), kept);
  // Calls f(t, start of the row in slice t, start of the row in y) for each row.
  auto for_rows = [=](auto f) {
    for (int b = 0; b < B; ++b)
      for (int t = 0; t < T; ++t) f(t, std::ptrdiff_t{b} * D, (std::ptrdiff_t{b} * T + t) * D);
  };
  for_rows([&](int t, std::ptrdiff_t from, std::ptrdiff_t to) {
    std::copy_n(kept[t].value() + from, D, y.value() + to);
  });
  tape.record(op_stack_over_time, y, [=] {
    for_rows([=](int t, std::ptrdiff_t from, std::ptrdiff_t to) {
      if (kept[t].needs_gradient()) add_row(y.gradient() + to, kept[t].gradient() + from, D);
    });
  });
  return y;
}

}  // namespace locus
