// The plan of the house, held against the code: a file includes only from its own folder or from a floor
// below.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::vector<std::string> floors{"base",  "tensor", "autograd", "nn",     "positional", "model",
                                      "tasks", "train",  "ablation", "report", "cli"};

std::ptrdiff_t floor_of(const std::string& path_below_src) {
  return std::ranges::find(floors, path_below_src.substr(0, path_below_src.find('/'))) - floors.begin();
}

}  // namespace

TEST_CASE("src: no file includes from a floor above its own") {
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    if (!entry.is_regular_file()) continue;
    const std::string path = std::filesystem::relative(entry.path(), "src").generic_string();
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
