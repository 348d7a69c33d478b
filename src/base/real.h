// The number type of the whole library: float to train with, double to check gradients with (-DLOCUS_DOUBLE).
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace locus {

#ifdef LOCUS_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// f(x) by the C library, for a function of single numbers such as std::exp, computed in double. C libraries differ in
// the last bit of such functions, and in float that would be another model after training; the last bit of a double
// is lost when the result is rounded to float (but for once in 10^8 times).
inline Real in_double(double (*f)(double), Real x) { return static_cast<Real>(f(static_cast<double>(x))); }

// Allocates memory that begins at a cache line. A vector register can be as wide as a line; loaded from
// another address, it takes two loads, which costs a narrow matrix product up to 7 % of its time.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const CacheAligned&) const { return true; }
};

// An array for the kernels: parameters, gradients, the optimizer's state.
using Reals = std::vector<Real, CacheAligned<Real>>;

}  // namespace locus
