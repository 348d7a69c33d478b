#include "base/machine.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
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

MemoryLimit memory_limit(const std::string& root) {
  MemoryLimit least{static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)),
                    "this machine has"};
  const auto consider = [&](double bytes, const char* source) {
    if (bytes < least.bytes) least = {bytes, source};
  };
  for (const auto& [kind, source] :
       {std::pair{RLIMIT_AS, "`ulimit -v` allows"}, {RLIMIT_DATA, "`ulimit -d` allows"}})
    if (rlimit limit; ::getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      consider(static_cast<double>(limit.rlim_cur), source);

  // A line is ID:CONTROLLERS:PATH; version 2 names no controllers. The folders above have limits, too; in a
  // container, they may be all that can be seen.
  std::ifstream cgroups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(cgroups, line);) {
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() < 3 || !parts[2].starts_with('/')) continue;
    const bool second = parts[1].empty();
    if (!second && !std::ranges::count(split(parts[1], ','), "memory")) continue;
    for (std::string path = parts[2];; path = path.substr(0, path.rfind('/'))) {
      std::ifstream file(root + (second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory") + path +
                         (second ? "/memory.max" : "/memory.limit_in_bytes"));
      if (double bytes; file >> bytes) consider(bytes, "the cgroup allows");
      if (path.empty()) break;
    }
  }
  return least;
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
    return count < 1e9 ? text(std::round(count / 1e6), " MB") : text(std::round(count / 1e8) / 10, " GB");
  };
  const auto [memory, source] = memory_limit();
  if (bytes > 0.8 * memory)
    fail(where, text(what, " needs about ", amount(bytes), ", and ", source, " ", amount(memory)), hint);
}

}  // namespace locus
