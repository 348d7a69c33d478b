#include "base/real.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <list>

using namespace locus;

TEST_CASE("real: vectors of numbers begin with a cache line, whatever their size and the one before") {
  std::list<Reals> kept;  // so that no memory is used twice
  for (std::size_t count = 1; count < 200; ++count) {
    kept.emplace_back(count);
    CHECK(reinterpret_cast<std::uintptr_t>(kept.back().data()) % 64 == 0);
  }
}
