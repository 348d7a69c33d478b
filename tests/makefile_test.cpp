// The build says how far it is. A script in place of the compiler makes empty files, so it takes a moment.
#ifndef LOCUS_DOUBLE  // once is enough
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "support/temporary_folder.h"

using namespace locus;

namespace {

// A folder to build in with a compiler that writes empty files.
struct Workshop : TemporaryFolder {
  Workshop() {
    const std::string compiler = *this / "c++";
    write_file_atomically(compiler,
                          "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && : > \"$2\"; shift; done\n");
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  }

  std::string command(const std::string& options = "") const {
    return str("env -u MAKEFLAGS -u MAKELEVEL make ", options, " CXX=", path,
               "/c++ ARCH=\"-a -b\" BUILD=", path, "/build ", path, "/build/locus");
  }

  // What is printed on the way to build/locus.
  std::string build(const std::string& options = "") const {
    const std::string log = *this / "log";
    REQUIRE(std::system((command(options) + " > " + log + " 2>&1").c_str()) == 0);
    return read_file(log);
  }

  // The counts "n/m" in it.
  std::vector<std::string> counts(const std::string& options = "") const { return counts_in(build(options)); }
  static std::vector<std::string> counts_in(const std::string& printed) {
    std::vector<std::string> found;
    const std::regex count(R"(\[(\d+/\d+)\] compile float/\S+)");
    for (std::sregex_iterator at(printed.begin(), printed.end(), count), end; at != end; ++at)
      found.push_back((*at)[1]);
    return found;
  }
};

std::vector<std::string> up_to(std::size_t last) {
  std::vector<std::string> counts;
  for (std::size_t i = 1; i <= last; ++i) counts.push_back(str(i, '/', last));
  return counts;
}

}  // namespace

TEST_CASE("a build counts the files that it compiles, each once, of all of them and of a few") {
  const Workshop workshop;
  std::vector<std::string> all = workshop.counts("-j4");
  CHECK(all.size() > 50);
  const std::vector<std::string> expected = up_to(all.size());
  CHECK(std::set(all.begin(), all.end()) == std::set(expected.begin(), expected.end()));

  CHECK(workshop.counts() == up_to(0));
  for (const std::string object : {"tasks/batch-1.o", "nn/layers.o", "cli/main.o"})
    std::filesystem::remove(workshop / "build/float/src/" + object);
  CHECK(workshop.counts("-j1") == up_to(3));
}

TEST_CASE("two makes that share a folder of objects each count their own files") {
  const Workshop workshop;
  const std::string one = workshop / "one", other = workshop / "other";
  REQUIRE(std::system(str(workshop.command("-j1"), " > ", one, " 2>&1 & ", workshop.command("-j1"), " > ",
                          other, " 2>&1; wait")
                          .c_str()) == 0);
  for (const std::string& log : {one, other}) {
    const std::vector<std::string> found = Workshop::counts_in(read_file(log));
    REQUIRE(!found.empty());
    const std::string last = found.back();
    CAPTURE(last);
    std::vector<std::string> expected = up_to(std::stoul(last.substr(last.find('/') + 1)));
    expected.resize(found.size());  // the other make may have compiled the rest
    CHECK(found == expected);
  }
}

TEST_CASE("a misspelt target is answered with the nearest") {
  const TemporaryFolder folder;
  const auto said = [&](const std::string& target) {
    CHECK(std::system(
              str("env -u MAKEFLAGS -u MAKELEVEL make ", target, " > ", folder / "log", " 2>&1").c_str()) !=
          0);
    const std::string log = read_file(folder / "log");
    return log.substr(0, log.find('\n'));
  };
  const std::string start = "nothing here is called '", then = "', and no rule makes it. Hint: ";
  CHECK(said("playgroud") == start + "playgroud" + then + "did you mean `make playground`?");
  CHECK(said("tset") == start + "tset" + then + "did you mean `make test`?");
  CHECK(said("lesson") == start + "lesson" + then + "did you mean `make lesson-01`?");
  CHECK(said("lessons-07") == start + "lessons-07" + then + "did you mean `make lesson-07`?");
  CHECK(said("everything") == start + "everything" + then + "`make help` lists what can be made");
}

TEST_CASE("a source file that is deleted leaves the program") {
  const Workshop workshop;
  CHECK(workshop.build("-j4").find("link ") != std::string::npos);
  CHECK(workshop.build().find("link ") == std::string::npos);
  CHECK(workshop.build("SOURCES=src/tasks/task.cpp").find("link ") != std::string::npos);
}

TEST_CASE("what make reads from its command line is not read from the environment") {
  const TemporaryFolder folder;
  const auto variables = [&](const std::string& environment, const std::string& words) {
    const std::string log = folder / "log";
    REQUIRE(
        std::system(str("env -u MAKEFLAGS -u MAKELEVEL ", environment, " make -pn help ", words, " > ", log)
                        .c_str()) == 0);
    return "\n" + read_file(log);
  };
  const auto value = [](const std::string& printed, const std::string& name) -> std::string {
    for (const char* sign : {" = ", " := "})
      if (const auto at = printed.find("\n" + name + sign); at != printed.npos) {
        const auto begin = at + 1 + name.size() + std::string(sign).size();
        return printed.substr(begin, printed.find('\n', begin) - begin);
      }
    return "";
  };
  const std::string all = "NAME=own ONLY=own INPUTS=own V=own FOR=own WHICH=own KEEP=own GUESS=own";
  const std::string environment = variables(all, ""), words = variables("", all);
  for (const char* name : {"NAME", "ONLY", "INPUTS", "V", "WHICH", "KEEP", "GUESS"}) {
    CAPTURE(name);
    CHECK(value(environment, name).empty());
    CHECK(value(words, name) == "own");
  }
  CHECK(value(environment, "FOR") == "60");
  CHECK(value(words, "FOR") == "own");
}

TEST_CASE("make CXXFLAGS=... adds to the flags that every file needs") {
  const TemporaryFolder folder;
  const std::string log = folder / "log";
  for (const char* object : {"src/tasks/sort.o", "src/tensor/matmul.o"}) {
    const std::string command =
        str("env -u MAKEFLAGS -u MAKELEVEL make -n CXX=true CXXFLAGS='-O0 -g' BUILD=", folder.path, "/build ",
            folder.path, "/build/float/", object);
    REQUIRE(std::system((command + " > " + log + " 2>&1").c_str()) == 0);
    const std::string printed = read_file(log);
    const std::string line = printed.substr(printed.rfind("true -std=c++20"));
    CHECK(line.find("-Isrc") != std::string::npos);
    CHECK(line.find("-Wshadow") != std::string::npos);
    CHECK(line.rfind("-O0 -g") > line.rfind("-O1") + 1);  // the last one counts (npos + 1 is 0)
    CHECK(line.rfind("-O0 -g") > line.rfind("-O3") + 1);
  }
}

#endif
