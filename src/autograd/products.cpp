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

// The matrices of a batch, one after the other; when there are fewer, they come round again.
struct Operand {
  const Real* data;
  int stride;
  bool transposed;
  std::size_t step;  // from one matrix to the next
  int count;

  Matrix at(int batch) const {
    return {data + static_cast<std::size_t>(batch % count) * step, stride, transposed};
  }
};

// c holds `count` matrices, which collect those of the batch in turn.
void multiply_batch(int batch, int M, int N, int K, Operand a, Operand b, Real* c, int count, Real factor,
                    bool accumulate) {
  const std::size_t c_step = static_cast<std::size_t>(M) * static_cast<std::size_t>(N);
  for (int i = 0; i < batch; ++i)
    matmul(M, N, K, a.at(i), b.at(i), c + static_cast<std::size_t>(i % count) * c_step,
           {.scale = factor, .accumulate = accumulate || i >= count});
}

void add_product(Tensor to, int count, int batch, int M, int N, int K, Operand a, Operand b, Real factor) {
  if (!to.needs_gradient()) return;
  const auto [gradient, accumulate] = to.add_gradient();
  multiply_batch(batch, M, N, K, a, b, gradient, count, factor, accumulate);
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

  const bool shared = b.shape().rank() == 2;  // one b for every row of a: a single tall product
  if (!shared && !leading_axes_end(a.shape(), b.shape()))
    fail("matmul", text("leading sizes differ: ", both_shapes(a, b), "; those of b must end those of a"));
  const int M = shared ? a.shape().rows() : a.shape().from_last(1);
  const int batch = shared ? 1 : a.shape().rows() / std::max(M, 1);
  const int b_count = std::max(b.shape().rows() / std::max(b_rows, 1), 1);

  const std::size_t a_step = static_cast<std::size_t>(M) * static_cast<std::size_t>(K);
  const std::size_t b_step = static_cast<std::size_t>(N) * static_cast<std::size_t>(K);
  const std::size_t c_step = static_cast<std::size_t>(M) * static_cast<std::size_t>(N);
  const Operand A{a.value(), K, false, a_step, std::max(batch, 1)};
  const Operand B{b.value(), b_columns, b_transposed, b_step, b_count};

  Tensor c = a.tape().result(a.shape().with_last(N), {a, b});
  multiply_batch(batch, M, N, K, A, B, c.value(), A.count, factor, false);
  a.tape().record(
      op_matmul, c,
      [=] {
        const Operand dC{c.gradient(), N, false, c_step, A.count};
        auto flip = [](Operand x) { return Operand{x.data, x.stride, !x.transposed, x.step, x.count}; };
        add_product(a, A.count, batch, M, K, N, dC, flip(B), factor);  // da = dc b^T
        if (b_transposed)
          add_product(b, b_count, batch, N, K, M, flip(dC), A, factor);  // b stands transposed: db = dc^T a
        else
          add_product(b, b_count, batch, K, N, M, flip(A), dC, factor);  // db = a^T dc
      },
      2.0 * batch * M * N * K);
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
