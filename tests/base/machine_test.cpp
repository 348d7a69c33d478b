#include "base/machine.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "../support/errors.h"
#include "../support/temporary_folder.h"

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

TEST_CASE("memory: the least of the machine's, the shell's limits and the cgroup's counts") {
  const auto with = [](const std::string& cgroups, const std::string& file, const std::string& limit) {
    const TemporaryFolder root;
    const std::string path = root / file;
    create_folders(root / "proc/self");
    write_file_atomically(root / "proc/self/cgroup", cgroups);
    create_folders(path.substr(0, path.rfind('/')));
    write_file_atomically(path, limit);
    const auto [bytes, source] = memory_limit(root.path);
    return text(source, ' ', bytes);
  };
  const TemporaryFolder none;
  const auto [all, machine] = memory_limit(none.path);
  const std::string no_limit = text(machine, ' ', all), limited = "the cgroup allows 2e+06";
  CHECK(all > 1e8);

  CHECK(with("0::/\n", "sys/fs/cgroup/memory.max", "2000000\n") == limited);
  CHECK(with("0::/job/step\n", "sys/fs/cgroup/job/step/memory.max", "2000000\n") == limited);
  CHECK(with("0::/job/step\n", "sys/fs/cgroup/job/memory.max", "2000000\n") == limited);  // of all its steps
  CHECK(with("0::/job/step\n", "sys/fs/cgroup/memory.max", "2000000\n") == limited);
  CHECK(with("0::/other\n", "sys/fs/cgroup/job/memory.max", "2000000\n") == no_limit);
  CHECK(with("0::/\n", "sys/fs/cgroup/memory.max", "max\n") == no_limit);
  CHECK(with("0::/\n", "sys/fs/cgroup/memory.max", "") == no_limit);

  const std::string first = "9:cpu,memory:/docker/1f\n0::/\n", file = "/memory.limit_in_bytes";
  CHECK(with(first, "sys/fs/cgroup/memory/docker/1f" + file, "2000000\n") == limited);
  CHECK(with(first, "sys/fs/cgroup/memory" + file, "2000000\n") == limited);
  CHECK(with(first, "sys/fs/cgroup/memory/docker/1f" + file, "9223372036854771712\n") == no_limit);
  CHECK(with("9:cpu:/\n", "sys/fs/cgroup/memory" + file, "2000000\n") == no_limit);
  for (const char* damaged : {"", "0", "::", "0::no/slash\n", "\n\n"})
    CHECK(with(damaged, "sys/fs/cgroup/cpu.max", "1\n") == no_limit);

  rlimit old;
  REQUIRE(::getrlimit(RLIMIT_DATA, &old) == 0);
  const rlimit less = {64'000'000, old.rlim_max};
  rlimit in_force;
  if (::setrlimit(RLIMIT_DATA, &less) != 0 || ::getrlimit(RLIMIT_DATA, &in_force) != 0 ||
      in_force.rlim_cur != less.rlim_cur) {
    MESSAGE("skipped: this system does not limit the memory of a process (qemu does not)");
    return;
  }
  const std::string source = memory_limit().source,
                    error = error_of([] { require_memory("test", "it", 60e6, "take less"); });
  ::setrlimit(RLIMIT_DATA, &old);
  CHECK(source == "`ulimit -d` allows");
  CHECK(error == "[test] it needs about 60 MB, and `ulimit -d` allows 64 MB. Hint: take less");
}
