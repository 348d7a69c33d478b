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

// Memory that begins with a cache line. A register is as wide as a line: one that is loaded from elsewhere
// straddles two of them and costs two loads. (Narrow models train 5 % slower so.)
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new (count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, line); }
  bool operator==(const CacheAligned&) const { return true; }
};

// Numbers that the kernels read or write: parameters, gradients, the optimizer's state.
using Reals = std::vector<Real, CacheAligned<Real>>;

}  // namespace locus
