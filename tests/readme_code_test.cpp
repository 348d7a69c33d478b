// The code in src/README.md is that of the files it names: each block between "Add a scheme" and "Work on it" stands there.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "io/file.h"

using namespace locus;

namespace {

std::string without_indent(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == line.npos ? "" : line.substr(first);
}

// The lines of a file without their indent, or of a block.
std::string flattened(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += without_indent(line) + '\n';
  return all;
}

struct Block {
  std::vector<std::string> lines;
  std::string section;
};

std::vector<Block> blocks_of_code(const std::string& readme) {
  std::vector<Block> blocks;
  std::string section;
  bool inside = false;
  for (const std::string& line : split(readme, '\n')) {
    if (line.starts_with("## ")) section = line.substr(3);
    const bool code = line.starts_with("    ") || (inside && line.empty());
    if (code && section.starts_with("Add ")) {
      if (!inside) blocks.push_back({{}, section});
      blocks.back().lines.push_back(line);
    }
    inside = code;
  }
  for (Block& block : blocks)
    while (block.lines.back().empty()) block.lines.pop_back();
  return blocks;
}

}  // namespace

TEST_CASE("readme: the code of its examples stands in the files that it names") {
  const std::vector<Block> blocks = blocks_of_code(read_file("src/README.md"));
  CHECK(blocks.size() == 4);
  for (const Block& block : blocks) {
    bool stands = false;
    for (const char* file : {"tests/one_file/src/positional/zigzag.cpp", "src/positional/sandwich.cpp",
                             "src/positional/coupled.cpp", "src/train/settings.cpp"})
      stands =
          stands || flattened(split(read_file(file), '\n')).find(flattened(block.lines)) != std::string::npos;
    CHECK_MESSAGE(stands, block.section, ": ", block.lines.front());
  }
}
