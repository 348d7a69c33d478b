// The matrix product, where nearly all the time of a transformer goes.
#pragma once

#include <cstddef>

#include "base/real.h"

namespace locus {

// A matrix in memory: element (i,j) lies at data[i * stride + j], or at data[j * stride + i] when it is
// transposed.
struct Matrix {
  const Real* data;
  int stride;
  bool transposed = false;
};

struct MatmulOptions {
  Real scale = 1;              // multiplies the product
  const Real* bias = nullptr;  // N numbers added to every row of the product
  // Rather than overwrite what c holds, add to it, or multiply it number by number: one of the two at most.
  bool accumulate = false, multiply = false;
  int c_stride = 0;  // from one row of c to the next; 0: N, as there is nothing between them
};

// c (M,N) = scale * a (M,K) b (K,N) + bias, or that added to c, or multiplied into it. c must not overlap a
// or b. Plain twin and random shapes: tests/tensor/matmul_test.cpp.
void matmul(int M, int N, int K, Matrix a, Matrix b, Real* c, const MatmulOptions& options = {});

}  // namespace locus
