// The program as its users meet it: its commands, their help, how it is installed.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>

#include "../support/temporary_folder.h"
#include "playground.h"

using namespace locus;

TEST_CASE("program: the commands of the design are there, and each has a help") {
  const std::vector<std::string> names = command_names();
  for (const char* name :
       {"ablate", "bench", "eval", "help", "inspect", "report", "schemes", "tasks", "train"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  for (const std::string& name : names) {
    CAPTURE(name);
    const Finished help = run(playground().path, {"help", name});
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    CHECK(help.out.starts_with("locus " + name));
    CHECK(run(playground().path, {name, "--help"}).out == help.out);
    CHECK(run(playground().path, {name, "-h"}).out == help.out);
  }
  const std::string overview = run(playground().path, {}).out;
  CHECK(run(playground().path, {"--help"}).out == overview);
  CHECK(run(playground().path, {"help"}).out == overview);
}

TEST_CASE("program: --version says what was built, and the manual holds the help of every command") {
  const Finished version = run(playground().path, {"--version"});
  CHECK(version.status == 0);
  CHECK(version.out.starts_with("locus "));
  CHECK(version.out.find("float") != std::string::npos);
  const std::string manual = run(playground().path, {"help", "--man"}).out;
  for (const std::string& name : command_names())
    CHECK(manual.find(".SH LOCUS " + name) != std::string::npos);
  CHECK(manual.find("\\-\\-weight\\-decay X") != std::string::npos);
}

TEST_CASE("program: installed, it runs from any folder and finds the tables that come with it") {
  const std::string to = playground().path + "/installed";
  // -o: the program that lies there is installed, and not made again.
  const std::string program = program_path();
  const std::string build = std::filesystem::path(program).parent_path();
  REQUIRE(std::system(text("make --no-print-directory -o '", program, "' install BUILD='", build,
                           "' DESTDIR='", to, "' PREFIX=/usr >/dev/null")
                          .c_str()) == 0);
  CHECK(std::filesystem::file_size(to + "/usr/share/man/man1/locus.1") > 10000);
  const std::string here = playground().path + "/elsewhere";
  std::filesystem::create_directories(here);
  std::vector<std::string> programs = {to + "/usr/bin/locus"};
  if (std::filesystem::exists(build + "/../datasets"))
    programs.push_back(program);  // a build of the default folder
  for (const std::string& locus : programs) {
    CAPTURE(locus);
    // Also from a folder that has no datasets: the default grid names one.
    CHECK(std::system(text("cd '", here, "' && '", locus, "' ablate --plan >plan && grep -q who_chased plan")
                          .c_str()) == 0);
    CHECK(std::system(
              text("cd '", here, "' && '", locus, "' tasks datasets/before_after.tsv >card").c_str()) == 0);
  }
}
#endif
