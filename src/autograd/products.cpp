// Ops built on the matrix product. With c = a b, the way back is two more products: da = dc b^T and db = a^T
// dc.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/matmul.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_matmul{"matmul"}, op_linear{"linear"}, op_feed_forward{"feed_forward"};

// The matrices of a tensor's last two axes, as they lie: one for each example and head.
struct Matrices {
  Real* data;
  std::ptrdiff_t example, head;  // from one to the next; 0: one serves all
  int row;                       // from one row to the next
  bool transposed = false;

  Real* start(int b, int h) const { return data + b * example + h * head; }
  Matrix at(int b, int h) const { return {start(b, h), row, transposed}; }
  Matrices flipped() const { return {data, example, head, row, !transposed}; }
};

// `data` holds the value of x, or its gradient.
Matrices matrices(Tensor x, const Real* data, bool transposed = false) {
  const Shape& shape = x.shape();
  const int columns = shape.last(), H = shape.rank() > 2 ? shape.from_last(2) : 1;
  const std::ptrdiff_t matrix = std::ptrdiff_t{shape.from_last(1)} * columns;
  auto* numbers = const_cast<Real*>(data);
  if (x.by_token()) return {numbers, H * matrix, columns, H * columns, transposed};
  return {numbers, shape.rank() > 3 ? H * matrix : 0, matrix, columns, transposed};
}

// c (M,N) = factor * a (M,K) b (K,N) for each of B examples and H heads. Where one c serves all, it collects
// them.
void multiply(int B, int H, int M, int N, int K, Matrices a, Matrices b, Matrices c, Real factor,
              bool accumulate) {
  for (int i = 0; i < B; ++i)
    for (int h = 0; h < H; ++h)
      matmul(M, N, K, a.at(i, h), b.at(i, h), c.start(i, h),
             {.scale = factor, .accumulate = accumulate || (i > 0 && c.example == 0), .c_stride = c.row});
}

// `x` is called so in the message.
void check_linear(const char* op, const char* x, Shape shape, Tensor weight, Tensor bias) {
  const int I = shape.last(), O = weight.shape().last();
  if (weight.shape() != Shape{I, O} || bias.shape() != Shape{O})
    fail(op, text(x, " is ", shape, ", weight is ", weight.shape(), ", bias is ", bias.shape(),
                  "; weight must be (", I, ",O) and bias (O)"));
}

void linear_forward(const Real* x, int rows, Tensor weight, Tensor bias, Real* y) {
  const int I = weight.shape().from_last(1), O = weight.shape().last();
  matmul(rows, O, I, {x, I}, {weight.value(), O}, y, {.bias = bias.value()});
}

// What dy adds to the gradients of the weight and the bias.
void weight_backward(const Real* x, int rows, Tensor weight, Tensor bias, const Real* dy) {
  const int I = weight.shape().from_last(1), O = weight.shape().last();
  if (weight.needs_gradient()) {
    const auto [dw, accumulate] = weight.add_gradient();
    matmul(I, O, rows, {x, I, true}, {dy, O}, dw, {.accumulate = accumulate});
  }
  if (bias.needs_gradient()) {
    const auto [db, accumulate] = bias.add_gradient();
    sum_rows(dy, rows, O, db, accumulate);
  }
}

void linear_backward(Tensor x, Tensor weight, Tensor bias, const Real* dy) {
  const int I = x.shape().last(), O = weight.shape().last(), rows = x.shape().rows();
  if (x.needs_gradient()) {
    const auto [dx, accumulate] = x.add_gradient();
    matmul(rows, I, O, {dy, O}, {weight.value(), O, true}, dx, {.accumulate = accumulate});
  }
  weight_backward(x.value(), rows, weight, bias, dy);
}

double linear_operations(int rows, Tensor weight) { return 2.0 * rows * static_cast<double>(weight.count()); }

// "a is (8,16), b is (32,16)"
std::string both_shapes(Tensor a, Tensor b) { return text("a is ", a.shape(), ", b is ", b.shape()); }

// All sizes of b but the last two, and as many of a.
bool leading_axes_end(const Shape& a, const Shape& b) {
  if (a.rank() < b.rank()) return false;
  for (int axis = 2; axis < b.rank(); ++axis)
    if (a.from_last(axis) != b.from_last(axis)) return false;
  return true;
}

Tensor matmul(Tensor a, Tensor b, bool b_transposed, Real factor) {
  if (a.shape().rank() < 2 || b.shape().rank() < 2)
    fail("matmul", text("both must have rank 2 or more: ", both_shapes(a, b)));
  const int K = a.shape().last();
  const int b_rows = b.shape().from_last(1), b_columns = b.shape().last();
  const int N = b_transposed ? b_rows : b_columns;
  if (K != (b_transposed ? b_columns : b_rows))
    fail("matmul",
         text("inner sizes differ: ", both_shapes(a, b), "; a's last must equal b's ",
              b_transposed ? "last, as b is transposed" : "second to last"),
         K == (b_transposed ? b_rows : b_columns)
             ? (b_transposed ? "matmul(a, b)?" : "matmul(a, transpose(b))?")
             : "");

  const bool tall = b.shape().rank() == 2;  // one b for every row of a: a single product
  if (!tall && !leading_axes_end(a.shape(), b.shape()))
    fail("matmul", text("leading sizes differ: ", both_shapes(a, b), "; those of b must end those of a"));
  const int rank = tall ? 2 : a.shape().rank();
  const int B = rank > 3 ? a.shape()[0] : 1, H = rank > 2 ? a.shape().from_last(2) : 1,
            M = tall ? a.shape().rows() : a.shape().from_last(1);
  const Order order = tall ? Order::of_shape : Order::as_it_lies;
  auto values = [=](Tensor x, bool transposed) { return matrices(x, x.value(order), transposed); };

  Tensor c = a.tape().result(a.shape().with_last(N), {a, b}, b.by_token() && !b_transposed);
  multiply(B, H, M, N, K, values(a, false), values(b, b_transposed), values(c, false), factor, false);
  a.tape().record(
      op_matmul, c,
      [=] {
        const Matrices left = values(a, false), right = values(b, b_transposed),
                       dc = matrices(c, c.gradient(order));
        if (a.needs_gradient()) {  // da = dc b^T
          const auto [da, accumulate] = a.add_gradient(order);
          multiply(B, H, M, K, N, dc, right.flipped(), matrices(a, da), factor, accumulate);
        }
        if (!b.needs_gradient()) return;
        const auto [db, accumulate] = b.add_gradient(order);
        if (b_transposed)  // db = dc^T a, as b stands transposed
          multiply(B, H, N, K, M, dc.flipped(), left, matrices(b, db), factor, accumulate);
        else  // db = a^T dc
          multiply(B, H, K, N, M, left.flipped(), dc, matrices(b, db), factor, accumulate);
      },
      2.0 * B * H * M * N * K);
  return c;
}

}  // namespace

Tensor matmul(Tensor a, Tensor b, Real factor) { return matmul(a, b, false, factor); }
Tensor matmul(Tensor a, Transposed b, Real factor) { return matmul(a, b.of, true, factor); }

Tensor linear(Tensor x, Tensor weight, Tensor bias) {
  check_linear("linear", "x", x.shape(), weight, bias);
  const int rows = x.shape().rows();
  Tensor y = x.tape().result(x.shape().with_last(weight.shape().last()), {x, weight, bias});
  linear_forward(x.value(), rows, weight, bias, y.value());
  x.tape().record(
      op_linear, y, [=] { linear_backward(x, weight, bias, y.gradient()); }, linear_operations(rows, weight));
  return y;
}

// The way back needs what GELU gave and its slopes, but not what went in: the slopes take its place in
// memory. The gradient of what GELU gave only matters times the slopes, so it is multiplied into them.
Tensor feed_forward(Tensor x, Tensor up, Tensor up_bias, Tensor down, Tensor down_bias) {
  const int rows = x.shape().rows(), F = up.shape().last(), O = down.shape().last();
  check_linear("feed_forward", "x", x.shape(), up, up_bias);
  check_linear("feed_forward", "what GELU gives", x.shape().with_last(F), down, down_bias);
  Tensor y = x.tape().result(x.shape().with_last(O), {x, up, up_bias, down, down_bias});
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(F);
  Real* hidden = x.tape().arena().allocate<Real>(count);
  Real* slope = y.needs_gradient() ? x.tape().arena().allocate<Real>(count) : nullptr;
  Real* before = slope ? slope : hidden;
  linear_forward(x.value(), rows, up, up_bias, before);
  gelu(before, count, hidden, slope);
  linear_forward(hidden, rows, down, down_bias, y.value());
  x.tape().record(
      op_feed_forward, y,
      [=] {
        const Real* dy = y.gradient();
        matmul(rows, F, O, {dy, O}, {down.value(), O, true}, slope, {.multiply = true});
        weight_backward(hidden, rows, down, down_bias, dy);
        linear_backward(x, up, up_bias, slope);
      },
      linear_operations(rows, up) + linear_operations(rows, down));
  return y;
}

}  // namespace locus
