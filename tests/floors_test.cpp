// The plan of the house, held against the code: a file includes only from its own folder or from a floor
// below; a scheme is one file, and so is a task.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/text.h"
#include "io/utf8.h"
#include "positional/support/registry.h"
#include "tasks/support/registry.h"

namespace {

const std::vector<std::string> floors{"base",    "tensor",   "autograd", "nn",    "positional",
                                      "model",   "io",       "draw",     "tasks", "train",
                                      "examine", "ablation", "report",   "cli",   "playground"};

std::ptrdiff_t floor_of(const std::string& path_below_src) {
  return std::ranges::find(floors, path_below_src.substr(0, path_below_src.find('/'))) - floors.begin();
}

std::string listed(const std::set<std::string>& names) {
  return locus::join({names.begin(), names.end()}, " ");
}

// What the .cpp files of a folder are called, as a spec would write it.
std::set<std::string> files_of(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    std::string name = entry.path().stem();
    std::ranges::replace(name, '_', '-');
    names.insert(name);
  }
  return names;
}

}  // namespace

TEST_CASE("src: each file of src/positional is the scheme of its name, each file of src/tasks the task") {
  std::set<std::string> schemes, tasks = {"task"};  // task.cpp belongs to task.h
  for (const locus::SchemeInfo& info : locus::all_schemes()) schemes.insert(info.name);
  for (const locus::Task* task : locus::all_tasks()) tasks.insert(task->name);
  CHECK(listed(files_of("src/positional")) == listed(schemes));
  CHECK(listed(files_of("src/tasks")) == listed(tasks));
}

TEST_CASE("src: no file includes from a floor above its own") {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    if (!entry.is_regular_file()) continue;
    const std::string path = std::filesystem::relative(entry.path(), "src").generic_string();
    if (path == "README.md") continue;  // of all rooms
    CAPTURE(path);
    CHECK(static_cast<std::size_t>(floor_of(path)) < floors.size());
    ++files;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include \"")) continue;
      const std::string included = line.substr(10, line.rfind('"') - 10);
      CHECK_MESSAGE(floor_of(included) <= floor_of(path), path << " includes " << included);
    }
  }
  CHECK(files > 50);
}

TEST_CASE("src: no line is longer than 120 columns, and no style or script stands in a C++ string") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
    CAPTURE(entry.path().string());
    std::ifstream in(entry.path());
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      CAPTURE(number);
      CHECK(locus::display_width(line) <= 120);
      for (const char* opening : {"R\"css(", "R\"js("}) CHECK(line.find(opening) == line.npos);
    }
  }
}

// The linker keeps one of two types of the same name, and takes it for both.
TEST_CASE("src: no two headers define a type of the same name") {
  const std::regex definition("^(?:class|struct|enum class) (\\w+)[^;]*$");
  std::map<std::string, std::string> home;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path());
    std::smatch match;
    for (std::string line; std::getline(in, line);)
      if (std::regex_match(line, match, definition)) {
        const auto place = home.try_emplace(match[1], entry.path().string());
        CHECK_MESSAGE(place.second, match[1].str(), " is defined in ", place.first->second, " and in ",
                      entry.path().string());
      }
  }
  CHECK(home.size() > 80);
}
