#include "base/machine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>

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

double memory_bytes() {
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit;
  const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return limited ? std::min(machine, static_cast<double>(limit.rlim_cur)) : machine;
}

std::string program_folder() {
  const auto folder_of = [](const std::filesystem::path& program) {
    std::error_code missing;
    return std::filesystem::canonical(program, missing).parent_path().string();
  };
  if (program_name.find('/') != std::string::npos) return folder_of(program_name);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string found = folder_of(std::filesystem::path(folder) / program_name); !found.empty())
      return found;
  return "";
}

void require_memory(std::string_view where, std::string_view what, double bytes, std::string_view hint) {
  const auto amount = [](double count) {
    return count < 1e9 ? str(std::round(count / 1e6), " MB") : str(std::round(count / 1e8) / 10, " GB");
  };
  if (bytes > 0.8 * memory_bytes())
    fail(where, str(what, " needs about ", amount(bytes), ", and there are ", amount(memory_bytes())), hint);
}

}  // namespace locus
