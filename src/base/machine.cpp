#include "base/machine.h"

#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#include <cmath>
#include <cstdint>
#include <ctime>
#include <filesystem>

#include "base/error.h"

namespace locus {

namespace {

double seconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double clock_seconds() { return seconds_of(CLOCK_MONOTONIC); }
double processor_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string program_folder() {
#if defined(__APPLE__)
  char path[4096];
  std::uint32_t size = sizeof path;
  if (::_NSGetExecutablePath(path, &size) != 0) return "";
#else
  const char* path = "/proc/self/exe";
#endif
  std::error_code error;
  return std::filesystem::canonical(path, error).parent_path().string();
}

void require_memory(std::string_view where, std::string_view what, double bytes, std::string_view hint) {
  const double memory = machine_memory();
  if (bytes > 0.8 * memory)
    fail(where,
         text(what, " needs about ", std::ceil(bytes / 1e9), " GB, and this machine has ",
              std::floor(memory / 1e9), " GB"),
         hint);
}

}  // namespace locus
