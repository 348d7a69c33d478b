#include "base/machine.h"

#include <unistd.h>

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

double machine_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
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
  const double memory = machine_memory();
  if (bytes > 0.8 * memory)
    fail(where,
         text(what, " needs about ", std::ceil(bytes / 1e9), " GB, and this machine has ",
              std::floor(memory / 1e9), " GB"),
         hint);
}

}  // namespace locus
