// Ops that work element by element: functions of one tensor, and arithmetic of two with numpy's broadcasting.
#include <algorithm>
#include <cmath>
#include <optional>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_add{"add"}, op_subtract{"subtract"}, op_multiply{"multiply"}, op_divide{"divide"},
    op_add_number{"add_number"}, op_multiply_number{"multiply_number"};
const Op op_relu{"relu"}, op_clamp{"clamp"}, op_cosine{"cosine"}, op_sine_over_root{"sine_over_root"},
    op_exp{"exp"}, op_log1p{"log1p"}, op_softplus{"softplus"}, op_tanh{"tanh"}, op_sigmoid{"sigmoid"},
    op_gelu{"gelu"};

// The elements of two operands that are combined with numpy's broadcasting (tensor/shape.h).
class Broadcast {
 public:
  Broadcast(const char* op, const Shape& x, const Shape& y) {
    const std::optional<Shape> shape = broadcast(x, y);
    if (!shape)
      fail(op, str("shapes do not broadcast: x is ", x, ", y is ", y),
           "counted from the last axis, sizes must be equal, or one of them 1 or missing");
    shape_ = *shape;
    std::ptrdiff_t x_inner = 1, y_inner = 1;  // elements of the axes further in
    for (int axis = 0; axis < shape_.rank(); ++axis) {
      const int a = x.from_last(axis), b = y.from_last(axis);
      add_axis({shape_.from_last(axis), a == 1 ? 0 : x_inner, b == 1 ? 0 : y_inner});
      x_inner *= a;
      y_inner *= b;
    }
  }

  const Shape& shape() const { return shape_; }

  // Calls f(i, j, k) for each element i of the result, made of element j of x and k of y. On the innermost
  // axis an operand either moves by one element or is repeated; a loop for each case lets the compiler
  // vectorise it.
  template <class F>
  void for_each(F f) const {
    const Axis &run = axes_[0], &a = axes_[1], &b = axes_[2], &c = axes_[3];
    std::ptrdiff_t i = 0;
    for (std::ptrdiff_t ic = 0; ic < c.size; ++ic)
      for (std::ptrdiff_t ib = 0; ib < b.size; ++ib)
        for (std::ptrdiff_t ia = 0; ia < a.size; ++ia, i += run.size) {
          const std::ptrdiff_t j = ic * c.x + ib * b.x + ia * a.x, k = ic * c.y + ib * b.y + ia * a.y;
          if (run.x == 0)
            for (std::ptrdiff_t n = 0; n < run.size; ++n) f(i + n, j, k + n);
          else if (run.y == 0)
            for (std::ptrdiff_t n = 0; n < run.size; ++n) f(i + n, j + n, k);
          else
            for (std::ptrdiff_t n = 0; n < run.size; ++n) f(i + n, j + n, k + n);
        }
  }

 private:
  struct Axis {
    // How far x and y move from one index to the next; 0: repeated. (An axis that is not used has one index.)
    std::ptrdiff_t size = 1, x = 1, y = 1;
  };

  // Axes come from the last outwards. An axis that continues the one inside it is merged with it, so (B,T,D)
  // + (T,D) runs over T D elements at a time.
  void add_axis(Axis axis) {
    if (axis.size == 1) return;
    Axis* last = count_ > 0 ? &axes_[count_ - 1] : nullptr;
    if (last && axis.x == last->x * last->size && axis.y == last->y * last->size)
      last->size *= axis.size;
    else
      axes_[count_++] = axis;
  }

  Shape shape_;
  Axis axes_[Shape::max_rank];
  int count_ = 0;
};

// z = f(x, y), with the slopes df/dx and df/dy. What was repeated collects the gradient of every repetition.
template <class F, class SlopeX, class SlopeY>
Tensor combine(const Op& op, Tensor x, Tensor y, F f, SlopeX slope_x, SlopeY slope_y) {
  const Broadcast pairs(op.name, x.shape(), y.shape());
  Tensor z = x.tape().result(pairs.shape(), {x, y});
  pairs.for_each(
      [f, a = x.value(), b = y.value(), c = z.value()](auto i, auto j, auto k) { c[i] = f(a[j], b[k]); });
  x.tape().record(op, z, [=] {
    const Real *a = x.value(), *b = y.value(), *dz = z.gradient();
    // exercise 2.2: the chain rule: add to the gradients of x and y what each element of dz contributes.
    // pairs.for_each(g) calls g(i, j, k) for each element i of z, made of element j of x and k of y
    if (x.needs_gradient())
      pairs.for_each(
          [=, dx = x.gradient()](auto i, auto j, auto k) { dx[j] += dz[i] * slope_x(a[j], b[k]); });
    if (y.needs_gradient())
      pairs.for_each(
          [=, dy = y.gradient()](auto i, auto j, auto k) { dy[k] += dz[i] * slope_y(a[j], b[k]); });
    // end
  });
  return z;
}

// Adds term(i) to element i of the gradient of x, for all i.
template <class F>
void add_to_gradient(Tensor x, F term) {
  const auto [dx, accumulate] = x.contribution();
  const std::size_t count = x.count();
  if (accumulate)
    for (std::size_t i = 0; i < count; ++i) dx[i] += term(i);
  else
    for (std::size_t i = 0; i < count; ++i) dx[i] = term(i);
}

// y = f(x), with the slope as a function of x and y.
template <class F, class Slope>
Tensor apply(const Op& op, Tensor x, F f, Slope slope) {
  Tensor y = x.tape().result(x.shape(), {x});
  const Real* a = x.value();
  Real* b = y.value();
  const std::size_t count = x.count();
  for (std::size_t i = 0; i < count; ++i) b[i] = f(a[i]);
  x.tape().record(op, y, [=] {
    add_to_gradient(x, [=, dy = y.gradient()](std::size_t i) { return dy[i] * slope(a[i], b[i]); });
  });
  return y;
}

}  // namespace

Tensor operator+(Tensor x, Tensor y) {
  return combine(
      op_add, x, y, [](Real a, Real b) { return a + b; }, [](Real, Real) { return Real{1}; },
      [](Real, Real) { return Real{1}; });
}

Tensor operator-(Tensor x, Tensor y) {
  return combine(
      op_subtract, x, y, [](Real a, Real b) { return a - b; }, [](Real, Real) { return Real{1}; },
      [](Real, Real) { return Real{-1}; });
}

Tensor operator*(Tensor x, Tensor y) {
  // exercise 2.3: z = x y and its slopes, as in the operators above and below; its Op is op_multiply
  return combine(
      op_multiply, x, y, [](Real a, Real b) { return a * b; }, [](Real, Real b) { return b; },
      [](Real a, Real) { return a; });
  // end
}

Tensor operator/(Tensor x, Tensor y) {
  return combine(
      op_divide, x, y, [](Real a, Real b) { return a / b; }, [](Real, Real b) { return 1 / b; },
      [](Real a, Real b) { return -a / (b * b); });
}

Tensor operator+(Tensor x, double number) {
  return apply(
      op_add_number, x, [c = static_cast<Real>(number)](Real a) { return a + c; },
      [](Real, Real) { return Real{1}; });
}

Tensor operator*(Tensor x, double number) {
  const auto c = static_cast<Real>(number);
  return apply(
      op_multiply_number, x, [c](Real a) { return a * c; }, [c](Real, Real) { return c; });
}

Tensor relu(Tensor x) {
  return apply(
      op_relu, x, [](Real a) { return std::max(a, Real{0}); },
      [](Real a, Real) { return static_cast<Real>(a > 0); });
}

Tensor clamp(Tensor x, double low, double high) {
  return apply(
      op_clamp, x,
      [a = static_cast<Real>(low), b = static_cast<Real>(high)](Real v) { return std::clamp(v, a, b); },
      [](Real v, Real y) { return static_cast<Real>(v == y); });
}

Tensor exp(Tensor x) {
  return apply(
      op_exp, x, [](Real a) { return in_double(std::exp, a); }, [](Real, Real y) { return y; });
}

Tensor log1p(Tensor x) {
  return apply(
      op_log1p, x, [](Real a) { return in_double(std::log1p, a); }, [](Real a, Real) { return 1 / (1 + a); });
}

// log(1 + exp(a)) = max(a, 0) + log(1 + exp(-|a|)), where no exponential overflows. Its slope is sigmoid(a) =
// 1 - exp(-y).
Tensor softplus(Tensor x) {
  return apply(
      op_softplus, x,
      [](Real a) { return std::max(a, Real{0}) + in_double(std::log1p, in_double(std::exp, -std::abs(a))); },
      [](Real, Real y) { return -in_double(std::expm1, -y); });
}

Tensor cosine(Tensor x) {
  return apply(
      op_cosine, x, [](Real a) { return in_double(std::cos, a); },
      [](Real a, Real) { return -in_double(std::sin, a); });
}

namespace {

// sin(a) / a and its slope by a^2, (cos(a) - sin(a) / a) / (2 a^2). Where the differences would lose digits, series.
double sinc(double a) { return std::abs(a) < 1e-4 ? 1 - a * a / 6 : std::sin(a) / a; }
double sinc_slope(double a) {
  const double b = a * a;
  if (b < 0.01) return -1.0 / 6 + b / 60 - b * b / 1680 + b * b * b / 90720;
  return (std::cos(a) - sinc(a)) / (2 * b);
}

}  // namespace

// In double, because t can be a far position: sin(t s) / s = t sinc(t s).
Tensor sine_over_root(Tensor z, Tensor t) {
  const auto angle = [](double a, double b) { return b * std::sqrt(std::max(a, 0.0)); };
  return combine(
      op_sine_over_root, z, t,
      [angle](double a, double b) { return static_cast<Real>(b * sinc(angle(a, b))); },
      [angle](double a, double b) { return static_cast<Real>(b * b * b * sinc_slope(angle(a, b))); },
      [angle](double a, double b) { return static_cast<Real>(std::cos(angle(a, b))); });
}

Tensor tanh(Tensor x) {
  Tensor y = x.tape().result(x.shape(), {x});
  tanh(x.value(), x.count(), y.value());
  x.tape().record(op_tanh, y, [=] {
    add_to_gradient(x,
                    [t = y.value(), dy = y.gradient()](std::size_t i) { return dy[i] * (1 - t[i] * t[i]); });
  });
  return y;
}

// 1 / (1 + exp(-x)) = (1 + tanh(x / 2)) / 2. The right side never overflows.
Tensor sigmoid(Tensor x) {
  Tensor y = x.tape().result(x.shape(), {x});
  Real* s = y.value();
  constexpr auto half = static_cast<Real>(0.5);
  for (std::size_t i = 0; i < x.count(); ++i) s[i] = half * x.value()[i];
  tanh(s, x.count(), s);
  for (std::size_t i = 0; i < x.count(); ++i) s[i] = half + half * s[i];
  x.tape().record(op_sigmoid, y, [=] {
    add_to_gradient(x, [=, dy = y.gradient()](std::size_t i) { return dy[i] * s[i] * (1 - s[i]); });
  });
  return y;
}

Tensor gelu(Tensor x) {
  Tensor y = x.tape().result(x.shape(), {x});
  Real* slope = y.needs_gradient() ? x.tape().arena().allocate<Real>(x.count()) : nullptr;
  gelu(x.value(), x.count(), y.value(), slope);
  x.tape().record(op_gelu, y, [=] {
    add_to_gradient(x, [=, dy = y.gradient()](std::size_t i) { return dy[i] * slope[i]; });
  });
  return y;
}

}  // namespace locus
