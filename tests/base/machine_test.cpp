#include "base/machine.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace locus;

TEST_CASE("clock: sleeping takes time, but no time of a processor") {
  const double start = clock_seconds(), busy = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK(clock_seconds() - start >= 0.03);
  CHECK(processor_seconds() - busy < 0.02);
}

TEST_CASE("clock: work takes time of a processor, and at least as much on the clock") {
  const double start = clock_seconds(), busy = processor_seconds();
  while (processor_seconds() - busy < 0.01) {
  }
  CHECK(clock_seconds() - start >= 0.0099);
}
