// Ops that only move numbers, or average them: heads apart and together, side by side, over time.
#include <algorithm>
#include <memory>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/heads.h"

namespace locus {

namespace {

const Op op_split_heads{"split_heads"}, op_merge_heads{"merge_heads"}, op_concat{"concat"},
    op_mean_over_time{"mean_over_time"}, op_stack_over_time{"stack_over_time"};

}  // namespace

// What was cut without moving anything goes back so, too, unless somebody has put the heads in order
// meanwhile.
Tensor split_heads(Tensor x, int heads) {
  const int D = x.shape().last();
  if (x.shape().rank() != 3 || heads < 1 || D % heads != 0)
    fail("split_heads", text("x is ", x.shape(), " and cannot be split into ", heads, " heads"),
         "x must be (B,T,D) with D a multiple of the heads");
  Tensor y = x.tape().view(x, {x.shape()[0], heads, x.shape()[1], D / heads}, true);
  x.tape().record(op_split_heads, y, [=] {
    if (y.by_token()) return x.take_gradient(y);
    const auto [dx, accumulate] = x.add_gradient();
    order_by_token(y.shape(), y.gradient(), dx, accumulate);
  });
  return y;
}

Tensor merge_heads(Tensor x) {
  if (x.shape().rank() != 4) fail("merge_heads", text("x is ", x.shape(), ", but must be (B,H,T,d)"));
  const Shape merged{x.shape()[0], x.shape()[2], x.shape()[1] * x.shape()[3]};
  Tensor y = x.by_token() ? x.tape().view(x, merged, false) : x.tape().result(merged, {x});
  if (!x.by_token()) order_by_token(x.shape(), x.value(), y.value(), false);
  x.tape().record(op_merge_heads, y, [=] {
    if (x.by_token()) return x.take_gradient(y, Order::as_it_lies);
    const auto [dx, accumulate] = x.add_gradient();
    order_by_head(x.shape(), y.gradient(), dx, accumulate);
  });
  return y;
}

Tensor concat(Tensor x, Tensor y) {
  const int D = x.shape().last(), E = y.shape().last();
  if (!x.shape().ends_with(y.shape().with_last(D)))
    fail("concat", text("rows do not match: x is ", x.shape(), ", y is ", y.shape()),
         "all sizes but the last must be equal; y may lack the leading ones");
  Tensor z = x.tape().result(x.shape().with_last(D + E), {x, y});
  const int rows = x.shape().rows(), y_rows = y.shape().rows();
  // Calls f(start of the row in x, in y, in z).
  auto for_rows = [=](auto f) {
    for (int row = 0; row < rows; ++row)
      f(std::ptrdiff_t{row} * D, std::ptrdiff_t{row % y_rows} * E, std::ptrdiff_t{row} * (D + E));
  };
  for_rows([=](std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t c) {
    std::copy_n(x.value() + a, D, z.value() + c);
    std::copy_n(y.value() + b, E, z.value() + c + D);
  });
  x.tape().record(op_concat, z, [=] {
    for (const bool first : {true, false}) {
      const Tensor to = first ? x : y;
      if (!to.needs_gradient()) continue;
      const auto [gradient, accumulate] = to.add_gradient();
      if (!accumulate) std::fill_n(gradient, to.count(), Real{0});
      for_rows([&, g = gradient](std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t c) {
        const Real* from = z.gradient() + (first ? c : c + D);
        for (int j = 0; j < (first ? D : E); ++j) g[(first ? a : b) + j] += from[j];
      });
    }
  });
  return z;
}

Tensor mean_over_time(Tensor x) {
  if (x.shape().rank() != 3 || x.shape()[1] < 1)
    fail("mean_over_time", text("x is ", x.shape(), ", but must be (B,T,D)"));
  const int B = x.shape()[0], T = x.shape()[1], D = x.shape()[2];
  const Real share = 1 / static_cast<Real>(T);
  Tensor y = x.tape().result({B, D}, {x});
  std::fill_n(y.value(), y.count(), Real{0});
  for (int b = 0; b < B; ++b)
    for (int t = 0; t < T; ++t) {
      const Real* from = x.value() + (std::ptrdiff_t{b} * T + t) * D;
      Real* to = y.value() + std::ptrdiff_t{b} * D;
      for (int c = 0; c < D; ++c) to[c] += share * from[c];
    }
  x.tape().record(op_mean_over_time, y, [=] {
    const auto [dx, accumulate] = x.add_gradient();
    for (int b = 0; b < B; ++b)
      for (int t = 0; t < T; ++t) {
        const Real* from = y.gradient() + std::ptrdiff_t{b} * D;
        Real* to = dx + (std::ptrdiff_t{b} * T + t) * D;
        for (int c = 0; c < D; ++c) to[c] = share * from[c] + (accumulate ? to[c] : 0);
      }
  });
  return y;
}

Tensor stack_over_time(std::span<const Tensor> slices) {
  if (slices.empty()) fail("stack_over_time", "there are no slices", "give one (B,D) for each time");
  const Shape& slice = slices.front().shape();
  for (const Tensor& other : slices)
    if (slice.rank() != 2 || other.shape() != slice)
      fail("stack_over_time", text("one slice is ", slice, ", one is ", other.shape()),
           "all must be of one shape (B,D)");
  const int B = slice[0], T = static_cast<int>(slices.size()), D = slice[1];
  Tape& tape = slices.front().tape();
  Tensor y = tape.result({B, T, D}, slices);
  Tensor* kept = tape.arena().allocate<Tensor>(slices.size());
  std::uninitialized_copy(slices.begin(), slices.end(), kept);
  // Calls f(start of the row in slice t, in y) for each row of it.
  auto for_rows = [=](int t, auto f) {
    for (int b = 0; b < B; ++b) f(std::ptrdiff_t{b} * D, (std::ptrdiff_t{b} * T + t) * D);
  };
  for (int t = 0; t < T; ++t)
    for_rows(t,
             [=](std::ptrdiff_t a, std::ptrdiff_t c) { std::copy_n(kept[t].value() + a, D, y.value() + c); });
  tape.record(op_stack_over_time, y, [=] {
    for (int t = 0; t < T; ++t) {
      if (!kept[t].needs_gradient()) continue;
      const auto [gradient, accumulate] = kept[t].add_gradient();
      for_rows(t, [=, g = gradient, add = accumulate](std::ptrdiff_t a, std::ptrdiff_t c) {
        for (int j = 0; j < D; ++j) g[a + j] = y.gradient()[c + j] + (add ? g[a + j] : 0);
      });
    }
  });
  return y;
}

}  // namespace locus
