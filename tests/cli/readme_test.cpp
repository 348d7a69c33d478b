// Every command that a README shows works: each `make TARGET` names a target, each `build/locus ...` runs, in
// the order of the text, with fewer steps and examples. What is checked elsewhere, or not at all:
//
//   what the targets of make do              .ci/run runs the tests and checks among them
//   ```console blocks of the chapters        `make lessons-check` runs them (lessons/tools/fresh.sh)
//   a chapter's own program, build/locus-NN  `make wrong-turns` runs one; here build/locus takes its place
//   scripts (.sh, .py) that a README names   they exist; they take minutes or need PyTorch, and do not run
//   apt-get, rsync, sbatch, parallel, xargs  not checked, only the build/locus command that they are given
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "../support/temporary_folder.h"
#include "base/text.h"
#include "positional/support/registry.h"
#include "process.h"
#include "tasks/support/registry.h"

using namespace locus;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

struct Shown {
  int line;
  std::string command;
};

// The commands in blocks of code, indented or fenced, and in `code` within sentences, by line.
std::vector<Shown> commands_of(const std::string& readme, bool is_chapter) {
  static const std::regex in_block(
      R"('(build/locus[^']*)'|(?:^|\s)(build/locus\b[^|;&>]*))"
      R"(|^ *(?:\$ )?(make\b[^|;&>]*)|^ *(?:\S*/python3 )?(\w+/\S+\.(?:sh|py)))");
  static const std::regex in_sentence(R"(`((?:build/locus[-\d]*|locus|make)\s[^`]+)`)");
  static const std::regex comment(R"(\s#.*)"), space(R"(\s+)"), last_space(R"(\s+$)");
  std::vector<Shown> shown;
  const auto add = [&](const std::string& code, const std::regex& pattern, int line) {
    for (std::sregex_iterator found(code.begin(), code.end(), pattern), end; found != end; ++found) {
      const std::string command = found->format("$1$2$3$4");  // the one group that matched
      const auto lines_before = std::count(code.begin(), code.begin() + found->position(), '\n');
      shown.push_back({line + static_cast<int>(lines_before),
                       std::regex_replace(std::regex_replace(command, last_space, ""), space, " ")});
    }
  };

  const Words lines = split(readme, '\n');
  std::string sentences;  // the text with an empty line for each line of a block
  bool in_fence = false, skip = false;
  for (std::size_t i = 0; i < lines.size(); ++i, sentences += '\n') {
    if (lines[i].starts_with("```")) {
      in_fence = !in_fence;
      skip = is_chapter && lines[i].starts_with("```console");
    } else if (!in_fence && !lines[i].starts_with("    ")) {
      sentences += lines[i];
    } else if (!skip) {
      const int line = static_cast<int>(i) + 1;
      std::string code = lines[i];
      for (; code.ends_with('\\') && i + 1 < lines.size(); sentences += '\n')
        code = code.substr(0, code.size() - 1) + lines[++i];
      add(std::regex_replace(code, comment, ""), in_block, line);
    }
  }
  add(sentences, in_sentence, 1);
  std::ranges::stable_sort(shown, {}, &Shown::line);
  return shown;
}

Words words_of(const std::string& command) {
  static const std::regex word(R"re("([^"]*)"|'([^']*)'|(\S+))re");
  Words words;
  for (std::sregex_iterator found(command.begin(), command.end(), word), end; found != end; ++found)
    words.push_back(found->format("$1$2$3"));
  return words;
}

// With a value for what a README leaves open.
std::string filled_in(std::string command) {
  static const std::vector<std::pair<std::string, std::string>> values{
      {"build/locus-10 ...", "build/locus-10 help"},
      {"RUN", "runs/reverse/sinusoidal-encoder-seed1_steps=2"},  // which is trained first, made cheap
      {"DIR", "runs/tuned"},
      {"--scheme ...", "--scheme sinusoidal:base=100"},
      {"rescale=...", "factor=2,original=12,rescale=1/1/1/1/1/1/1/1"},
      {"--schemes wheel,", "--schemes "},                    // which the reader of chapter 15 has written
      {"report runs/wheel --best-lr", "report runs/wheel"},  // too short for curves when made cheap
      {"$SLURM_ARRAY_TASK_ID", "3"},
      {"$SLURM_ARRAY_TASK_COUNT", "16"}};
  for (const auto& [open, value] : values)
    if (const auto at = command.find(open); at != command.npos) command.replace(at, open.size(), value);
  return command;
}

// With fewer steps, examples, seeds and sizes. A recorded experiment runs as it is: its results are there.
Words made_cheap(Words words) {
  static const std::map<std::string, Words> cheap{
      {"train", {"--steps", "2", "--test-examples", "20"}},
      {"ablate", {"--steps", "2", "--test-examples", "20", "--seeds", "1"}},
      {"bench", {"--sizes", "S"}}};
  const auto is_recorded = [](const std::string& word) { return word.starts_with("lessons/results/"); };
  if (words.empty() || !cheap.contains(words[0]) || std::ranges::any_of(words, is_recorded)) return words;
  const Words& options = cheap.at(words[0]);
  for (std::size_t i = 0; i < options.size(); i += 2) {
    const auto given = std::ranges::find(words, options[i]);
    if (given != words.end()) words.erase(given, words.end() - given > 2 ? given + 2 : words.end());
    words.insert(words.end(), {options[i], options[i + 1]});
  }
  return words;
}

// A rule of make: by name, or lesson-01 by the pattern lesson-% if there is a chapter 01.
bool is_target(const std::string& word) {
  static const std::string rules = read_file("Makefile") + read_file("lessons/tools/lessons.mk") +
                                   read_file("src/playground/playground.mk");
  static const std::regex of_chapter(R"(([a-z]+-)(\d\d))");
  std::smatch match;
  std::string name = word;
  if (std::regex_match(word, match, of_chapter)) {
    const std::string folder = match[2].str() + "_";
    name = match[1].str() + "%";
    if (std::ranges::none_of(fs::directory_iterator("lessons"), [&](const auto& entry) {
          return entry.path().filename().string().starts_with(folder);
        }))
      return false;
  }
  return std::regex_search(rules, std::regex("\n([a-zN%-]+ )*" + name + "( [a-zN%-]+)*:[^=]"));
}

void check_works(const std::string& folder, const std::string& command) {
  Words words = words_of(filled_in(command));
  const std::string program = words.at(0);
  words.erase(words.begin());
  if (program == "make") {
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK((word.find('=') != word.npos || is_target(word)));  // VARIABLE=value stands among targets
    }
  } else if (program.ends_with(".sh") || program.ends_with(".py")) {
    CHECK(fs::exists(program));
  } else {
    const Finished finished = run(folder, made_cheap(words));
    CAPTURE(finished.err);
    CHECK(finished.status == 0);
  }
}

}  // namespace

TEST_CASE("readme: commands are found in blocks and in sentences") {
  const std::string readme =
      "Run `make test`, or `locus eval\nRUN`; `make` alone, `--steps` and `makefile` are no commands.\n"
      "\n    build/locus a \"b c\" \\\n      --d   # e\n    build/locus f | xargs sh; build/locus g > h\n"
      "    sbatch --wrap \\\n      'build/locus i $J'\n    make            # all\n    rsync runs/ there\n"
      "\n```console\n$ make k\nmade in tools/k.sh\n```\n    /usr/bin/python3 tests/l.py --m\n";
  const auto found = [&](bool is_chapter) {
    Words texts;
    for (const auto& [line, command] : commands_of(readme, is_chapter))
      texts.push_back(str(line, " ", command));
    return texts;
  };
  Words all = {"1 make test",     "1 locus eval RUN", "4 build/locus a \"b c\" --d",
               "6 build/locus f", "6 build/locus g",  "7 build/locus i $J",
               "9 make",          "13 make k",        "16 tests/l.py"};
  CHECK(found(false) == all);
  std::erase(all, "13 make k");
  CHECK(found(true) == all);
}

// (No more: who adds one edits no other file.)
TEST_CASE("readme: it promises no more schemes and toy tasks than there are") {
  const std::string readme = read_file("README.md");
  const auto promised = [&](const std::string& what) {
    std::smatch found;
    REQUIRE(std::regex_search(readme, found, std::regex("(\\d+) " + what)));
    return std::stoul(found[1]);
  };
  CHECK(promised("schemes") <= all_schemes().size());
  CHECK(promised("toy tasks") <= all_tasks().size());
}

TEST_CASE("readme: every command names a target or runs") {
  std::set<std::string> readmes{"README.md"};
  for (const char* top : {"datasets", "lessons", "src", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(top))
      if (const auto name = entry.path().filename(); name == "README.md" || name == "COMPARE.md")
        readmes.insert(entry.path());
  for (const std::string& readme : readmes) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "lessons");
    for (const std::string part : {"datasets", "lessons/results"})
      fs::copy(part, folder / part, fs::copy_options::recursive);
    const bool is_chapter = std::regex_match(readme, std::regex(R"(lessons/\d\d_\w+/README.md)"));
    for (const Shown& shown : commands_of(read_file(readme), is_chapter)) {
      INFO(str(readme, ":", shown.line, ": ", shown.command));
      check_works(folder.path, shown.command);
    }
    for (const std::string name : {"encoder", "decoder"}) {  // of the recorded results nothing was missing
      const std::string recorded = "lessons/results/" + name + "/results.jsonl";
      CAPTURE(readme);
      CHECK((read_file(folder / recorded) == read_file(recorded)));
    }
  }
}
#endif
