#include "tensor/vector_math.h"

#include <cmath>

#include "base/pack.h"

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
void write(Real* x, Pack value, std::integral_constant<int, lanes>) { store(x, value); }
void write(Real* x, Pack value, int n) { store_part(x, value, n); }

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
void write_or_add(Real* x, Pack value, N n, bool accumulate) {
  write(x, accumulate ? read(x, n) + value : value, n);
}

// Four sums at once, so that one addition need not wait for the one before.
template <class Term>
Real sum_terms(std::size_t count, Term term) {
  Pack sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes)
    for (std::size_t s = 0; s < 4; ++s) sums[s] += term(i + s * lanes, std::integral_constant<int, lanes>{});
  for (; i + lanes <= count; i += lanes) sums[0] += term(i, std::integral_constant<int, lanes>{});
  if (i < count) sums[1] += term(i, static_cast<int>(count - i));
  return sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

}  // namespace

Real sum(const Real* x, std::size_t count) {
  return sum_terms(count, [=](std::size_t i, auto n) { return read(x + i, n); });
}

Real dot(const Real* x, const Real* y, std::size_t count) {
  return sum_terms(count, [=](std::size_t i, auto n) { return read(x + i, n) * read(y + i, n); });
}

Real sum_of_squares(const Real* x, std::size_t count) { return dot(x, x, count); }

void sum_rows(const Real* x, int rows, int columns, Real* sums, bool accumulate) {
  for_packs(static_cast<std::size_t>(columns), [=](std::size_t j, auto n) {
    Pack total = {};
    for (int i = 0; i < rows; ++i) total += read(x + static_cast<std::ptrdiff_t>(i) * columns + j, n);
    write_or_add(sums + j, total, n, accumulate);
  });
}

SoftmaxSum softmax(const Real* x, int count, Real* y, std::size_t readable) {
  const auto size = static_cast<std::size_t>(count);
  const Reader read_row{readable};
  constexpr Real lowest = -static_cast<Real>(__builtin_inf());
  Pack largest = splat(lowest);
  for_packs(size, [&](std::size_t j, auto n) { largest = max(largest, read_row(x, j, n, lowest)); });
  const Real shift = max(largest);  // the largest exponent becomes 0: nothing overflows

  Pack sums = {};
  for_packs(size, [&](std::size_t j, auto n) {
    const Pack e = exp_of_negative(read_row(x, j, n, lowest) - shift);
    sums += e;
    write(y + j, e, n);
  });
  const Real total = sum(sums), inverse = 1 / total;
  for_packs(size, [&](std::size_t j, auto n) { write(y + j, read_row(y, j, n) * inverse, n); });
  return {shift, total};
}

void softmax_backward(const Real* y, const Real* dy, int count, Real* dx, bool accumulate,
                      std::size_t readable) {
  const auto size = static_cast<std::size_t>(count);
  const Reader read_row{readable};
  Pack products = {};
  for_packs(size, [&](std::size_t j, auto n) { products += read_row(y, j, n) * read_row(dy, j, n); });
  const Real mean = sum(products);
  for_packs(size, [&](std::size_t j, auto n) {
    const Pack share = read_row(y, j, n) * (read_row(dy, j, n) - mean);
    write(dx + j, accumulate ? read_row(dx, j, n) + share : share, n);
  });
}

void gelu(const Real* x, std::size_t count, Real* y, Real* slope) {
  for_packs(count, [=](std::size_t j, auto n) {
    const Pack v = read(x + j, n);
    const Normal gauss = normal(v);
    write(y + j, v * gauss.cumulative, n);
    if (slope) write(slope + j, gauss.cumulative + v * gauss.density, n);
  });
}

void tanh(const Real* x, std::size_t count, Real* y) {
  for_packs(count, [=](std::size_t j, auto n) { write(y + j, tanh(read(x + j, n)), n); });
}

RowMoments normalise(const Real* x, int count, const Real* gain, const Real* bias, Real* y) {
  const auto size = static_cast<std::size_t>(count);
  const Real mean = sum(x, size) / static_cast<Real>(count);
  const Real variance = sum_terms(size,
                                  [=](std::size_t j, auto n) {
                                    const Pack centred = read(x + j, n, mean) - mean;
                                    return centred * centred;
                                  }) /
                        static_cast<Real>(count);
  const Real scale = 1 / std::sqrt(variance + static_cast<Real>(normalise_epsilon));
  for_packs(size, [=](std::size_t j, auto n) {
    write(y + j, (read(x + j, n) - mean) * scale * read(gain + j, n) + read(bias + j, n), n);
  });
  return {mean, scale};
}

// With z = (x - mean) scale and g = dy gain: dx = scale (g - mean(g) - z mean(g z)).
void normalise_backward(const Real* x, RowMoments moments, int count, const Real* gain, const Real* dy,
                        Real* dx, bool accumulate, Real* dgain, Real* dbias) {
  const auto size = static_cast<std::size_t>(count);
  const Real mean = moments.mean, scale = moments.scale;
  Pack sum_g = {}, sum_gz = {};
  for_packs(size, [&](std::size_t j, auto n) {
    const Pack z = (read(x + j, n) - mean) * scale, d = read(dy + j, n), g = d * read(gain + j, n);
    sum_g += g;
    sum_gz += g * z;
    write(dgain + j, read(dgain + j, n) + d * z, n);
    write(dbias + j, read(dbias + j, n) + d, n);
  });
  const Real mean_g = sum(sum_g) / static_cast<Real>(count), mean_gz = sum(sum_gz) / static_cast<Real>(count);
  for_packs(size, [=](std::size_t j, auto n) {
    const Pack z = (read(x + j, n) - mean) * scale, g = read(dy + j, n) * read(gain + j, n);
    write_or_add(dx + j, scale * (g - mean_g - z * mean_gz), n, accumulate);
  });
}

}  // namespace locus
