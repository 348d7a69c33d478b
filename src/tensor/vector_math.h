// Whole rows at a time: the functions of the network that need exp, square roots or sums along a row. With
// the matrix product, the only place in src/ that uses vector registers. Plain twins:
// tests/tensor/vector_math_test.cpp.
#pragma once

#include <cstddef>

#include "base/real.h"

namespace locus {

Real sum(const Real* x, std::size_t count);
Real sum_of_squares(const Real* x, std::size_t count);
Real dot(const Real* x, const Real* y, std::size_t count);

// (A,B,C,d) with the two middle axes swapped, (A,C,B,d): written to y, or added to it.
void swap_axes(const Real* x, int A, int B, int C, int d, Real* y, bool accumulate = false);

// sums[j] += sum over rows of x[i * columns + j]
void sum_rows(const Real* x, int rows, int columns, Real* sums);

// y = softmax(x), row by row; y may be x. When `causal`, columns and rows count alike, matrix after matrix,
// and row i sees columns 0 to i: the others become 0. `sums`, if given, receives what each row was divided
// by: sum(exp(x)) = sum * e^largest.
struct SoftmaxSum {
  Real largest, sum;
};
void softmax(const Real* x, int rows, int columns, bool causal, Real* y, SoftmaxSum* sums = nullptr);

// Backward of y = softmax(x): dx_j = y_j (dy_j - sum_k dy_k y_k), added to what dx holds if `accumulate`
void softmax_backward(const Real* y, const Real* dy, int rows, int columns, bool causal, Real* dx,
                      bool accumulate);

// GELU(x) = x Phi(x), Phi the normal distribution (Hendrycks and Gimpel 2016), and its slope Phi(x) + x
// phi(x), which shares the exponential; `count` numbers. Without a slope to fill, pass nullptr.
void gelu(const Real* x, std::size_t count, Real* y, Real* slope);

void tanh(const Real* x, std::size_t count, Real* y);

// y = (x - mean) * scale * gain + bias, row by row, scale = 1 / sqrt(variance + epsilon) (Ba, Kiros and
// Hinton 2016). Mean and scale of each row go to `moments`.
struct RowMoments {
  Real mean, scale;
};
void normalise(const Real* x, int rows, int columns, const Real* gain, const Real* bias, Real* y,
               RowMoments* moments);
inline constexpr double normalise_epsilon = 1e-5;

// Backward: adds to dx, dgain and dbias.
void normalise_backward(const Real* x, const RowMoments* moments, int rows, int columns, const Real* gain,
                        const Real* dy, Real* dx, Real* dgain, Real* dbias);

}  // namespace locus
