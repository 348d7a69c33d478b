// Ops that treat each number by itself, or pair it with one other.
#include <algorithm>
#include <cmath>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_add{"add"}, op_multiply{"multiply"}, op_scale{"scale"}, op_gelu{"gelu"}, op_tanh{"tanh"},
    op_sigmoid{"sigmoid"};
const Op op_divide{"divide"}, op_relu{"relu"}, op_exp{"exp"}, op_log1p{"log1p"}, op_softplus{"softplus"};

// Entry i of x becomes value(i), for all i.
template <class F>
void set_each(Tensor x, F value) {
  Real* to = x.value();
  const std::size_t count = x.count();
  for (std::size_t i = 0; i < count; ++i) to[i] = value(i);
}

// Adds share(i) to entry i of x's gradient, for all i.
template <class F>
void add_each(Tensor x, F share) {
  if (!x.needs_gradient()) return;
  const auto [gradient, accumulate] = x.add_gradient();
  Real* __restrict g = gradient;
  const std::size_t count = x.count();
  if (accumulate)
    for (std::size_t i = 0; i < count; ++i) g[i] += share(i);
  else
    for (std::size_t i = 0; i < count; ++i) g[i] = share(i);
}

// y = f(x) entry by entry, for functions whose slope is plain to see from y alone.
template <class F, class Slope>
Tensor apply(const Op& op, Tensor x, F f, Slope slope) {
  Tensor y = x.tape().result(x.shape(), {x});
  set_each(y, [v = x.value(), f](std::size_t i) { return f(v[i]); });
  x.tape().record(op, y, [=] {
    add_each(x, [dy = y.gradient(), v = y.value(), slope](std::size_t i) { return dy[i] * slope(v[i]); });
  });
  return y;
}

}  // namespace

Tensor add(Tensor x, Tensor y) {
  if (!x.shape().ends_with(y.shape()))
    fail("add", text("shapes do not fit: x is ", x.shape(), ", y is ", y.shape(),
                     "; the shape of y must end that of x"));
  Tensor z = x.tape().result(x.shape(), {x, y});
  const std::size_t inner = y.count(), outer = inner == 0 ? 0 : x.count() / inner;
  for (std::size_t o = 0; o < outer; ++o) {
    const Real* __restrict a = x.value() + o * inner;
    const Real* __restrict b = y.value();
    Real* __restrict c = z.value() + o * inner;
    for (std::size_t i = 0; i < inner; ++i) c[i] = a[i] + b[i];
  }
  x.tape().record(op_add, z, [=] {
    if (y.needs_gradient()) {
      const auto [gradient, accumulate] = y.add_gradient();
      sum_rows(z.gradient(), static_cast<int>(outer), static_cast<int>(inner), gradient, accumulate);
    }
    if (x.needs_gradient()) x.take_gradient(z);
  });
  return z;
}

Tensor multiply(Tensor x, Tensor y) {
  if (x.shape() != y.shape()) fail("multiply", text("shapes differ: x is ", x.shape(), ", y is ", y.shape()));
  Tensor z = x.tape().result(x.shape(), {x, y});
  set_each(z, [a = x.value(), b = y.value()](std::size_t i) { return a[i] * b[i]; });
  x.tape().record(op_multiply, z, [=] {
    add_each(x, [dz = z.gradient(), b = y.value()](std::size_t i) { return dz[i] * b[i]; });
    add_each(y, [dz = z.gradient(), a = x.value()](std::size_t i) { return dz[i] * a[i]; });
  });
  return z;
}

Tensor scale(Tensor x, Real factor) {
  Tensor y = x.tape().result(x.shape(), {x});
  set_each(y, [v = x.value(), factor](std::size_t i) { return factor * v[i]; });
  x.tape().record(op_scale, y, [=] {
    add_each(x, [dy = y.gradient(), factor](std::size_t i) { return factor * dy[i]; });
  });
  return y;
}

Tensor gelu(Tensor x) {
  Tensor y = x.tape().result(x.shape(), {x});
  Real* slope = x.needs_gradient() ? x.tape().arena().allocate<Real>(x.count()) : nullptr;
  gelu(x.value(), x.count(), y.value(), slope);
  x.tape().record(op_gelu, y, [=] {
    add_each(x, [dy = y.gradient(), slope](std::size_t i) { return dy[i] * slope[i]; });
  });
  return y;
}

Tensor tanh(Tensor x) {
  Tensor y = x.tape().result(x.shape(), {x});
  tanh(x.value(), x.count(), y.value());
  x.tape().record(op_tanh, y, [=] {
    add_each(x, [dy = y.gradient(), v = y.value()](std::size_t i) { return dy[i] * (1 - v[i] * v[i]); });
  });
  return y;
}

// 1 / (1 + exp(-x)) = (1 + tanh(x / 2)) / 2, which never overflows.
Tensor sigmoid(Tensor x) {
  Tensor y = x.tape().result(x.shape(), {x});
  constexpr auto half = static_cast<Real>(0.5);
  set_each(y, [v = x.value()](std::size_t i) { return half * v[i]; });
  tanh(y.value(), y.count(), y.value());
  set_each(y, [v = y.value()](std::size_t i) { return half + half * v[i]; });
  x.tape().record(op_sigmoid, y, [=] {
    add_each(x, [dy = y.gradient(), v = y.value()](std::size_t i) { return dy[i] * v[i] * (1 - v[i]); });
  });
  return y;
}

Tensor divide(Tensor x, Tensor y) {
  if (x.shape() != y.shape()) fail("divide", text("shapes differ: x is ", x.shape(), ", y is ", y.shape()));
  Tensor z = x.tape().result(x.shape(), {x, y});
  set_each(z, [a = x.value(), b = y.value()](std::size_t i) { return a[i] / b[i]; });
  x.tape().record(op_divide, z, [=] {
    add_each(x, [dz = z.gradient(), b = y.value()](std::size_t i) { return dz[i] / b[i]; });
    add_each(
        y, [dz = z.gradient(), c = z.value(), b = y.value()](std::size_t i) { return -dz[i] * c[i] / b[i]; });
  });
  return z;
}

Tensor relu(Tensor x) {
  return apply(
      op_relu, x, [](Real v) { return std::max(v, Real{0}); },
      [](Real y) { return static_cast<Real>(y > 0); });
}

Tensor exp(Tensor x) {
  return apply(
      op_exp, x, [](Real v) { return std::exp(v); }, [](Real y) { return y; });
}

Tensor log1p(Tensor x) {
  return apply(
      op_log1p, x, [](Real v) { return std::log1p(v); }, [](Real y) { return std::exp(-y); });
}

Tensor softplus(Tensor x) {
  return apply(
      op_softplus, x, [](Real v) { return std::max(v, Real{0}) + std::log1p(std::exp(-std::abs(v))); },
      [](Real y) { return -std::expm1(-y); });
}

}  // namespace locus
