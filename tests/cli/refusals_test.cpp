// What is asked wrongly ends in one clear line, with a hint, and changes nothing.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "../support/temporary_folder.h"
#include "base/machine.h"
#include "io/safetensors.h"
#include "playground.h"
#include "train/settings.h"

using namespace locus;

namespace {

struct Option {
  std::string name, value;  // "--steps", "N"; "" for a switch
};

// The options that `locus help COMMAND` lists.
std::vector<Option> options_of(const std::string& command) {
  const std::string help = run(playground().path, {"help", command}).out;
  std::vector<Option> options;
  for (std::size_t start = help.find("\noptions:\n"); start != help.npos;
       start = help.find('\n', start + 1)) {
    const std::string line = help.substr(start + 1, help.find('\n', start + 1) - start - 1);
    if (!line.starts_with("  --")) continue;
    const std::size_t name_end = line.find(' ', 2), value_end = line.find(' ', name_end + 1);
    options.push_back({line.substr(2, name_end - 2), line.substr(name_end + 1, value_end - name_end - 1)});
  }
  return options;
}

// Whether this option is that of a setting that can be 0.
bool may_be_zero(const std::string& option) {
  return std::ranges::any_of(all_settings(), [&](const Setting& setting) {
    const bool is_number = setting.type == ValueType::whole || setting.type == ValueType::number;
    return option == setting.option && is_number && setting.limits.low == 0;
  });
}

// Enough words for the command to be right, without this option.
Words base_of(const std::string& command, const std::string& without) {
  const std::vector<std::pair<std::string, std::vector<Words>>> bases = {
      {"train", {{"--task", "before"}, {"--scheme", "none"}, {"--out", "new"}}},
      {"ablate", {{"--tasks", "before"}, {"--schemes", "none"}, {"--out", "new"}}},
      {"eval", {{"good"}}},
      {"attend", {{"good"}}},
      {"ask", {{"good"}}},
      {"probe", {{"good"}}},
      {"construct", {{"previous"}, {"--out", "new"}}},
      {"report", {{"ablation"}}},
      {"inspect", {{"sinusoidal"}}},
      {"bench", {{"--sizes", "S"}, {"--threads", "1"}}}};
  Words words = {command};
  for (const auto& [name, parts] : bases)
    if (name == command)
      for (const Words& part : parts)
        if (part.front() != without) words = words + part;
  return words;
}

}  // namespace

TEST_CASE("program: bad words end in status 2 and one line with a hint, and change nothing") {
  check_refused(2, {"trian"}, "[locus] there is no command 'trian'. Hint: did you mean 'train'?");
  check_refused(2, {""}, "[locus] there is no command ''");
  check_refused(2, {"help", "nope"}, "[locus] there is no command 'nope'");
  check_refused(2, {"help", "train", "eval"}, "[help] 'eval' is one word too many");
  check_refused(2, {"tasks", "sort", "copy"}, "[tasks] 'copy' is one word too many");
  check_refused(2, {"tasks", "srot"}, "[task] there is no task 'srot'. Hint: did you mean 'sort'?");
  check_refused(
      2, {"ablate", "--schemes", "none,rope:base=9"},
      "[scheme] there is no scheme 'none,rope'. Hint: in a list, put spaces before and after a scheme "
      "with settings");
  check_refused(2, {"schemes", "rop"}, "[scheme] there is no scheme 'rop'. Hint: did you mean 'rope'?");
  check_refused(2, {"eval"}, "[eval] a word is missing");
  check_refused(2, {"report"}, "[report] a word is missing");
  check_refused(2, {"inspect"}, "[inspect] a word is missing");
  check_refused(2, {"eval", ""}, "[eval] an argument is empty");
  check_refused(2, {"train"}, "[train] give either --task NAME or --dataset FILE");
  check_refused(2, {"train", "--task", "sort", "--dataset", dataset(), "--scheme", "none"},
                "[train] give either --task");
  check_refused(2, {"train", "--task", "sort"}, "[train] --scheme SPEC is missing");
  check_refused(2, {"train", "--dataset", "notes.doc", "--scheme", "none"},
                "[task] the dataset 'notes.doc' does not end in .tsv");
  check_refused(2, {"train", "--task", "notes.tsv", "--scheme", "none"},
                "[task] 'notes.tsv' is a file. Hint: give it with --dataset");
  check_refused(2, {"ablate", "--datasets", "notes.doc"},
                "[task] the dataset 'notes.doc' does not end in .tsv");
  check_refused(2, {"ablate", "--schemes", ","}, "[ablate] --schemes ',' names nothing");
  check_refused(2, {"ablate", "--tasks", "sort", "sort"}, "[ablate] two tasks are called 'sort'");
  check_refused(2, {"ablate", "--schemes", "none,none"}, "[ablate] 'none' on before is asked for twice");
  check_refused(2, {"inspect", "rope", "--what", "clock"},
                "[inspect] there is no --what 'clock'. Hint: did you mean 'clocks'?");
  check_refused(2, {"inspect", "none", "--what", "buckets"},
                "[inspect] 'none' has no buckets. Hint: it has: scores");
  check_refused(2, {"inspect", "rope", "--what", "bias"},
                "[inspect] 'rope' has no bias. Hint: it has: frequencies, distance, clocks");
  check_refused(2, train("befor", "none", "new"),
                "[task] there is no task 'befor'. Hint: did you mean 'before'?");
  check_refused(2, train("unique", "none", "new"), "[model] 'unique' asks for answers of any length");
}

TEST_CASE(
    "program: what is typed may hold line breaks and bytes of any kind; the complaint is still one line") {
  for (const Words& words : {Words{"\xFF\xFE"}, Words{"train", "--task", "\xFF\xFE", "--scheme", "none"}})
    check_refused(2, words,
                  "' is not UTF-8. Hint: write it in UTF-8; if it names a file or a folder, rename that");
  for (const char* odd : {"a\nb", "a\rb", "\x1b[2J", "%s%n", "naïve", "\t"}) {
    check_refused(2, {odd}, "[locus] there is no command '");
    check_refused(2, {"train", "--task", odd, "--scheme", "none"}, "[task] there is no task '");
    check_refused(2, {"train", "--task", "sort", "--scheme", odd}, "[scheme] there is no scheme '");
    check_refused(2, {"train", str("--", odd)}, "[train] there is no option --");
    check_refused(2, {"train", "--task", "sort", "--scheme", "none", "--steps", odd}, "[train] --steps '");
  }
}

TEST_CASE("program: a spec that makes no sense is refused") {
  for (const char* spec :
       {"nope", "rope:base=", "rope+", "t5:buckets=3"}) {  // more: positional/options_test.cpp
    check_refused(2, train("before", spec, "new"), "");
    check_refused(2, {"inspect", spec}, "");
    check_refused(2, {"eval", "good", "--scheme", spec}, "");
    check_refused(2, {"ablate", "--tasks", "before", "--schemes", spec, "--out", "new"}, "");
  }
}

TEST_CASE("program: every option of every command refuses values that make no sense") {
  const std::set<std::string> numbers = {"N", "X", "T", "D", "H"}, lists_of_numbers = {"A,B,C"},
                              axes = {"N[,...]", "X[,...]", "KIND[,...]"}, written = {"DIR", "FILE"},
                              names = {"NAME",   "FILE.tsv",    "SPEC",       "SPECS", "W[,...]",
                                       "KIND",   "W",           "LO-HI",      "A,B",   "F,G",
                                       "S1,S2",  "S,M,L",       "TOKENS",     "HEADS", "I/N",
                                       "CHANGE", "LO-HI[;...]", "NAME[,...]", "SHELL"};
  int tried = 0;
  for (const std::string& command : command_names())
    for (const auto& option : options_of(command)) {
      const std::string &name = option.name,
                        &value = option.value;  // clang 14 captures no structured bindings
      const Words base = base_of(command, name);
      const auto refuse = [&](const Words& more) { check_refused(2, base + more, ""); };
      CAPTURE(name);
      ++tried;
      if (value.empty()) {
        refuse({name + "=yes"});
        refuse({name, name});
        continue;
      }
      const bool known = numbers.contains(value) || lists_of_numbers.contains(value) ||
                         axes.contains(value) || written.contains(value) || names.contains(value);
      CHECK_MESSAGE(known, "no bad values are known for ", value);
      refuse({name});
      refuse({name, ""});
      refuse({name + "="});
      refuse({name, "--"});
      if (!written.contains(value)) refuse({name, "nope"});
      if (numbers.contains(value))
        for (const char* bad : {"-1", "99999999999999999999", "1e999", "nan", "1,2", "5 5"})
          refuse({name, bad});
      if (numbers.contains(value) && !may_be_zero(name)) refuse({name, "0"});
      if (value == "N") refuse({name, "2.5"});
      if (axes.contains(value))
        for (const char* bad : {"-1", "nan", "1,", ",1", "1,nope", "1 5", "1,99999999999999999999"})
          refuse({name, bad});
      if (axes.contains(value) && !may_be_zero(name)) refuse({name, "0"});
      if (value == "I/N")
        for (const char* bad : {"1", "0/2", "3/2", "1/2/3", "/", "1/", "a/b", "1/1000"}) refuse({name, bad});
      if (value.starts_with("LO-HI") || lists_of_numbers.contains(value))
        for (const char* bad : {"0", "-3", "5-2", "5,", "1000001", "99999999999"}) refuse({name, bad});
    }
  CHECK(tried > 50);
}

TEST_CASE("program: sizes that do not go together are refused before anything is written") {
  const auto with = [](const Words& more, const std::string& scheme) {
    return Words{"train", "--task", "sort", "--scheme", scheme, "--out", "new"} + more;
  };
  check_refused(2, with({"--d-model", "6"}, "rope"),
                "[rope] 3 channels of each head of 3 would be turned, but rope turns pairs");
  check_refused(2, with({"--test-lengths", "12,600"}, "learned"),
                "[scheme] 'learned' has 512 positions, but inputs of up to 600 tokens");
  check_refused(2, {"eval", "good", "--test-lengths", "1"}, "[before] an input of 1 tokens");
  check_refused(2, {"inspect", "rope", "--d-model", "6"}, "[rope] 3 channels");
}

namespace {

// Too little for the stacks of a thousand threads.
void limit_memory() {
  const rlimit limit = {std::uint64_t{1} << 30, std::uint64_t{1} << 30};
  ::setrlimit(RLIMIT_AS, &limit);
}

// macOS and some emulators ignore RLIMIT_AS.
bool memory_can_be_limited() {
#ifdef LOCUS_SANITIZED
  return false;  // a sanitizer reserves terabytes of addresses
#endif
  const pid_t child = ::fork();
  if (child == 0) {
    limit_memory();
    ::_exit(::mmap(nullptr, std::size_t{2} << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
            MAP_FAILED);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

}  // namespace

TEST_CASE("program: what cannot fit in memory is refused at once") {
  const auto with = [](const Words& more, const std::string& scheme = "none") {
    return Words{"train", "--task", "sort", "--scheme", scheme, "--out", "new"} + more;
  };
  const auto start = std::chrono::steady_clock::now();
  const std::string too_much = " GB, and there are ";
  check_refused(1, with({"--d-model", "1000000", "--layers", "1000"}), too_much);
  check_refused(1, with({}, "learned:capacity=1000000000"), too_much);
  check_refused(1, with({"--batch", "1000000", "--train-lengths", "100000"}), too_much);
  check_refused(1, with({"--test-lengths", "1000000"}), too_much);
  check_refused(1, with({"--test-lengths", "10000", "--test-examples", "1000000"}), too_much);
  check_refused(1, {"eval", "good", "--test-lengths", "1000000"}, too_much);
  check_refused(1, {"ablate", "--tasks", "sort", "--schemes", "none", "--out", "new", "--d-model", "1000000"},
                too_much);
  // Each thread takes more than a tenth of a gigabyte; together, more than there is.
  const std::string many = str(std::min(1024, static_cast<int>(memory_bytes() / 1e8)));
  check_refused(1,
                with({"--layers", "1", "--train-lengths", "6", "--test-lengths", "800", "--test-examples",
                      "1", "--threads", many}),
                too_much);
  check_refused(2, {"inspect", "learned:capacity=1000000000"},
                "[inspect] there would be 32000000000 parameters, more than");
  check_refused(2, {"inspect", "onehot:capacity=100000", "--length", "65536"},
                "[inspect] there would be 6553600000 numbers in embedding");
  check_refused(2, {"inspect", "alibi", "--length", "65536"},
                "[inspect] there would be 8589934592 numbers in bias");
  check_refused(2, {"inspect", "sinusoidal", "--length", "65536", "--d-model", "65536"},
                "[inspect] there would be 4294967296 numbers in embedding");
  check_refused(2, {"inspect", "none", "--d-model", "65536"},
                "[inspect] there would be 17179869184 numbers in scores");
  if (memory_can_be_limited())
    check_refused(1, train("sort", "none", "new") + Words{"--threads", "1000"}, "[pool] only ", limit_memory);
  else
    MESSAGE("skipped: this system does not limit the memory of a process");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("program: tables that are missing or malformed are refused, the line named") {
  const auto with = [](const std::string& table) {
    return Words{"train", "--dataset", table, "--scheme", "none", "--out", "new"};
  };
  check_refused(1, with("missing.tsv"), "[missing.tsv] could not be read: No such file or directory");
  check_refused(1, with("malformed.tsv"), "[malformed.tsv:3] no tab. Hint: ");
  check_refused(1, with("binary.tsv"), "[binary.tsv:2] byte 1 of the line is not UTF-8");
  check_refused(2, with("longer.tsv"), "[model] 'longer' asks for answers of any length");
  check_refused(2, with(dataset()) + Words{"--test-lengths", "99"},
                "[before_after] no test row has an input of 99 tokens. Hint: the lengths are ");
  check_refused(2, with(dataset()) + Words{"--train-lengths", "99"},
                "[before_after] no train row has an input of 99 to 99 tokens");
  check_refused(1, {"ablate", "--datasets", "malformed.tsv", "--out", "new"}, "[malformed.tsv:3] no tab");
}

TEST_CASE("program: damaged checkpoints are refused by eval and train alike, and stay as they are") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"truncated", ": "},  // the first tensor that is not whole
      {"short", "] is cut short, or not a safetensors file: its 5 bytes are too few"},
      {"foreign", "] it was not written by Locus"},
      {"longer", "] is cut short, or not a safetensors file: its "}};
  for (const auto& [folder, clue] : cases) {
    check_refused(1, {"eval", folder}, str("[", folder, "/model.safetensors", clue));
    check_refused(1, train("before", "none", folder), str("[", folder, "/model.safetensors", clue));
  }
  check_refused(1, {"eval", "nowhere"}, "[nowhere] there is no such folder. Hint: `locus train` says where");
  check_refused(1, {"eval", "ablation"},
                "[ablation] it holds an ablation, whose models were not kept. Hint: ");
  check_refused(1, {"eval", "."},
                "[.] there is no model.safetensors in it. Hint: give the folder of one run, such as ./");
}

TEST_CASE("program: bench refuses what it would ignore") {
  check_refused(2, {"bench", "--json", "--profile"}, "[bench] both --json and --profile are given");
  check_refused(2, {"bench", "--profile", "--threads", "2"},
                "[bench] --threads has no effect with --profile");
}

TEST_CASE("program: a folder that holds something else is refused and left as it is") {
  check_refused(1, train("before", "none", "good") + Words{"--seed", "2"},
                "[good] it holds a run with --seed 1, but --seed 2 is asked for. Hint: choose another --out");
  check_refused(1, train("before", "rope", "good"),
                "[good] it holds a run with --scheme none, but --scheme rope is asked for");
  check_refused(1, train("before", "none", "ablation"), "[ablation] it holds results of something else");
  check_refused(1, train("before", "none", "notes"), "[notes] it holds results of something else");
  check_refused(1, train("before", "none", "notes.txt"), "[notes.txt");
  check_refused(1, train("before", "none", "/dev/null/x"),
                "[/dev/null/x] could not be made: Not a directory");
  check_refused(1, train("before", "none", std::string(300, 'x')), "] could not be made: File name too long");
  check_refused(
      1, ablate("ablation") + Words{"--lr", "0.5"},
      "[ablation/results.jsonl:2] it holds a run with --lr 0.003; of those asked for, the most similar has --lr 0.5. "
      "Hint: ");
  check_refused(
      1, ablate("good"),
      "[good] it holds a run of `locus train`, which writes its results there. Hint: choose another --out");
  check_refused(1, ablate("broken"), "[broken/results.jsonl:11] 'task' should be a string, is a number");
  check_refused(1, ablate("notes"), "[notes/results.jsonl:1] this line does not belong in a results file");
  check_refused(1, {"report", "broken"}, "[broken/results.jsonl:11] ");
  check_refused(1, {"report", "notes"},
                "[notes/results.jsonl:1] this line does not belong in a results file");
  check_refused(1, {"report", "ablation", "ablation"},
                "[ablation/results.jsonl:2] this cell was there before, in ablation/results.jsonl:2. Hint: "
                "give each folder once");
  check_refused(1, {"report", "broken/.."}, "[broken/..] there is no results.jsonl in it. Hint: ");
  check_refused(1, {"inspect", "rope", "--svg", "notes/results.jsonl/a.svg"},
                "[notes/results.jsonl] could not be made: Not a directory");
  CHECK(run(playground().path, {"inspect", "rope", "--svg", "new/folder/a.svg"}).status == 0);
  CHECK(std::filesystem::exists(playground() / "new/folder/a.svg"));
  create_folders(playground() / "new/folder.svg");
  check_refused(1, {"inspect", "rope", "--svg", "new/folder.svg"},
                "[new/folder.svg] is a folder, should be a file");

  const FolderLock good(playground() / "good"), ablation(playground() / "ablation");
  check_refused(1, train("before", "none", "good"), "[good] another process is writing to this folder");
  check_refused(1, ablate("ablation"), "[ablation] another process is writing to this folder");
}

TEST_CASE("program: names that no file can have are refused before any work") {
  const TemporaryFolder folder;
  const std::string rows = read_file(dataset());
  const Words words = {"--scheme", "none", "--steps", "4", "--layers", "1", "--d-model", "8", "--dataset"};
  for (const auto& [name, complaint] :
       {std::pair<std::string, std::string>{"a\xFF.tsv", "[locus] 'a?.tsv' is not UTF-8"},
        {"...tsv", "[...tsv] '..' would be the table's name"},
        {"..tsv", "[..tsv] '.' would be the table's name"}}) {
    write_file_atomically(folder / name, rows);
    const Finished finished = run(folder.path, Words{"train"} + words + Words{name});
    CHECK(finished.status != 0);
    CHECK(finished.err.find("locus: " + complaint) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder / "runs"));
  }
}

TEST_CASE("program: common slips of a first evening get a hint") {
  const std::string& folder = playground().path;
  check_refused(2, {"--versoin"}, "Hint: did you mean '--version'?");
  CHECK(run(folder, {"schemes", "rope:extend=yarn"}).out == run(folder, {"schemes", "rope"}).out);
  check_refused(2, {"attend", "good", "--input", "3 1 4", "--svg", "x.png"},
                "--svg writes .svg files, and 'x.png' has another ending. Hint: name it x.svg");
  check_refused(2, {"inspect", "rope", "--svg", "x.pdf"}, "Hint: name it x.svg");
  const Finished loose = run(folder, {"ask", "good", "3", "A", "4", "B", "5"});
  check_refused(2, {"schemes", "rope:extnd=yarn"},
                "[rope] it has no option 'extnd'. Hint: did you mean 'extend'?");
  check_refused(2, {"schemes", "roep:extend=yarn"}, "there is no scheme 'roep'. Hint: did you mean 'rope'?");
  CHECK(loose.err ==
        "locus: these were 5 inputs of one token each. Hint: quotes make them one: \"3 A 4 B 5\"\n");
  const Finished spaced = run(folder, {"ask", "good", " 3 A  4 B 5 "});
  CHECK(spaced.status == 0);
  CHECK(spaced.out == run(folder, {"ask", "good", "3 A 4 B 5"}).out);
  CHECK(spaced.out.starts_with("warning: length 5 was never trained"));

  check_refused(
      1, {"train", "--dataset", "malforned.tsv", "--scheme", "none"},
      "[malforned.tsv] could not be read: No such file or directory. Hint: did you mean 'malformed.tsv'?");
  check_refused(
      1, {"train", "--dataset", "malf.tsv", "--scheme", "none"},
      "[malf.tsv] could not be read: No such file or directory. Hint: did you mean 'malformed.tsv'?");
  check_refused(1, {"train", "--dataset", "qq/q.tsv", "--scheme", "none"},
                ". Hint: paths are read from the folder in which the program is called");
  check_refused(1, train("sort", "none", "notes.txt"),
                "[notes.txt] could not be made: Not a directory. Hint: a file has this name");
  check_refused(1, {"eval", "lst"},
                "[lst] there is no such folder. Hint: did you mean 'last', the newest run?");
  check_refused(1, {"eval", "goood"}, "[goood] there is no such folder. Hint: did you mean 'good'?");
  check_refused(1, {"eval", "good/model.safetensors"},
                "is a file, should be a folder. Hint: its folder is good");
  check_refused(1, {"report", "nowhere"},
                "[nowhere] there is no such folder. Hint: `locus ablate` and `locus train` say");
  check_refused(1, {"report", "."},
                "[.] there is no results.jsonl in it. Hint: give a folder that has one, such as ./");
}

TEST_CASE("program: hints and examples name the program as it was called") {
  const TemporaryFolder folder;
  create_folders(folder / "bin");
  std::filesystem::create_symlink(program_path(), folder / "bin/locus");
  const auto says = [&](const std::string& words) {
    const std::string command = str("cd '", folder.path, "' && ", words, " > said 2>&1");
    CHECK(std::system(command.c_str()) != -1);
    return read_file(folder / "said");
  };
  CHECK(says("bin/locus ask").ends_with("Hint: `bin/locus help ask` shows how it is used\n"));
  CHECK(says("bin/locus help ask").find("\n  bin/locus ask runs/") != std::string::npos);
  CHECK(says("PATH=bin:$PATH locus ask").ends_with("Hint: `locus help ask` shows how it is used\n"));
}
#endif

TEST_CASE("program: a page or picture replaces one by Locus, and no other file") {
  const TemporaryFolder folder;
  const std::string results = playground() / "good/results.jsonl",
                    model = playground() / "good/model.safetensors";
  const Words attend = {"attend", "good", "--input", "3 1 4", "--html"};
  check_refused(2, {"report", "good", "--out", results}, "[out] --out writes .html files");
  check_refused(2, attend + Words{model}, "[html] --html writes .html files");
  check_refused(2, {"report", "good", "--out", "here", "--svg", results}, "[svg] --svg writes .svg files");
  check_refused(2, {"inspect", "rope", "--svg", "../good"}, "Hint: name it ../good.svg");

  const std::string page = folder / "mine.html", picture = folder / "mine.svg";
  const std::string words = "<!doctype html>\n<p>mine</p>\n",
                    drawn =
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><rect/></svg>\n";
  write_file_atomically(page, words);
  write_file_atomically(picture, drawn);
  const std::string kept = "Locus did not write it as a ";
  for (const Words& command : {Words{"report", "good", "--out", page}, attend + Words{page}})
    check_refused(1, command, kept + "page. Hint: it is kept");
  for (const Words& command : {Words{"inspect", "rope"}, Words{"report", "good", "--out", folder / "b.html"},
                               Words{"attend", "good", "--input", "3 1 4"}, Words{"probe", "good"},
                               train("before", "none", folder / "new")})
    check_refused(1, command + Words{"--svg", picture}, kept + "picture. Hint: it is kept");
  CHECK(read_file(page) == words);
  CHECK(read_file(picture) == drawn);
  CHECK_FALSE(file_exists(folder / "new"));

  create_folders(playground() / "ablation-page");
  write_file_atomically(playground() / "ablation-page/report.html", words);
  check_refused(1, ablate("ablation-page"), kept + "page. Hint: it is kept");
  CHECK_FALSE(file_exists(playground() / "ablation-page/results.jsonl"));

  write_file_atomically(page, "");  // loses nothing
  for (int twice = 0; twice < 2; ++twice) {
    CHECK(run(playground().path, {"report", "good", "--out", page, "--svg", folder / "ours.svg"}).status ==
          0);
    CHECK(run(playground().path, attend + Words{page}).status == 0);
    CHECK(run(playground().path, {"inspect", "rope", "--svg", folder / "ours.svg"}).status == 0);
  }
}
