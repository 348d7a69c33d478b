// What reaches a terminal, a pipe and a file.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include "terminal.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "../support/temporary_folder.h"
#include "io/json.h"
#include "io/safetensors.h"
#include "io/utf8.h"
#include "playground.h"

using namespace locus;

TEST_CASE("program: output that cannot be written is a failure, and never lands in a file") {
  const TemporaryFolder folder;
  const bool has_full_device = std::filesystem::exists("/dev/full");
  if (!has_full_device) MESSAGE("skipped: there is no /dev/full here to write to");
  for (const Words& words : {Words{"help"}, Words{"schemes"}, Words{"inspect", "rope", "--csv"},
                             train("before", "none", "run"), ablate("cells")}) {
    CAPTURE(typed(words));
    if (has_full_device) {
      const Finished full = run(folder.path, words, [] { ::dup2(::open("/dev/full", O_WRONLY), 1); });
      CHECK(full.status == 1);
      CHECK(
          full.err.ends_with("locus: [output] standard output cannot be written: No space left on device\n"));
    }
    const Finished closed = run(folder.path, words, [] {
      ::close(0);
      ::close(1);
    });
    CHECK(closed.status == 1);
    CHECK(closed.err.ends_with("locus: [output] standard output cannot be written: Bad file descriptor\n"));
    const Finished silent = run(folder.path, words, [] {
      ::close(0);
      ::close(1);
      ::close(2);
    });
    CHECK(silent.status == 1);
  }
  CHECK(read_file(folder / "cells/results.jsonl") == read_file(playground() / "ablation/results.jsonl"));
  CHECK(read_file(folder / "run/results.jsonl") == read_file(playground() / "good/results.jsonl"));
  CHECK(read_file(folder / "run/model.safetensors") == read_file(playground() / "good/model.safetensors"));
  CHECK(read_file(folder / "cells/.lock").empty());
}

TEST_CASE("program: output into a reader that has gone ends without a complaint") {
  const TemporaryFolder folder;
  for (const Words& words : {Words{"help"}, Words{"schemes"}, train("before", "none", "run")}) {
    CAPTURE(typed(words));
    const Finished finished = run(folder.path, words, [] {
      int ends[2];
      if (::pipe(ends) != 0) ::_exit(125);
      ::dup2(ends[1], 1);
      ::close(ends[0]);
      ::close(ends[1]);
    });
    CHECK(finished.status == -SIGPIPE);
    CHECK(finished.err.find("locus: ") == std::string::npos);
  }
  CHECK(std::filesystem::exists(folder / "run/results.jsonl"));
}

TEST_CASE("program: no text of a file reaches the terminal with characters that change it, in any command") {
  const std::string escape = "\x1B]0;PWNED\x07", turn = "\u202E";
  const TemporaryFolder folder;
  const std::string table = str(escape, ".tsv");
  std::string rows = str("# task: ", turn, "what?\n");
  for (const char* first : {"a", "b", "c", "d", "e"})
    for (const char* second : {"f", "g", "h", "i"})
      rows += str(turn, first, " ", second, "\t", turn, first, "\n");
  write_file_atomically(folder / table, rows);
  const Words small = {"--scheme", "none", "--steps", "4", "--layers", "1", "--d-model", "8"};
  REQUIRE(run(folder.path, Words{"train", "--dataset", table, "--out", "run"} + small).status == 0);
  const Words ablation = {"--schemes", "none,rope", "--seeds", "2",         "--steps",
                          "4",         "--layers",  "1",       "--d-model", "8"};
  REQUIRE(run(folder.path, Words{"ablate", "--datasets", table, "--out", "cells"} + ablation).status == 0);
  // Every text of a result in turn is changed: refused, or shown, but never as it is.
  const std::string line = read_file(folder / "cells/results.jsonl");
  std::vector<Words> reports;
  for (const char* key : {"task", "dataset", "scheme", "model", "status", "table"}) {
    std::string changed;
    for (const std::string& one : split(line.substr(0, line.size() - 1), '\n')) {
      Json json = parse_json(one, "");
      json.set(key, escape + turn + (json.find(key) ? json.string(key, "") : ""));
      changed += to_string(json) + "\n";
    }
    create_folders(folder / key);
    write_file_atomically(folder / str(key, "/results.jsonl"), changed);
    for (const Words& more : {Words{}, Words{"--csv"}, Words{"--best-lr"}, Words{"--control", escape}})
      reports.push_back(Words{"report", key} + more);
  }
  const std::string input = str(turn, "a f");
  std::vector<Words> all = {{"help", escape},
                            {escape},
                            {"tasks", table},
                            {"tasks", escape},
                            {"schemes", escape},
                            {"inspect", escape},
                            {"inspect", "none", "--what", escape},
                            {"bench", "--sizes", escape},
                            {"eval", "run"},
                            {"eval", "run", "--scheme", escape},
                            {"ask", "run", input},
                            {"ask", "run", input, "--json"},
                            {"ask", "run", escape},
                            {"ask", "run", "--failures", "2"},
                            {"attend", "run", "--input", input},
                            {"attend", "run", "--input", input, "--csv"},
                            {"attend", "run", "--input", escape},
                            {"probe", escape},
                            {"probe", "run"},
                            {"construct", escape},
                            {"construct", "sort", "--out", escape},
                            Words{"train", "--dataset", table, "--out", "again"} + small,
                            Words{"ablate", "--datasets", table, "--out", "more", "--plan"} + ablation,
                            Words{"ablate", "--datasets", table, "--out", escape} + ablation};
  all.insert(all.end(), reports.begin(), reports.end());
  std::set<std::string> asked;
  for (const Words& words : all) {
    CAPTURE(typed(words));
    asked.insert(words[0]);
    const Finished finished = run(folder.path, words);
    CHECK(finished.status >= 0);
    for (const std::string& shown : {finished.out, finished.err})
      CHECK(printable(shown, Lines::several) == shown);
  }
  for (const std::string& command : command_names()) CHECK(asked.contains(command));
}

TEST_CASE("program: a file that may not grow further is a failure, not the end of the program") {
  const TemporaryFolder folder;
  const Finished finished = run(folder.path, train("before", "none", "run"), [] {
    const rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  CHECK(finished.status == 1);
  CHECK(finished.err.find("could not be written: File too large") != std::string::npos);
}

TEST_CASE("program: nothing but plain lines goes into pipes and files") {
  const TemporaryFolder folder;
  for (const Words& words : {Words{"help"},
                             {"schemes"},
                             {"schemes", "rope"},
                             {"tasks"},
                             {"tasks", "recall"},
                             {"inspect", "alibi"},
                             train("before", "none", "run"),
                             ablate("cells"),
                             {"eval", "run"},
                             {"attend", "run"},
                             {"attend", "run", "--silence", "all"},
                             {"ask", "run", "3 A 4 B 5"},
                             {"report", "cells"}}) {
    CAPTURE(typed(words));
    const Finished finished = run(folder.path, words);
    CHECK(finished.status == 0);
    CHECK_FALSE(finished.out.empty());
    for (const std::string& output : {finished.out, finished.err})
      for (const char control : {'\x1b', '\r'}) CHECK(output.find(control) == std::string::npos);
  }
}

TEST_CASE("program: colour appears on a terminal, and NO_COLOR is honoured") {
  const auto with_no_color = [](const char* no_color) {
    return on_terminal({"schemes", "rope"}, 100,
                       [&] { no_color ? ::setenv("NO_COLOR", no_color, 1) : ::unsetenv("NO_COLOR"); });
  };
  CHECK(with_no_color(nullptr).find("\x1b[1m") != std::string::npos);
  CHECK(with_no_color("").find("\x1b[1m") != std::string::npos);  // no-color.org: only when not empty
  const std::string plain = with_no_color("1");
  CHECK(plain.find("rope: turns pairs") != std::string::npos);
  CHECK(plain.find('\x1b') == std::string::npos);
}

TEST_CASE("program: on a narrow terminal no line is longer than it, and no word is broken") {
  const std::vector<Words> commands = {
      {"tasks"},        {"tasks", "sort"}, {"schemes"},       {"schemes", "rope"}, {"attend", "good"},
      {"eval", "good"}, {"help"},          {"help", "train"}, {"help", "inspect"}};
  for (const Words& words : commands) {
    CAPTURE(typed(words));
    const std::vector<std::string> wide = split(run(playground().path, words).out, '\n');
    for (const unsigned columns : {80u, 60u}) {
      const auto no_color = [] { ::setenv("NO_COLOR", "1", 1); };
      std::string narrow = on_terminal(words, static_cast<unsigned short>(columns), no_color);
      std::erase(narrow, '\r');
      CHECK_FALSE(narrow.empty());
      for (const std::string& line : split(narrow, '\n')) {
        CAPTURE(line);
        const bool one_word = line.find(' ', line.find_first_not_of(' ')) == line.npos;
        CHECK((display_width(line) <= columns || one_word || line.starts_with("  locus ")));
      }
      std::set<std::string> words_there;
      for (const std::string& line : split(narrow, '\n'))
        for (const std::string& word : split(line, ' ')) words_there.insert(word);
      for (std::size_t i = 1; i < wide.size(); ++i)  // lists do without the titles of a table
        for (const std::string& word : split(wide[i], ' ')) {
          if (word.find("─") != word.npos) continue;
          CAPTURE(word);
          CHECK(words_there.contains(word));
        }
    }
  }
}

TEST_CASE(
    "program: on a terminal of 80 columns the scores of a run are a table, and errors break between words") {
  const auto lines_of = [](const Words& words, int status) {
    const auto no_color = [] { ::setenv("NO_COLOR", "1", 1); };
    std::string seen = on_terminal(words, 80, no_color, status);
    std::erase(seen, '\r');
    for (const std::string& line : split(seen, '\n')) {
      CAPTURE(line);
      CHECK(display_width(line) <= 80);
    }
    return split(seen, '\n');
  };
  const std::vector<std::string> scores = lines_of({"eval", "good"}, 0);
  CHECK(std::ranges::count(scores, "     6", [](const std::string& line) { return line.substr(0, 6); }) == 1);
  const std::vector<std::string> refused = lines_of({"train", "--task", "magnetism", "--scheme", "none"}, 2);
  CHECK(refused.size() > 3);
  CHECK(refused[0] == "locus: [task] there is no task 'magnetism'. Hint: valid: addition, argsort,");
}
#endif
