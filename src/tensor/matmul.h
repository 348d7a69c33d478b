// The matrix product, where nearly all the time of a transformer goes.
#pragma once

#include <cstddef>

#include "base/real.h"

namespace locus {

// A matrix in memory: element (i,j) is data[i * stride + j], or data[j * stride + i] when it is transposed.
struct Matrix {
  const Real* data;
  int stride;
  bool transposed = false;
};

struct MatmulOptions {
  Real scale = 1;              // multiplies the product
  const Real* bias = nullptr;  // N elements added to every row of the product
  bool accumulate = false;     // add to what c holds, rather than overwrite it
};

// c (M,N) = scale * a (M,K) b (K,N) + bias, or that added to c. c must not overlap a or b. The same in plain
// loops, over random shapes: tests/tensor/matmul_test.cpp.
void matmul(int M, int N, int K, Matrix a, Matrix b, Real* c, const MatmulOptions& options = {});

}  // namespace locus
