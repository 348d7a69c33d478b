// One vector register of Reals, through the compilers' vector extensions: +, -, *, / and comparisons work lane by
// lane and become AVX or NEON instructions. How many lanes it has depends on the processor, so no result may: the
// matrix kernel, which computes every element of a product in a lane of its own, uses registers; sums along a row
// use packs (tensor/pack.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__FMA__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "base/real.h"

namespace locus {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64, registers = 32;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32, registers = 16;
#elif defined(__aarch64__)
inline constexpr int register_bytes = 16, registers = 32;
#else
inline constexpr int register_bytes = 16, registers = 16;
#endif

inline constexpr int register_lanes = register_bytes / static_cast<int>(sizeof(Real));

using Bits = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
typedef Real Register __attribute__((vector_size(register_bytes)));
typedef Bits RegisterBits __attribute__((vector_size(register_bytes)));  // a < b is one of these: 0 and -1

// a b + c, rounded once. Compilers are told (-ffp-contract=off) to fuse nothing by themselves: which products they fuse
// depends on the processor that they tune for and on the code around, so that equal sums would round differently from
// tile to tile. Vector extensions have no word for this instruction, so it is called by its name on each processor,
// from the header that every compiler for it brings. (std::fma lane by lane is as exact; but then sums leave their
// registers, and the kernel has two fifths of its speed, with g++ 12 and with clang++ 14.) Processors without it round
// twice.
#if defined(__AVX512F__)
inline __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
inline __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#elif defined(__FMA__)
inline __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
inline __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#elif defined(__aarch64__)
inline float32x4_t fma(float32x4_t a, float32x4_t b, float32x4_t c) { return vfmaq_f32(c, a, b); }
inline float64x2_t fma(float64x2_t a, float64x2_t b, float64x2_t c) { return vfmaq_f64(c, a, b); }
#else
inline Register fma(Register a, Register b, Register c) { return a * b + c; }
#endif

inline Register splat(Real x) { return x - Register{}; }  // (x + 0 would not be x: -0 + 0 is 0)

// Lane by lane: where ? a : b.
inline Register select(RegisterBits where, Register a, Register b) { return where ? a : b; }
inline Register max(Register a, Register b) { return a < b ? b : a; }
inline Register min(Register a, Register b) { return b < a ? b : a; }
inline Register abs(Register x) { return x < 0 ? -x : x; }

inline Register load_register(const Real* from) {
  Register x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
inline void store(Real* to, Register x) { std::memcpy(to, &x, sizeof x); }

// Copies `count` < 2 * piece elements in pieces of sizes known at compile time: 12 are 8 + 4.
template <int piece>
void copy_pieces(const Real* from, Real* to, int count) {
  if (count & piece) std::memcpy(to, from, piece * sizeof(Real));
  if constexpr (piece > 1) copy_pieces<piece / 2>(from + (count & piece), to + (count & piece), count);
}

// Lane i of the result is lane index(i) of a followed by b.
template <int (*index)(int), int... I>
Register shuffle(Register a, Register b, std::integer_sequence<int, I...>) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, index(I)...);
#else  // g++ 11
  return __builtin_shuffle(a, b, RegisterBits{index(I)...});
#endif
}
template <int (*index)(int)>
Register shuffle(Register a, Register b) {
  return shuffle<index>(a, b, std::make_integer_sequence<int, register_lanes>{});
}
constexpr int zip_low(int i) { return i / 2 + (i % 2) * register_lanes; }  // a0 b0 a1 b1 ...
constexpr int zip_high(int i) { return zip_low(i) + register_lanes / 2; }
template <int distance>
constexpr int swap_lanes(int i) {
  return i ^ distance;
}

// Transposes a square of register_lanes rows, `stride` apart, to rows `to_stride` apart. Only the first `rows` rows
// exist; the last of them is read in place of the others. To zip the rows of the upper half with those of the lower
// half, log2(register_lanes) times, is a transposition.
inline void transpose_square(const Real* from, std::ptrdiff_t stride, int rows, Real* to,
                             std::ptrdiff_t to_stride) {
  constexpr int n = register_lanes;
  Register x[n], zipped[n];
  for (int i = 0; i < n; ++i) x[i] = load_register(from + std::min(i, rows - 1) * stride);
  for (int round = 1; round < n; round *= 2) {
    for (int i = 0; i < n / 2; ++i) {
      zipped[2 * i] = shuffle<zip_low>(x[i], x[i + n / 2]);
      zipped[2 * i + 1] = shuffle<zip_high>(x[i], x[i + n / 2]);
    }
    for (int i = 0; i < n; ++i) x[i] = zipped[i];
  }
  for (int i = 0; i < n; ++i) store(to + i * to_stride, x[i]);
}

}  // namespace locus
