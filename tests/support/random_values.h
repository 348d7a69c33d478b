// Numbers for tests: the same on every run and every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/real.h"

namespace locus {

// `count` normal numbers.
inline Reals random_values(std::size_t count, std::uint64_t seed, double deviation = 1) {
  Random random(seed, Purpose::testing);
  Reals values(count);
  for (Real& value : values) value = static_cast<Real>(deviation * random.normal());
  return values;
}

// What a test that holds in exact arithmetic may be off by, in each of the two builds.
constexpr Real tolerance(double in_float, double in_double) {
  return static_cast<Real>(sizeof(Real) == 4 ? in_float : in_double);
}

}  // namespace locus
