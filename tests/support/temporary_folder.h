// A new empty folder for a test, gone with it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "io/file.h"

namespace locus {

struct TemporaryFolder {
  std::string path;

  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "locus-test-XXXXXX";
    path = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return path + "/" + name; }
};

// Everything below the folder but locks, files with their bytes: equal before and after means nothing was
// touched.
inline std::map<std::string, std::string> contents(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().filename() != ".lock")
      files[entry.path()] = entry.is_regular_file() ? read_file(entry.path()) : "";
  return files;
}

}  // namespace locus
