// Packs: one vector register of Reals, through the compilers' vector extensions. +, -, *, / and comparisons
// work lane by lane and become AVX or NEON instructions; a * b + c becomes one fused instruction. Only the
// matrix kernel and the vector math use packs; everything else in src/ is plain loops.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/real.h"

namespace locus {

#if defined(__AVX512F__)
inline constexpr int pack_bytes = 64, vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int pack_bytes = 32, vector_registers = 16;
#elif defined(__aarch64__)
inline constexpr int pack_bytes = 16, vector_registers = 32;
#else
inline constexpr int pack_bytes = 16, vector_registers = 16;
#endif

inline constexpr int lanes = pack_bytes / static_cast<int>(sizeof(Real));

using Bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
typedef Real Pack __attribute__((vector_size(pack_bytes)));
typedef Bits BitsPack __attribute__((vector_size(pack_bytes)));  // comparing two Packs gives one of 0 and -1

inline Pack load(const Real* from) {
  Pack x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store(Real* to, Pack x) { std::memcpy(to, &x, sizeof x); }
inline Pack splat(Real x) { return Pack{} + x; }

// Lane by lane: where ? a : b.
inline Pack select(BitsPack where, Pack a, Pack b) { return where ? a : b; }

// Copies `count` < lanes elements in pieces of sizes known at compile time: 12 are 8 + 4.
template <int piece = lanes / 2>
void copy_pieces(const Real* from, Real* to, int count) {
  if (count & piece) std::memcpy(to, from, piece * sizeof(Real));
  if constexpr (piece > 1) copy_pieces<piece / 2>(from + (count & piece), to + (count & piece), count);
}

// The last `count` < lanes elements of a row; the other lanes are `fill`.
inline Pack load_part(const Real* from, int count, Real fill = 0) {
  Pack x = splat(fill);
  copy_pieces(from, reinterpret_cast<Real*>(&x), count);
  return x;
}
inline void store_part(Real* to, Pack x, int count) {
  copy_pieces(reinterpret_cast<const Real*>(&x), to, count);
}

// The same, faster; reads a whole pack, which must exist.
inline Pack load_over(const Real* from, int count, Real fill) {
  BitsPack lane;
  for (int i = 0; i < lanes; ++i) lane[i] = i;
  return select(lane < count, load(from), splat(fill));
}

inline Pack max(Pack a, Pack b) { return a < b ? b : a; }
inline Pack min(Pack a, Pack b) { return b < a ? b : a; }
inline Pack abs(Pack x) { return x < 0 ? -x : x; }

// Lane i of the result is lane index(i) of a followed by b.
template <int (*index)(int), int... I>
Pack shuffle(Pack a, Pack b, std::integer_sequence<int, I...>) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, index(I)...);
#else  // g++ 11
  return __builtin_shuffle(a, b, BitsPack{index(I)...});
#endif
}
template <int (*index)(int)>
Pack shuffle(Pack a, Pack b) {
  return shuffle<index>(a, b, std::make_integer_sequence<int, lanes>{});
}
constexpr int zip_low(int i) { return i / 2 + (i % 2) * lanes; }  // a0 b0 a1 b1 ...
constexpr int zip_high(int i) { return zip_low(i) + lanes / 2; }
template <int distance>
constexpr int swap_lanes(int i) {
  return i ^ distance;
}

// Transposes lanes x lanes elements, rows `stride` apart, to rows `to_stride` apart. Only the first `rows`
// rows exist; the last of them is read in place of the others. To zip the rows of the upper half with those
// of the lower half, log2(lanes) times, is a transposition.
inline void transpose_square(const Real* from, std::ptrdiff_t stride, int rows, Real* to,
                             std::ptrdiff_t to_stride) {
  Pack x[lanes], zipped[lanes];
  for (int i = 0; i < lanes; ++i) x[i] = load(from + std::min(i, rows - 1) * stride);
  for (int round = 1; round < lanes; round *= 2) {
    for (int i = 0; i < lanes / 2; ++i) {
      zipped[2 * i] = shuffle<zip_low>(x[i], x[i + lanes / 2]);
      zipped[2 * i + 1] = shuffle<zip_high>(x[i], x[i + lanes / 2]);
    }
    for (int i = 0; i < lanes; ++i) x[i] = zipped[i];
  }
  for (int i = 0; i < lanes; ++i) store(to + i * to_stride, x[i]);
}

// Combines all lanes, by halves: the order of summation is fixed, so results repeat bit for bit.
template <int distance = lanes / 2, class Combine>
Pack fold(Pack x, Combine combine) {
  x = combine(x, shuffle<swap_lanes<distance>>(x, x));
  if constexpr (distance > 1)
    return fold<distance / 2>(x, combine);
  else
    return x;
}
inline Real sum(Pack x) {
  return fold(x, [](Pack a, Pack b) { return a + b; })[0];
}
inline Real max(Pack x) {
  return fold(x, [](Pack a, Pack b) { return max(a, b); })[0];
}

// e^x = 2^n e^r with n = round(x / ln 2), |r| <= ln 2 / 2; expm1(r) by its Taylor series.
struct ExpParts {
  Pack power;  // 2^n
  Pack expm1;  // e^r - 1
};

inline ExpParts split_exp(Pack x) {
  constexpr bool single = sizeof(Real) == 4;
  constexpr Real round_magic = single ? Real(0x1.8p23) : Real(0x1.8p52);  // adding it rounds to integers
  constexpr int mantissa_bits = single ? 23 : 52, bias = single ? 127 : 1023;
  // ln 2 in two parts: n * ln2_high is exact, and ln2_low holds the digits that a double of ln 2 lacks.
  constexpr double ln2 = 0.693147180559945309417, ln2_high = single ? 0x1.62e4p-1 : 0x1.62e42feep-1;
  constexpr double ln2_low = single ? ln2 - ln2_high : 1.90821492927058770002e-10;
  // 1/2!, 1/3!, ... to 1/8! for float (error below 1e-8) and to 1/14! for double (below 1e-17)
  constexpr double factorial_inverse[] = {1.0 / 2,          1.0 / 6,        1.0 / 24,        1.0 / 120,
                                          1.0 / 720,        1.0 / 5040,     1.0 / 40320,     1.0 / 362880,
                                          1.0 / 3628800,    1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
                                          1.0 / 87178291200};
  constexpr int terms = single ? 6 : 13;

  const Pack shifted = x * static_cast<Real>(1 / ln2) + round_magic;
  const Pack n = shifted - round_magic;
  const Pack r = x - n * static_cast<Real>(ln2_high) - n * static_cast<Real>(ln2_low);
  Pack series = splat(static_cast<Real>(factorial_inverse[terms - 1]));
  for (int k = terms - 2; k >= 0; --k) series = series * r + static_cast<Real>(factorial_inverse[k]);
  const BitsPack exponent = std::bit_cast<BitsPack>(shifted) - std::bit_cast<Bits>(round_magic) + bias;
  return {std::bit_cast<Pack>(exponent << mantissa_bits), r + r * r * series};
}

// Relative error a few units in the last place. 0 below -87.3 (-708.3 in double), where normal numbers end;
// infinity past 88 (709); NaN stays.
inline Pack exp(Pack x) {
  constexpr Real lowest = sizeof(Real) == 4 ? Real(-87.3) : Real(-708.3);
  constexpr Real highest = sizeof(Real) == 4 ? Real(88.0) : Real(709.0);
  const ExpParts parts = split_exp(min(max(x, splat(lowest)), splat(highest)));
  const Pack inside = parts.power + parts.power * parts.expm1;
  const Pack beyond = x < lowest ? splat(0) : splat(static_cast<Real>(__builtin_inf()));
  return ((x >= lowest) & (x <= highest)) ? inside : (x != x ? x : beyond);
}

// The same for x <= 0, with fewer checks.
inline Pack exp_of_negative(Pack x) {
  constexpr Real lowest = sizeof(Real) == 4 ? Real(-87.3) : Real(-708.3);
  const ExpParts parts = split_exp(max(x, splat(lowest)));
  return select(x < lowest, splat(0), parts.power + parts.power * parts.expm1);
}

// tanh |x| = -m / (2 + m) with m = e^(-2|x|) - 1, which keeps its digits near 0.
inline Pack tanh(Pack x) {
  const Pack size = min(abs(x), splat(20));
  const ExpParts parts = split_exp(-2 * size);
  const Pack m = parts.power * parts.expm1 + (parts.power - 1);
  const Pack y = -m / (2 + m);
  return x < 0 ? -y : y;
}

// The normal distribution of mean 0 and variance 1: its density, and its cumulative probability Phi (which is
// (1 + erf(x / sqrt 2)) / 2). With z = |x| / sqrt 2, Phi(-|x|) = e^(-z z) q(z) / 2, where q(z) = e^(z z)
// erfc(z) is smooth: a polynomial in u = 2 / (1 + z / 2) - 1, interpolated at Chebyshev points in 40-digit
// arithmetic. Absolute error below 1e-15 in double; in float the rounding of e^(-z z) leaves about 3e-7.
struct Normal {
  Pack density;
  Pack cumulative;
};

inline Normal normal(Pack x) {
  constexpr double for_float[] = {0.2553956863585369,     0.42718588934812124,   0.2416576789204212,
                                  0.0789764788957472,     0.003737562494171475,  -0.006980417995332117,
                                  -0.0008638089085446808, 0.0009328722808954783, 7.288011225348153e-05,
                                  -0.00011485897256380063};
  constexpr double for_double[] = {0.25539567631050575,     0.42718584741393634,     0.24165819424242452,
                                   0.07897858101758992,     0.003732892407050596,    -0.006997461791263921,
                                   -0.0008471432921288734,  0.0009819777227883899,   4.3555750632831167e-05,
                                   -0.00017436622449061546, 2.7526311483568705e-05,  2.760115212497137e-05,
                                   -1.3974643931198523e-05, -1.4442641512985367e-06, 3.7969552940380505e-06,
                                   -1.1224382958158352e-06, -5.037279705465806e-07,  4.5478201819500293e-07,
                                   -4.1204701154275045e-08, -6.737029775154829e-08,  2.0891382591282894e-08};
  constexpr int degree = sizeof(Real) == 4 ? 9 : 20;
  const Pack size = abs(x);
  const Pack u = 2 / (1 + size * static_cast<Real>(0.353553390593273762)) - 1;
  Pack q = splat(static_cast<Real>(sizeof(Real) == 4 ? for_float[degree] : for_double[degree]));
  for (int k = degree - 1; k >= 0; --k)
    q = q * u + static_cast<Real>(sizeof(Real) == 4 ? for_float[k] : for_double[k]);
  const Pack bell = exp_of_negative(static_cast<Real>(-0.5) * x * x);
  const Pack tail = static_cast<Real>(0.5) * bell * q;
  return {bell * static_cast<Real>(0.398942280401432678), x > 0 ? 1 - tail : tail};
}

}  // namespace locus
