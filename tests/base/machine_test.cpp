#include "base/machine.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "../support/errors.h"

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

TEST_CASE("memory: the machine's, or what `ulimit -v` allows") {
  CHECK(memory_bytes() > 1e8);
  rlimit old;
  REQUIRE(::getrlimit(RLIMIT_AS, &old) == 0);
  const rlimit less = {64'000'000, old.rlim_max};
  rlimit in_force;
  if (::setrlimit(RLIMIT_AS, &less) != 0 || ::getrlimit(RLIMIT_AS, &in_force) != 0 ||
      in_force.rlim_cur != less.rlim_cur) {
    MESSAGE("skipped: this system does not limit the memory of a process (qemu does not)");
    return;
  }
  const double bytes = memory_bytes();
  ::setrlimit(RLIMIT_AS, &old);
  CHECK(bytes == 64e6);
  CHECK(error_of([] { require_memory("test", "it", 0.8 * memory_bytes(), "take less"); }) == "no error");
  CHECK(error_of([] {
          require_memory("test", "it", 1e18, "take less");
        }).starts_with("[test] it needs about 1e+09 GB, and there are "));
}
