#include "tensor/vector_math.h"

#include <algorithm>
#include <cmath>

#include "base/size.h"
#include "tensor/pack.h"

namespace locus {

namespace {

// Calls step(i, n) for every pack of a row: n is `lanes`, less at the ragged end.
template <class Step>
void for_packs(std::size_t count, Step step) {
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) step(i, std::integral_constant<int, lanes>{});
  if (i < count) step(i, static_cast<int>(count - i));
}

// A whole pack, or the ragged end filled up; which one is known at compile time.
Pack read(const Real* x, std::integral_constant<int, lanes>, Real = 0) { return load(x); }
Pack read(const Real* x, int n, Real fill = 0) { return load_part(x, n, fill); }
void write(Real* x, const Pack& value, std::integral_constant<int, lanes>) { store(x, value); }
void write(Real* x, const Pack& value, int n) { store_part(x, value, n); }

// Reads the packs of a row after which more may be read: `readable` numbers from its start.
struct Reader {
  std::size_t readable;
  Pack operator()(const Real* x, std::size_t j, std::integral_constant<int, lanes>, Real = 0) const {
    return load(x + j);
  }
  Pack operator()(const Real* x, std::size_t j, int n, Real fill = 0) const {
    return j + lanes <= readable ? load_over(x + j, n, fill) : load_part(x + j, n, fill);
  }
};

template <class N>
void add_to(Real* x, const Pack& value, N n) {
  write(x, read(x, n) + value, n);
}

// The sum over a row to which add(total, i, n) adds the n terms from i on. Four totals at once, so that one addition
// need not wait for the one before.
template <class Add>
Real sum_terms(std::size_t count, Add add) {
  Pack totals[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes)
    for (std::size_t s = 0; s < 4; ++s)
      totals[s] = add(totals[s], i + s * lanes, std::integral_constant<int, lanes>{});
  for (; i + lanes <= count; i += lanes) totals[0] = add(totals[0], i, std::integral_constant<int, lanes>{});
  if (i < count) totals[1] = add(totals[1], i, static_cast<int>(count - i));
  return sum((totals[0] + totals[1]) + (totals[2] + totals[3]));
}

// A few rows that take each stage together: sums along a row, exponentials and square roots have their result
// only after many cycles, in which the other rows go on.
struct Block {
  int first, count;  // rows
  std::ptrdiff_t columns;
  std::size_t numbers;  // of the whole matrix
  bool causal;

  // Calls stage(r, start of the row, how many of its columns are visible, how to read it) for r = 0 ..
  // count-1.
  template <class Stage>
  void each(Stage stage) const {
    for (int r = 0; r < count; ++r) {
      const std::ptrdiff_t row = (first + r) * columns;
      stage(r, row, as_size(causal ? (first + r) % columns + 1 : columns), Reader{numbers - as_size(row)});
    }
  }
};

template <class F>
void for_blocks(int rows, int columns, bool causal, F f) {
  const std::size_t numbers = as_size(rows) * as_size(columns);
  for (int first = 0; first < rows; first += lanes)
    f(Block{first, std::min(lanes, rows - first), columns, numbers, causal});
}

}  // namespace

Real sum(const Real* x, std::size_t count) {
  return sum_terms(count, [=](const Pack& total, std::size_t i, auto n) { return total + read(x + i, n); });
}

Real dot(const Real* x, const Real* y, std::size_t count) {
  return sum_terms(count, [=](const Pack& total, std::size_t i, auto n) {
    return fma(read(x + i, n), read(y + i, n), total);
  });
}

Real sum_of_squares(const Real* x, std::size_t count) { return dot(x, x, count); }

void swap_axes(const Real* x, int A, int B, int C, int d, Real* y, bool accumulate) {
  for (int a = 0; a < A; ++a)
    for (int c = 0; c < C; ++c) {
      const Real* row = x + (std::ptrdiff_t{a} * B * C + c) * d;
      for (int b = 0; b < B; ++b, row += std::ptrdiff_t{C} * d, y += d)
        for_packs(as_size(d), [=](std::size_t j, auto n) {
          const Pack moved = read(row + j, n);
          write(y + j, accumulate ? read(y + j, n) + moved : moved, n);
        });
    }
}

void sum_rows(const Real* x, int rows, int columns, Real* sums) {
  // Eight packs of a row side by side, so that whole stretches of memory are read rather than columns.
  constexpr int side_by_side = 8, wide = side_by_side * lanes;
  int first = 0;
  for (; first + wide <= columns; first += wide) {
    Pack totals[side_by_side];
    for (Pack& total : totals) total = 0;
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
      for (int p = 0; p < side_by_side; ++p)
        totals[p] = totals[p] + load(x + static_cast<std::ptrdiff_t>(i) * columns + first + p * lanes);
    for (int p = 0; p < side_by_side; ++p)
      add_to(sums + first + p * lanes, totals[p], std::integral_constant<int, lanes>{});
  }
  for_packs(as_size(columns - first), [=](std::size_t j, auto n) {
    Pack total = 0;
    for (int i = 0; i < rows; ++i)
      total = total +
              read(x + static_cast<std::ptrdiff_t>(i) * columns + first + static_cast<std::ptrdiff_t>(j), n);
    add_to(sums + first + j, total, n);
  });
}

// Weights less than e^-60 of the largest are 0. They are lost in every sum, but their products with gradients can be
// denormal (below 1e-38), and with each of these an Intel processor takes a hundred times as long: in trainings at a
// high rate two thirds of the time.
constexpr Real least_of_softmax = -60;

void softmax(const Real* x, int rows, int columns, bool causal, Real* y, SoftmaxSum* sums) {
  constexpr Real lowest = -static_cast<Real>(__builtin_inf());
  for_blocks(rows, columns, causal, [=](const Block& block) {
    Real shift[lanes], total[lanes], inverse[lanes];
    block.each([&](int r, std::ptrdiff_t row, std::size_t visible, Reader read_row) {
      Pack largest = lowest;
      for_packs(visible, [&](auto j, auto n) { largest = max(largest, read_row(x + row, j, n, lowest)); });
      shift[r] = max(largest);  // the largest exponent becomes 0: nothing overflows
    });
    block.each([&](int r, std::ptrdiff_t row, std::size_t visible, Reader read_row) {
      Pack sum_of_row = 0;
      for_packs(visible, [&](auto j, auto n) {
        const Pack e = exp_of_negative(read_row(x + row, j, n, lowest) - shift[r], least_of_softmax);
        sum_of_row = sum_of_row + e;
        write(y + row + j, e, n);
      });
      total[r] = sum(sum_of_row);
      inverse[r] = 1 / total[r];
    });
    block.each([&](int r, std::ptrdiff_t row, std::size_t visible, Reader read_row) {
      for_packs(visible,
                [&](auto j, auto n) { write(y + row + j, read_row(y + row, j, n) * inverse[r], n); });
      std::fill(y + row + visible, y + row + columns, Real{0});
      if (sums) sums[block.first + r] = {shift[r], total[r]};
    });
  });
}

void softmax_backward(const Real* y, const Real* dy, int rows, int columns, bool causal, Real* dx,
                      bool accumulate) {
  for_blocks(rows, columns, causal, [=](const Block& block) {
    Real mean[lanes];
    block.each([&](int r, std::ptrdiff_t row, std::size_t visible, Reader read_row) {
      Pack products = 0;
      for_packs(visible, [&](auto j, auto n) {
        products = fma(read_row(y + row, j, n), read_row(dy + row, j, n), products);
      });
      mean[r] = sum(products);
    });
    block.each([&](int r, std::ptrdiff_t row, std::size_t visible, Reader read_row) {
      for_packs(visible, [&](auto j, auto n) {
        const Pack term = read_row(y + row, j, n) * (read_row(dy + row, j, n) - mean[r]);
        write(dx + row + j, accumulate ? read_row(dx + row, j, n) + term : term, n);
      });
      if (!accumulate) std::fill(dx + row + visible, dx + row + columns, Real{0});
    });
  });
}

void gelu(const Real* x, std::size_t count, Real* y, Real* slope) {
  for_packs(count, [=](std::size_t j, auto n) {
    const Pack v = read(x + j, n);
    const Normal<Pack> gauss = normal(v);
    write(y + j, v * gauss.cumulative, n);
    if (slope) write(slope + j, gauss.cumulative + v * gauss.density, n);
  });
}

void tanh(const Real* x, std::size_t count, Real* y) {
  for_packs(count, [=](std::size_t j, auto n) { write(y + j, tanh(read(x + j, n)), n); });
}

void normalise(const Real* x, int rows, int columns, const Real* gain, const Real* bias, Real* y,
               RowMoments* moments) {
  const Real share = 1 / static_cast<Real>(columns);
  for_blocks(rows, columns, false, [=](const Block& block) {
    Real mean[lanes], scale[lanes] = {};
    block.each([&](int r, std::ptrdiff_t row, std::size_t size, Reader) {
      mean[r] = sum(x + row, size) * share;
      scale[r] = share * sum_terms(size, [=, m = mean[r]](const Pack& total, std::size_t j, auto n) {
                   const Pack centred = read(x + row + j, n, m) - m;
                   return fma(centred, centred, total);
                 });
    });
    for (Real& s : scale) s = 1 / std::sqrt(s + static_cast<Real>(normalise_epsilon));
    block.each([&](int r, std::ptrdiff_t row, std::size_t size, Reader) {
      for_packs(size, [&](auto j, auto n) {
        write(y + row + j,
              (read(x + row + j, n) - mean[r]) * scale[r] * read(gain + j, n) + read(bias + j, n), n);
      });
      moments[block.first + r] = {mean[r], scale[r]};
    });
  });
}

// With z = (x - mean) scale and g = dy gain: dx = scale (g - mean(g) - z mean(g z)).
void normalise_backward(const Real* x, const RowMoments* moments, int rows, int columns, const Real* gain,
                        const Real* dy, Real* dx, Real* dgain, Real* dbias) {
  const Real share = 1 / static_cast<Real>(columns);
  for_blocks(rows, columns, false, [=](const Block& block) {
    Real mean_g[lanes], mean_gz[lanes];
    block.each([&](int r, std::ptrdiff_t row, std::size_t size, Reader) {
      const RowMoments m = moments[block.first + r];
      Pack sum_g = 0, sum_gz = 0;
      for_packs(size, [&](auto j, auto n) {
        const Pack z = (read(x + row + j, n) - m.mean) * m.scale, d = read(dy + row + j, n),
                   g = d * read(gain + j, n);
        sum_g = sum_g + g;
        sum_gz = fma(g, z, sum_gz);
        add_to(dgain + j, d * z, n);
        add_to(dbias + j, d, n);
      });
      mean_g[r] = sum(sum_g) * share;
      mean_gz[r] = sum(sum_gz) * share;
    });
    block.each([&](int r, std::ptrdiff_t row, std::size_t size, Reader) {
      const RowMoments m = moments[block.first + r];
      for_packs(size, [&](auto j, auto n) {
        const Pack z = (read(x + row + j, n) - m.mean) * m.scale,
                   g = read(dy + row + j, n) * read(gain + j, n);
        add_to(dx + row + j, m.scale * (g - mean_g[r] - z * mean_gz[r]), n);
      });
    });
  });
}

}  // namespace locus
