// A pack: 64 bytes of Reals (16 floats), in as many registers as they take: one of AVX-512, two of AVX, four of SSE or
// NEON. Sums along a row have one partial sum for each lane of a pack, and packs are equally wide everywhere: so the
// order in which a row is summed, and with it the last bit of the result, is the same on every processor. Only the
// vector math uses packs, and only the matrix kernel uses registers; everything else in src/ is plain loops.
#pragma once

#include <bit>

#include "tensor/register.h"

namespace locus {

inline constexpr int pack_bytes = 64, lanes = pack_bytes / static_cast<int>(sizeof(Real));

struct Pack {
  static constexpr int parts = pack_bytes / register_bytes;
  Register part[parts];

  Pack() = default;
  Pack(Real x) : Pack(of_parts([x](int) { return splat(x); })) {}  // in every lane
  Real operator[](int lane) const { return part[lane / register_lanes][lane % register_lanes]; }

  // The pack whose registers are f(0), f(1) ... (Written as a list and not as a loop, with which g++ keeps packs in
  // memory: four times slower.)
  template <class F>
  static Pack of_parts(F f) {
    return of_parts(f, std::make_integer_sequence<int, parts>{});
  }

 private:
  template <class F, int... i>
  static Pack of_parts(F f, std::integer_sequence<int, i...>) {
    Pack x;
    ((x.part[i] = f(i)), ...);
    return x;
  }
};

// f for each register of some packs.
template <class F, class... Packs>
Pack each(F f, const Packs&... x) {
  return Pack::of_parts([&](int i) { return f(x.part[i]...); });
}

inline Pack load(const Real* from) {
  return Pack::of_parts([=](int i) { return load_register(from + i * register_lanes); });
}
inline void store(Real* to, const Pack& x) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (store(to + i * register_lanes, x.part[i]), ...); }
  (std::make_integer_sequence<int, Pack::parts>{});
}

// The last `count` elements of a row, fewer than a pack has lanes; the other lanes are `fill`.
inline Pack load_part(const Real* from, int count, Real fill = 0) {
  Real x[lanes];
  store(x, Pack(fill));
  copy_pieces<lanes / 2>(from, x, count);
  return load(x);
}
inline void store_part(Real* to, const Pack& x, int count) {
  Real from[lanes];
  store(from, x);
  copy_pieces<lanes / 2>(from, to, count);
}

inline Pack operator+(const Pack& x, const Pack& y) {
  return each([](Register a, Register b) { return a + b; }, x, y);
}
inline Pack operator-(const Pack& x, const Pack& y) {
  return each([](Register a, Register b) { return a - b; }, x, y);
}
inline Pack operator*(const Pack& x, const Pack& y) {
  return each([](Register a, Register b) { return a * b; }, x, y);
}
inline Pack max(const Pack& x, const Pack& y) {
  return each([](Register a, Register b) { return max(a, b); }, x, y);
}
inline Pack fma(const Pack& x, const Pack& y, const Pack& z) {  // x y + z, rounded once
  return each([](Register a, Register b, Register c) { return fma(a, b, c); }, x, y, z);
}

// As load_part(), but faster; reads a whole pack, which must exist.
inline Pack load_over(const Real* from, int count, Real fill) {
  return Pack::of_parts([=](int i) {
    RegisterBits lane;
    for (int j = 0; j < register_lanes; ++j) lane[j] = i * register_lanes + j;
    return select(lane < count, load_register(from + i * register_lanes), splat(fill));
  });
}

// Combines all lanes, by halves: lane i with lane i + 8, then with lane i + 4 and so on, in whatever registers they
// are.
template <int distance, class Combine>
Register fold(Register x, Combine combine) {
  if constexpr (distance == 0)
    return x;
  else
    return fold<distance / 2>(combine(x, shuffle<swap_lanes<distance>>(x, x)), combine);
}
template <class Combine>
Real fold(const Pack& x, Combine combine) {
  Register all = x.part[0];
  if constexpr (Pack::parts == 2) all = combine(all, x.part[1]);
  if constexpr (Pack::parts == 4) all = combine(combine(all, x.part[2]), combine(x.part[1], x.part[3]));
  return fold<register_lanes / 2>(all, combine)[0];
}
inline Real sum(const Pack& x) {
  return fold(x, [](Register a, Register b) { return a + b; });
}
inline Real max(const Pack& x) {
  return fold(x, [](Register a, Register b) { return max(a, b); });
}

// e^x = 2^n e^r with n = round(x / ln 2), |r| <= ln 2 / 2; expm1(r) by its Taylor series.
struct ExpParts {
  Register power;  // 2^n
  Register expm1;  // e^r - 1
};

inline ExpParts split_exp(Register x) {
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

  const Register shifted = fma(x, splat(static_cast<Real>(1 / ln2)), splat(round_magic));
  const Register n = shifted - round_magic;
  const Register r = fma(n, splat(static_cast<Real>(-ln2_low)), x - n * static_cast<Real>(ln2_high));
  Register series = splat(static_cast<Real>(factorial_inverse[terms - 1]));
  for (int k = terms - 2; k >= 0; --k)
    series = fma(series, r, splat(static_cast<Real>(factorial_inverse[k])));
  const RegisterBits exponent =
      std::bit_cast<RegisterBits>(shifted) - std::bit_cast<Bits>(round_magic) + bias;
  return {std::bit_cast<Register>(exponent << mantissa_bits), fma(r * r, series, r)};
}

inline constexpr Real lowest_exponent =
    sizeof(Real) == 4 ? Real(-87.3) : Real(-708.3);  // normal numbers end there
// Relative error a few units in the last place. 0 below the lowest exponent;
// infinity past 88 (709); NaN stays.
inline Register exp(Register x) {
  constexpr Real highest = sizeof(Real) == 4 ? Real(88.0) : Real(709.0);
  const ExpParts parts = split_exp(min(max(x, splat(lowest_exponent)), splat(highest)));
  const Register inside = fma(parts.power, parts.expm1, parts.power);
  const Register beyond = x < lowest_exponent ? splat(0) : splat(static_cast<Real>(__builtin_inf()));
  return ((x >= lowest_exponent) & (x <= highest)) ? inside : (x != x ? x : beyond);
}

// The same for x <= 0, with fewer checks, and 0 below another exponent if one is given.
inline Register exp_of_negative(Register x, Real lowest = lowest_exponent) {
  const ExpParts parts = split_exp(max(x, splat(lowest)));
  return select(x < lowest, splat(0), fma(parts.power, parts.expm1, parts.power));
}

// tanh |x| = -m / (2 + m) with m = e^(-2|x|) - 1, which keeps its digits near 0.
inline Register tanh(Register x) {
  const Register size = min(abs(x), splat(20));
  const ExpParts parts = split_exp(-2 * size);
  const Register m = fma(parts.power, parts.expm1, parts.power - 1);
  const Register y = -m / (2 + m);
  return x < 0 ? -y : y;
}

// The normal distribution of mean 0 and variance 1: its density, and its cumulative probability Phi (which is
// (1 + erf(x / sqrt 2)) / 2). With z = |x| / sqrt 2, Phi(-|x|) = e^(-z z) q(z) / 2, where q(z) = e^(z z)
// erfc(z) is smooth: a polynomial in u = 2 / (1 + z / 2) - 1, interpolated at Chebyshev points in 40-digit
// arithmetic. Absolute error below 1e-15 in double; in float the rounding of e^(-z z) leaves about 3e-7.
template <class V>
struct Normal {
  V density, cumulative;
};

inline Normal<Register> normal(Register x) {
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
  const Register size = abs(x);
  const Register u = 2 / (1 + size * static_cast<Real>(0.353553390593273762)) - 1;
  Register q = splat(static_cast<Real>(sizeof(Real) == 4 ? for_float[degree] : for_double[degree]));
  for (int k = degree - 1; k >= 0; --k)
    q = fma(q, u, splat(static_cast<Real>(sizeof(Real) == 4 ? for_float[k] : for_double[k])));
  const Register bell = exp_of_negative(static_cast<Real>(-0.5) * x * x);
  const Register tail = static_cast<Real>(0.5) * bell * q;
  return {bell * static_cast<Real>(0.398942280401432678), x > 0 ? 1 - tail : tail};
}

inline Pack exp_of_negative(const Pack& x, Real lowest = lowest_exponent) {
  return each([=](Register r) { return exp_of_negative(r, lowest); }, x);
}
inline Pack tanh(const Pack& x) {
  return each([](Register r) { return tanh(r); }, x);
}
inline Normal<Pack> normal(const Pack& x) {
  Normal<Pack> y;
  y.cumulative = Pack::of_parts([&](int i) {
    const Normal<Register> part = normal(x.part[i]);
    y.density.part[i] = part.density;
    return part.cumulative;
  });
  return y;
}

}  // namespace locus
