// The program as its users meet it: its commands, their help, how it is installed.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>

#include "../support/temporary_folder.h"
#include "playground.h"
#include "terminal.h"

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

TEST_CASE(
    "program: help has headings and options in bold on a terminal, examples last, presets of their own") {
  const std::string help = run(playground().path, {"help", "train"}).out;
  CHECK(help.find("\nwhat is trained:\n  --task NAME ") < help.find("\n  locus train --task reverse"));
  const std::string bold = on_terminal({"help", "train"}, 100, [] { ::unsetenv("NO_COLOR"); });
  CHECK(bold.find("\x1b[1mwhat is trained:\x1b[0m") != std::string::npos);
  CHECK(bold.find("\x1b[1m  --task NAME\x1b[0m  ") != std::string::npos);
  CHECK(bold.find("\x1b[1mexamples:\x1b[0m") != std::string::npos);
  // A bold line that is too long goes on in the next.
  const std::string narrow = on_terminal({"help", "ablate"}, 80, [] { ::unsetenv("NO_COLOR"); });
  CHECK(narrow.find('?') == run(playground().path, {"help", "ablate"}).out.find('?'));
  for (const char* words : {"A run ends", "of layers", "in turn"})  // sentences are not
    CHECK(bold.find(str("\x1b[1m", words)) == std::string::npos);
  CHECK(run(playground().path, {"help", "presets"}).out.find("\n  quick      a first look: ") !=
        std::string::npos);
  CHECK(run(playground().path, {"help", "ablate"}).out.find("a first look") == std::string::npos);
}

TEST_CASE("program: bash completes commands, the options of each, and names of schemes, tasks and models") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "completion", run(folder.path, {"help", "--completion", "bash"}).out);
  const auto completed = [&](const std::string& line) {  // what the last word of the line may become
    const std::vector<std::string> words = split(line, ' ');
    const std::string script = str(
        "cd '", folder.path, "' && bash -c '. ./completion && complete -p locus > registered && COMP_WORDS=(",
        line.ends_with(' ') ? line + "\"\"" : line, ") && COMP_CWORD=", words.size() - 1,
        "; _locus; echo \"${COMPREPLY[*]}\"' > words");
    REQUIRE(std::system(script.c_str()) == 0);
    CHECK(read_file(folder / "registered") == "complete -o default -F _locus locus\n");
    const std::string found = read_file(folder / "words");
    return found.substr(0, found.size() - 1);
  };
  CHECK(completed("locus tr") == "train");
  CHECK(completed("build/locus he") == "help");
  CHECK(completed("locus help pre") == "presets");
  CHECK(completed("locus train --sch") == "--scheme --scheme-by-layer");
  CHECK(completed("locus train --scheme sin") == "sinusoidal");
  CHECK(completed("locus train --scheme rope --task rev") == "reverse");
  CHECK(completed("locus train --model ") == "encoder decoder rnn gru");
  CHECK(completed("locus ablate --schemes al") == "alibi");
  CHECK(completed("locus train --out ru") == "");  // files then
  const std::string zsh = run(folder.path, {"help", "--completion", "zsh"}).out;
  CHECK(zsh.starts_with("#compdef locus\n"));
  if (std::system("command -v zsh >/dev/null") == 0) {
    write_file_atomically(folder / "_locus", zsh);
    CHECK(std::system(str("cd '", folder.path,
                          "' && zsh -fc 'compadd() { shift; print -r -- \"$@\" }; CURRENT=3; "
                          "words=(locus train --sch); . ./_locus' | grep -q -- '--scheme '")
                          .c_str()) == 0);
  }
  check_refused(2, {"help", "--completion", "bsh"},
                "[help] there is no shell 'bsh'. Hint: did you mean 'bash'?");
}

TEST_CASE("program: installed, it runs from any folder and finds the tables that come with it") {
  const std::string to = playground().path + "/installed";
  // -o: the program that lies there is installed, and not made again.
  const std::string program = program_path();
  const std::string build = std::filesystem::path(program).parent_path();
  REQUIRE(std::system(str("env -u MAKEFLAGS make --no-print-directory -o '", program, "' install BUILD='",
                          build, "' DESTDIR='", to, "' PREFIX=/usr >/dev/null")
                          .c_str()) == 0);
  CHECK(std::filesystem::file_size(to + "/usr/share/man/man1/locus.1") > 10000);
  for (const char* script : {"bash-completion/completions/locus", "zsh/site-functions/_locus"})
    CHECK(std::filesystem::file_size(str(to, "/usr/share/", script)) > 1000);
  const std::string here = playground().path + "/elsewhere";
  std::filesystem::create_directories(here);
  std::vector<std::string> programs = {to + "/usr/bin/locus"};
  if (std::filesystem::exists(build + "/../datasets"))
    programs.push_back(program);  // a build of the default folder
  for (const std::string& locus : programs) {
    CAPTURE(locus);
    // Also from a folder that has no datasets: the default grid names one.
    CHECK(std::system(str("cd '", here, "' && '", locus, "' ablate --plan >plan && grep -q who_chased plan")
                          .c_str()) == 0);
    CHECK(std::system(
              str("cd '", here, "' && '", locus, "' tasks datasets/before_after.tsv >card").c_str()) == 0);
  }
}
#endif
