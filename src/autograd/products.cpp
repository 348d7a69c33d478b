// Matrix products: one by one or in batches.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "tensor/matmul.h"

namespace locus {

namespace {

const Op op_matmul{"matmul"};

// Matrices of one size, one after another in memory.
struct Matrices {
  int count, rows, columns;
  Real* data;
  bool transposed = false;  // to be read with rows and columns swapped

  // After the last matrix comes the first again, so a shorter batch is repeated.
  Real* start(int i) const { return data + std::ptrdiff_t{i % count} * rows * columns; }
  Matrix operator[](int i) const { return {start(i), columns, transposed}; }
};

Matrices flip(Matrices m) {
  m.transposed = !m.transposed;
  return m;
}

// c = factor a b, or c += factor a b, for each matrix of the longest batch. A shorter a or b is gone through
// several times; a shorter c collects the sum.
void multiply(Matrices a, Matrices b, Matrices c, Real factor, bool accumulate) {
  if (a.count == 0 || b.count == 0 || c.count == 0) return;
  const int K = a.transposed ? a.rows : a.columns;
  for (int i = 0; i < std::max({a.count, b.count, c.count}); ++i)
    matmul(c.rows, c.columns, K, a[i], b[i], c.start(i),
           {.scale = factor, .accumulate = accumulate || i >= c.count});
}

// "a is (8,16), b is (32,16)"
std::string both_shapes(Tensor a, Tensor b) { return str("a is ", a.shape(), ", b is ", b.shape()); }

void check_product(Tensor a, Tensor b, bool b_transposed) {
  const Shape &x = a.shape(), &y = b.shape();
  if (x.rank() < 2 || y.rank() < 2) fail("matmul", str("both must have rank 2 or more: ", both_shapes(a, b)));
  const int inner = b_transposed ? y.last() : y.from_last(1),
            outer = b_transposed ? y.from_last(1) : y.last();
  if (x.last() != inner)
    fail("matmul",
         str("inner sizes differ: ", both_shapes(a, b), "; a's last must equal b's ",
             b_transposed ? "last, as b is transposed" : "second to last"),
         x.last() != outer ? ""
         : b_transposed    ? "does b fit without transpose?"
                           : "does a or b need a transpose?");
  bool fits = x.rank() >= y.rank();
  for (int axis = 2; axis < y.rank(); ++axis) fits &= x.from_last(axis) == y.from_last(axis);
  if (!fits)
    fail("matmul", str("leading sizes differ: ", both_shapes(a, b), "; those of b must end those of a"));
}

Tensor matmul(Tensor a, Tensor b, bool b_transposed, Real factor) {
  check_product(a, b, b_transposed);
  const bool one_b = b.shape().rank() == 2;  // for every row of a: a single product
  auto matrices = [one_b](Tensor x, Real* data) {
    const Shape& shape = x.shape();
    if (one_b) return Matrices{1, shape.rows(), shape.last(), data};
    return Matrices{shape.from_last(2) * shape.from_last(3), shape.from_last(1), shape.last(), data};
  };
  auto value = [=](Tensor x) { return matrices(x, x.value()); };

  const int N = b_transposed ? b.shape().from_last(1) : b.shape().last();
  Tensor c = a.tape().result(a.shape().with_last(N), {a, b});
  multiply(value(a), b_transposed ? flip(value(b)) : value(b), value(c), factor, false);
  a.tape().record(
      op_matmul, c,
      [=] {
        const Matrices dc = matrices(c, c.gradient());
        // exercise 2.4: add to the gradients of a and b what c contributes.
        // c is factor a b, or factor a b^T if b_transposed. value(x) are the matrices of the values of x,
        // matrices(x, data) those at data, flip(m) the matrices m transposed
        // (but multiply() ignores a flip of its third argument).
        if (a.needs_gradient()) {  // da += dc b^T; or dc b when b is read transposed
          const auto [da, accumulate] = a.contribution();
          multiply(dc, b_transposed ? value(b) : flip(value(b)), matrices(a, da), factor, accumulate);
        }
        if (b.needs_gradient()) {  // db += a^T dc; or dc^T a when b is read transposed
          const auto [db, accumulate] = b.contribution();
          if (b_transposed)
            multiply(flip(dc), value(a), matrices(b, db), factor, accumulate);
          else
            multiply(flip(value(a)), dc, matrices(b, db), factor, accumulate);
        }
        // end
      },
      2.0 * static_cast<double>(c.count()) * a.shape().last());
  return c;
}

}  // namespace

Tensor matmul(Tensor a, Tensor b, double factor) { return matmul(a, b, false, static_cast<Real>(factor)); }
Tensor matmul(Tensor a, Transposed b, double factor) {
  return matmul(a, b.of, true, static_cast<Real>(factor));
}

}  // namespace locus
