// The scripts run wherever the program does: under the bash 3.2, sed, grep, xargs and awk of a Mac, too.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace {

struct Trap {
  std::string pattern;  // of a line that fails on some system
  std::string why;
  std::vector<std::string> examples;
};

const std::vector<Trap> traps{
    {R"(\$\{\w+/[^}]*["\\])",
     "bash 3.2 ends the pattern at the first slash, quoted or not, and keeps quotes in the replacement; "
     "assign "
     "both to variables first",
     {R"sh(objects=${objects//"$BUILD/float/${original%.cpp}.o"/"$object"})sh",
      R"sh(bash -c "${1//build\/locus-$chapter/"$2/locus"}")sh",
      R"sh(printf '%s' "${source/"$from"/"$to"}")sh"}},
    {R"((^|[;&|(])\s*timeout )",
     "macOS has no timeout; ulimit -t ends what loops without end",
     {R"sh(  timeout 120 "$folder/test" -tc="$test" > "$folder/log" 2>&1)sh"}},
    {R"(ORS='\\0')",
     "one-true-awk and busybox write no NUL",
     {R"sh(awk -v RS= -v ORS='\0' '/(^|\n)name:/' tests/mutants/*.txt)sh"}},
    {R"(grep( -\w+)* -\w*z)", "grep -z is --decompress on macOS", {"grep -z -i -E \"$ONLY\""}},
    {R"(xargs( -\w+( \d+)?)* -r)", "some xargs have no -r", {"xargs -0 -r -n 1 \"$0\" --one"}},
    {R"(sed( -\w+)* -i)",
     "sed -i takes a suffix on macOS; write a new file",
     {"sed -i -e \"$2\" \"$tree/file\""}},
    {R"(\bs/[^/]*/[^/]*\\n)",
     "some seds write an n for \\n in a replacement; write a backslash and a line break",
     {R"sh(  -e 's/^  Claims claims/  Tensor embedding() {\n  }\n&/' parity.cpp)sh"}},
    {R"(declare -A|mapfile|readarray|\$\{\w+(,,|\^\^)|\|&|&>>|\bwait -n)",
     "bash 3.2 does not know this",
     {"declare -A seen", "mapfile -t lines < file", "echo ${name^^}", "make |& tee log"}},
    {R"(\$\(case)",
     "bash 3.2 takes the ) of a case for the end of $(",
     {"x=$(case $y in a) echo b ;; esac)"}},
    {R"(^define \w+ *:?=|^undefine |\$\(file |^private |::=|^\w+ *!=|^\.ONESHELL)",
     "make 3.81 does not know this",
     {"define compile =", "FLAGS ::= -O1", "HOST != uname", ".ONESHELL:"}},
    {R"(readlink -f|\bnproc\b|stat -c|date .*%N|sha256sum|md5sum)",
     "only GNU has this",
     {"root=$(readlink -f \"$0\")", "make -j$(nproc)"}},
};

bool falls_into(const std::string& line, const Trap& trap) {
  return std::regex_search(line, std::regex(trap.pattern));
}

std::vector<std::filesystem::path> scripts() {
  std::vector<std::filesystem::path> found{"Makefile"};
  for (const char* folder : {"lessons", "tests"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (const auto extension = entry.path().extension();
          extension == ".sh" || extension == ".mk" || extension == ".awk")
        found.push_back(entry.path());
  return found;
}

}  // namespace

TEST_CASE("scripts: each trap of other systems is recognised") {
  for (const Trap& trap : traps)
    for (const std::string& example : trap.examples) {
      CAPTURE(trap.why);
      CAPTURE(example);
      CHECK(falls_into(example, trap));
    }
}

TEST_CASE("scripts: none falls into a trap of another system") {
  const auto files = scripts();
  CHECK(files.size() >= 10);
  for (const auto& file : files) {
    std::ifstream in(file);
    REQUIRE(in);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (line.starts_with('#')) continue;
      for (const Trap& trap : traps) {
        INFO(file.string(), ":", number, ": ", line, "\n", trap.why);
        CHECK_FALSE(falls_into(line, trap));
      }
    }
  }
}

TEST_CASE("scripts: the blank of an exercise does not hold its answer elsewhere in the file") {
  const locus::TemporaryFolder folder;
  const auto holds = [&](const std::string& chapter, const std::string& answer) {
    const std::string blanks = folder / chapter;
    const std::string command = "BUILD=build lessons/tools/lesson.sh blank " + chapter + " " + blanks;
    REQUIRE(std::system((command + " > /dev/null").c_str()) == 0);
    int files = 0, found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(blanks)) {
      ++files;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) found += line.find(answer) != line.npos;
    }
    CHECK(files > 0);
    return found > 0;
  };
  for (const std::string chapter : {"05", "07", "08", "09", "10"}) {  // the card of a scheme
    CAPTURE(chapter);
    CHECK_FALSE(holds(chapter, ".formula = "));
    CHECK_FALSE(holds(chapter, ".traps = "));
  }
  CHECK_FALSE(holds("02", "Tensor linear("));  // the gradients of a product, written out
}
