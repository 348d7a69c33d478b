// Ops built on the matrix product. With c = a b, the way back is two more products: da = dc b^T and db = a^T
// dc.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/matmul.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_matmul{"matmul"}, op_linear{"linear"}, op_linear_gelu{"linear_gelu"};

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

// y, yet to be filled, of x weight + bias.
Tensor linear_result(const char* op, Tensor x, Tensor weight, Tensor bias) {
  const int I = x.shape().last(), O = weight.shape().last();
  if (weight.shape() != Shape{I, O} || bias.shape() != Shape{O})
    fail(op, text("x is ", x.shape(), ", weight is ", weight.shape(), ", bias is ", bias.shape(),
                  "; weight must be (", I, ",O) and bias (O)"));
  return x.tape().result(x.shape().with_last(O), {x, weight, bias});
}

void linear_forward(Tensor x, Tensor weight, Tensor bias, Real* y) {
  const int I = x.shape().last(), O = weight.shape().last(), rows = x.shape().rows();
  matmul(rows, O, I, {x.value(), I}, {weight.value(), O}, y, {.bias = bias.value()});
}

void linear_backward(Tensor x, Tensor weight, Tensor bias, const Real* dy) {
  const int I = x.shape().last(), O = weight.shape().last(), rows = x.shape().rows();
  if (x.needs_gradient()) {
    const auto [dx, accumulate] = x.add_gradient();
    matmul(rows, I, O, {dy, O}, {weight.value(), O, true}, dx, {.accumulate = accumulate});
  }
  if (weight.needs_gradient()) {
    const auto [dw, accumulate] = weight.add_gradient();
    matmul(I, O, rows, {x.value(), I, true}, {dy, O}, dw, {.accumulate = accumulate});
  }
  if (bias.needs_gradient()) {
    const auto [db, accumulate] = bias.add_gradient();
    sum_rows(dy, rows, O, db, accumulate);
  }
}

double linear_operations(Tensor x, Tensor y) {
  return 2.0 * x.shape().last() * static_cast<double>(y.count());
}

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
  Tensor y = linear_result("linear", x, weight, bias);
  linear_forward(x, weight, bias, y.value());
  x.tape().record(
      op_linear, y, [=] { linear_backward(x, weight, bias, y.gradient()); }, linear_operations(x, y));
  return y;
}

// The way back needs GELU's slopes and not what went in: they take its place in memory, and the gradient of
// what went in takes theirs.
Tensor linear_gelu(Tensor x, Tensor weight, Tensor bias) {
  Tensor y = linear_result("linear_gelu", x, weight, bias);
  const std::size_t count = y.count();
  Real* slope = y.needs_gradient() ? x.tape().arena().allocate<Real>(count) : nullptr;
  Real* before = slope ? slope : y.value();
  linear_forward(x, weight, bias, before);
  gelu(before, count, y.value(), slope);
  x.tape().record(
      op_linear_gelu, y,
      [=] {
        Real* __restrict dbefore = slope;
        const Real* __restrict dy = y.gradient();
        for (std::size_t i = 0; i < count; ++i) dbefore[i] *= dy[i];
        linear_backward(x, weight, bias, dbefore);
      },
      linear_operations(x, y));
  return y;
}

}  // namespace locus
