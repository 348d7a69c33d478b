// The linear layer. (Not in products.cpp: its gradients would answer the exercise there.)
#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/matmul.h"
#include "tensor/vector_math.h"

namespace locus {

namespace {

const Op op_linear{"linear"};

}  // namespace

Tensor linear(Tensor x, Tensor weight, Tensor bias) {
  const int I = x.shape().last(), O = weight.shape().last(), rows = x.shape().rows();
  if (weight.shape() != Shape{I, O} || bias.shape() != Shape{O})
    fail("linear", str("x is ", x.shape(), ", weight is ", weight.shape(), ", bias is ", bias.shape(),
                       "; weight must be (", I, ",O) and bias (O)"));
  Tensor y = x.tape().result(x.shape().with_last(O), {x, weight, bias});
  matmul(rows, O, I, {x.value(), I}, {weight.value(), O}, y.value(), {.bias = bias.value()});
  x.tape().record(
      op_linear, y,
      [=] {
        const Real* dy = y.gradient();
        if (x.needs_gradient()) {  // dx += dy W^T
          const auto [dx, accumulate] = x.contribution();
          matmul(rows, I, O, {dy, O}, {weight.value(), O, true}, dx, {.accumulate = accumulate});
        }
        if (weight.needs_gradient())  // dW += x^T dy
          matmul(I, O, rows, {x.value(), I, true}, {dy, O}, weight.gradient(), {.accumulate = true});
        if (bias.needs_gradient()) sum_rows(dy, rows, O, bias.gradient());
      },
      2.0 * rows * I * O);
  return y;
}

}  // namespace locus
