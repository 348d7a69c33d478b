// The program as its users meet it: good commands do what they say, bad ones end in one clear line and change
// nothing.
#ifndef LOCUS_DOUBLE  // the program is built with float
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <regex>
#include <set>
#include <thread>

#include "../support/temporary_folder.h"
#include "base/error.h"
#include "base/format.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/utf8.h"
#include "positional/support/registry.h"
#include "process.h"
#include "train/safetensors.h"
#include "train/settings.h"

using namespace locus;

namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words tiny = {"--layers",        "1", "--d-model",      "8",   "--batch",         "8", "--steps", "4",
                    "--train-lengths", "6", "--test-lengths", "6,9", "--test-examples", "16"};

Words train(const std::string& task, const std::string& scheme, const std::string& out) {
  return Words{"train", "--task", task, "--scheme", scheme, "--out", out} + tiny;
}
Words ablate(const std::string& out) {
  return Words{"ablate",  "--tasks", "before", "sort", "--schemes", "none,rope",
               "--seeds", "2",       "--out",  out,    "--no-aa"} +
         tiny;
}

std::string dataset() { return std::filesystem::absolute("datasets/before_after.tsv"); }

// The words as one would type them.
std::string typed(const Words& words) { return "locus " + join(words, " "); }

void check_is_one_line(const std::string& err) {
  CHECK(err.starts_with("locus: ["));
  CHECK(std::count(err.begin(), err.end(), '\n') == 1);
  CHECK(err.ends_with('\n'));
  CHECK(err.size() < 600);
}

// A folder with all that bad commands could harm: a trained run, an ablation, tables, damaged checkpoints.
struct Playground : TemporaryFolder {
  Playground() {
    const TemporaryFolder& here = *this;
    REQUIRE(run(path, train("before", "none", "good")).status == 0);
    REQUIRE(run(path, ablate("ablation")).status == 0);
    const std::string model = read_file(here / "good/model.safetensors");
    damaged("truncated", model.substr(0, model.size() / 2));
    damaged("short", model.substr(0, 5));
    const std::string header =
        R"({"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    damaged("foreign", length_bytes(header.size()) + header + "1234");
    damaged("oversized", length_bytes(std::uint64_t{1} << 40) + model.substr(8));
    damaged("longer", length_bytes(model.size()) + model.substr(8));
    write_file_atomically(here / "notes.txt", "my notes");
    write_file_atomically(here / "empty.tsv", "");
    write_file_atomically(here / "comments.tsv", "# only words about words\n");
    write_file_atomically(here / "malformed.tsv", "a b\tyes\nc d\tno\nno tab here\n");
    write_file_atomically(here / "double.tsv", "a b\tyes\na b\tno\n");
    write_file_atomically(here / "binary.tsv", std::string("a b\tyes\n\xFF\xFE\n", 11));
    std::string rows;
    for (int i = 0; i < 40; ++i) rows += text("w", i, "\tw", i, " w", i, "\n");
    write_file_atomically(here / "longer.tsv", rows);
    create_folders(here / "broken");
    write_file_atomically(here / "broken/results.jsonl",
                          read_file(here / "ablation/results.jsonl") + "{\"task\":3}\n");
    create_folders(here / "notes");
    write_file_atomically(here / "notes/results.jsonl", "my notes on results");
  }

  void damaged(const std::string& name, const std::string& bytes) const {
    create_folders(*this / name);
    write_file_atomically(*this / (name + "/model.safetensors"), bytes);
  }
  static std::string length_bytes(std::uint64_t length) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes;
  }
};

const Playground& playground() {
  static const Playground folder;
  return folder;
}

// It ends with this status, prints nothing, complains in one line that holds `clue`, and changes no file.
void check_refused(int status, const Words& words, const std::string& clue,
                   const std::function<void()>& prepare = {}) {
  CAPTURE(typed(words));
  const Playground& folder = playground();
  const auto before = contents(folder.path);
  const Finished finished = run(folder.path, words, prepare);
  CAPTURE(finished.err);
  CHECK(finished.status == status);
  CHECK(finished.out.empty());
  check_is_one_line(finished.err);
  CHECK(finished.err.find(clue) != std::string::npos);
  if (status == 2) CHECK(finished.err.find(". Hint: ") != std::string::npos);
  const bool untouched = contents(folder.path) == before;
  CHECK(untouched);
}

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

std::vector<std::string> commands() {
  const std::string help = run(playground().path, {"help"}).out;
  std::vector<std::string> names;
  for (std::size_t start = help.find("\n\n  "); start != help.npos; start = help.find('\n', start + 1)) {
    const std::string line = help.substr(start + 1, help.find('\n', start + 1) - start - 1);
    if (line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z' && !line.starts_with("  locus"))
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

// Whether this option is that of a setting that can be 0.
bool may_be_zero(const std::string& option) {
  return std::ranges::any_of(all_settings(), [&](const Setting& setting) {
    return option == setting.option && std::visit(
                                           [](const auto& member) {
                                             if constexpr (requires { member.low; })
                                               return member.low == 0;
                                             else
                                               return false;
                                           },
                                           setting.member);
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

// What a terminal of so many columns receives.
std::string on_terminal(const Words& words, unsigned short columns,
                        const std::function<void()>& prepare = {}) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  ::fcntl(terminal, F_SETFL, O_NONBLOCK);
  REQUIRE((::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0));
  const std::string name = ::ptsname(terminal);
  const int other_end =
      ::open(name.c_str(), O_RDWR | O_NOCTTY);  // held, so that what was written can still be read
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  REQUIRE(::ioctl(other_end, TIOCSWINSZ, &size) == 0);
  const Process process(playground().path, words, [&] {
    ::setenv("TERM", "xterm", 1);
    if (prepare) prepare();
    ::dup2(other_end, 1);
  });
  std::string seen;  // the terminal passes on what was written in parts, the last of them some time later
  char bytes[8192];
  const auto read_on = [&] {
    const ssize_t got = ::read(terminal, bytes, sizeof bytes);
    if (got > 0) seen.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  };
  for (int silence = 0; silence < 300;) {  // milliseconds
    if (read_on()) {
      silence = 0;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      silence += 10;
    }
  }
  CHECK(process.wait().status == 0);
  while (read_on()) {
  }
  ::close(other_end);
  ::close(terminal);
  return seen;
}

}  // namespace

TEST_CASE("program: the commands of the design are there, and each has a help") {
  const std::vector<std::string> names = commands();
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
  for (const std::string& name : commands()) CHECK(manual.find(".SH LOCUS " + name) != std::string::npos);
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

TEST_CASE("program: bad words end in status 2 and one line with a hint, and change nothing") {
  check_refused(2, {"trian"}, "[locus] there is no command 'trian'. Hint: did you mean 'train'?");
  check_refused(2, {""}, "[locus] there is no command ''");
  check_refused(2, {"help", "nope"}, "[locus] there is no command 'nope'");
  check_refused(2, {"help", "train", "eval"}, "[help] 'eval' is one word too many");
  check_refused(2, {"tasks", "sort", "copy"}, "[tasks] 'copy' is one word too many");
  check_refused(2, {"tasks", "srot"}, "[task] no task is called 'srot'. Hint: did you mean 'sort'?");
  check_refused(
      2, {"ablate", "--schemes", "none,rope:base=9"},
      "[scheme] there is no scheme 'none,rope'. Hint: in a list, put spaces before and after a scheme "
      "with settings");
  check_refused(2, {"schemes", "rop"}, "[scheme] there is no scheme 'rop'. Hint: did you mean 'rope'?");
  check_refused(2, {"eval"}, "[eval] a word is missing");
  check_refused(2, {"report"}, "[report] a word is missing");
  check_refused(2, {"inspect"}, "[inspect] a word is missing");
  check_refused(2, {"eval", ""}, "[eval] an argument is empty");
  check_refused(2, {"train"}, "[train] give either --task NAME or --dataset FILE.tsv");
  check_refused(2, {"train", "--task", "sort", "--dataset", dataset(), "--scheme", "none"},
                "[train] give either --task");
  check_refused(2, {"train", "--task", "sort"}, "[train] --scheme SPEC is missing");
  check_refused(2, {"train", "--dataset", "notes.txt", "--scheme", "none"},
                "[task] the dataset 'notes.txt' does not end in .tsv");
  check_refused(2, {"ablate", "--datasets", "notes.txt"},
                "[task] the dataset 'notes.txt' does not end in .tsv");
  check_refused(2, {"ablate", "--schemes", ","}, "[ablate] --schemes ',' names nothing");
  check_refused(2, {"ablate", "--tasks", "sort", "sort"}, "[ablate] two tasks are called 'sort'");
  check_refused(2, {"ablate", "--schemes", "none,none"}, "[ablate] 'none' on before is asked for twice");
  check_refused(2, {"inspect", "rope", "--what", "clock"},
                "[inspect] there is no --what 'clock'. Hint: did you mean 'clocks'?");
  check_refused(2, {"inspect", "none", "--what", "buckets"},
                "[inspect] 'none' has no buckets. Hint: it has: scores");
  check_refused(2, {"inspect", "rope", "--what", "bias"},
                "[inspect] 'rope' has no bias. Hint: it has: frequencies, distance, clocks, wavelengths");
  check_refused(2, train("befor", "none", "new"),
                "[task] no task is called 'befor'. Hint: did you mean 'before'?");
  check_refused(2, train("unique", "none", "new"), "[model] 'unique' asks for answers of any length");
}

TEST_CASE(
    "program: what is typed may hold line breaks and bytes of any kind; the complaint is still one line") {
  for (const Words& words : {Words{"\xFF\xFE"}, Words{"train", "--task", "\xFF\xFE", "--scheme", "none"}})
    check_refused(2, words, "' is not UTF-8. Hint: write it in UTF-8; if it names a file or a folder, rename that");
  for (const char* odd : {"a\nb", "a\rb", "\x1b[2J", "%s%n", "naïve", "\t"}) {
    check_refused(2, {odd}, "[locus] there is no command '");
    check_refused(2, {"train", "--task", odd, "--scheme", "none"}, "[task] no task is called '");
    check_refused(2, {"train", "--task", "sort", "--scheme", odd}, "[scheme] there is no scheme '");
    check_refused(2, {"train", text("--", odd)}, "[train] there is no option --");
    check_refused(2, {"train", "--task", "sort", "--scheme", "none", "--steps", odd}, "[train] --steps '");
  }
}

TEST_CASE("program: a spec that makes no sense is refused") {
  for (const char* spec : {"nope", "rope:", "rope:base", "rope:base=", "rope:base=x", "rope:base=0",
                           "rope:bas=3", "rope:base=3,base=4", "rope:layout=round", "+", "rope+", "rope+rope",
                           "none+rope", "sinusoidal+learned", "t5:buckets=3", "alibi:direction=up"}) {
    check_refused(2, train("before", spec, "new"), "");
    check_refused(2, {"inspect", spec}, "");
    check_refused(2, {"eval", "good", "--scheme", spec}, "");
    check_refused(2, {"ablate", "--tasks", "before", "--schemes", spec, "--out", "new"}, "");
  }
}

TEST_CASE("program: every option of every command refuses values that make no sense") {
  const std::set<std::string> numbers = {"N", "X", "T", "D", "H"}, lists_of_numbers = {"A,B,C"},
                              axes = {"N[,...]", "X[,...]", "KIND[,...]"}, written = {"DIR", "FILE"},
                              names = {"NAME", "FILE.tsv", "SPEC",  "SPECS", "KIND",   "W",     "LO-HI",
                                       "A,B",  "F,G",      "S1,S2", "S,M,L", "TOKENS", "HEADS", "I/N"};
  int tried = 0;
  for (const std::string& command : commands())
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
      if (value == "LO-HI" || lists_of_numbers.contains(value))
        for (const char* bad : {"0", "-3", "5-2", "5,", "1000001", "99999999999"}) refuse({name, bad});
    }
  CHECK(tried > 50);
}

TEST_CASE("program: sizes that do not go together are refused before anything is written") {
  const auto with = [](const Words& more, const std::string& scheme = "none",
                       const std::string& task = "sort") {
    return Words{"train", "--task", task, "--scheme", scheme, "--out", "new"} + more;
  };
  check_refused(2, with({"--d-model", "6"}, "rope"),
                "[rope] 3 channels of each head of 3 would be turned, but rope turns pairs");
  check_refused(2, with({"--d-model", "10", "--heads", "3"}),
                "[model] --d-model 10 is not a multiple of --heads 3");
  check_refused(2, with({"--test-lengths", "12,600"}, "learned"),
                "[scheme] 'learned' has 512 positions, but inputs of up to 600 tokens");
  check_refused(2, with({}, "learned:capacity=20"),
                "[scheme] 'learned:capacity=20' has 20 positions, but inputs of up to 24 tokens");
  check_refused(2, with({"--train-lengths", "1"}, "none", "before"),
                "[before] an input of 1 tokens. Hint: the shortest has 2");
  check_refused(2, with({"--test-lengths", "1"}, "none", "before"),
                "[before] an input of 1 tokens. Hint: the shortest has 2");
  check_refused(2, {"eval", "good", "--test-lengths", "1"}, "[before] an input of 1 tokens");
  check_refused(
      2, with({"--train-lengths", "11"}, "none", "recall"),
      "[recall] an input of 11 tokens. Hint: the shortest has 4, the next 6, the longest 26 (n keys");
  check_refused(2, with({"--train-lengths", "4-7"}, "none", "brackets"), "[brackets] an input of 7 tokens");
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
  const auto [limit, source] = memory_limit();
  const std::string too_much = text(" GB, and ", source, ' ');
  check_refused(1, with({"--d-model", "1000000", "--layers", "1000"}), too_much);
  check_refused(1, with({}, "learned:capacity=1000000000"), too_much);
  check_refused(1, with({"--batch", "1000000", "--train-lengths", "100000"}), too_much);
  check_refused(1, with({"--test-lengths", "1000000"}), too_much);
  check_refused(1, with({"--test-lengths", "10000", "--test-examples", "1000000"}), too_much);
  check_refused(1, {"eval", "good", "--test-lengths", "1000000"}, too_much);
  const Words ablation = {"ablate", "--tasks", "sort", "--schemes", "none", "--out", "new"};
  check_refused(1, ablation + Words{"--d-model", "1000000"}, too_much);
  // Each thread takes more than a tenth of a gigabyte; together, more than there is.
  const Words large = {"--layers",       "1",   "--train-lengths", "6",
                       "--test-lengths", "800", "--test-examples", "1"};
  const std::string many = text(std::min(1024, static_cast<int>(limit / 1e8)));
  check_refused(1, with(large + Words{"--threads", many}), too_much);
  check_refused(1, ablation + large + Words{"--seeds", many, "--jobs", many}, too_much);
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

TEST_CASE("program: tables that are missing, empty or malformed are refused, the line named") {
  const auto with = [](const std::string& table) {
    return Words{"train", "--dataset", table, "--scheme", "none", "--out", "new"};
  };
  check_refused(1, with("missing.tsv"), "[missing.tsv] could not be read: No such file or directory");
  check_refused(1, with("empty.tsv"), "[empty.tsv] the file is empty. Hint: ");
  check_refused(1, with("comments.tsv"), "[comments.tsv] no rows, only comments. Hint: ");
  check_refused(1, with("malformed.tsv"), "[malformed.tsv:3] no tab. Hint: ");
  check_refused(1, with("double.tsv"), "[double.tsv:2] the input of line 1 again");
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
      {"truncated", "is cut short"},
      {"short", "is cut short: 5 bytes are no safetensors file"},
      {"foreign", "it was not written by Locus"},
      {"oversized", "is no safetensors file: its header would be longer than 100 MB"},
      {"longer", "is cut short: the header takes "}};
  for (const auto& [folder, clue] : cases) {
    check_refused(1, {"eval", folder}, text("[", folder, "/model.safetensors] ", clue));
    check_refused(1, train("before", "none", folder), text("[", folder, "/model.safetensors] ", clue));
  }
  check_refused(1, {"eval", "nowhere"}, "[nowhere] there is no such folder. Hint: `locus train` says where");
  check_refused(1, {"eval", "ablation"}, "[ablation] it holds an ablation, whose models were not kept. Hint: ");
  check_refused(1, {"eval", "."}, "[.] there is no model.safetensors in it. Hint: give the folder of one run, such as ./");
}

TEST_CASE("program: a scheme takes the place of the trained one only if it has the same parameters") {
  const std::string clue =
      "[good/model.safetensors] it holds no tensor 'position.table', which the model has. Hint: the run was "
      "trained "
      "with 'none'; 'learned' can replace it only if it has the same parameters";
  check_refused(1, {"eval", "good", "--scheme", "learned"}, clue);
  check_refused(1, {"train", "--from", "good", "--scheme", "learned", "--out", "new"}, clue);
  check_refused(2, {"eval", "good", "--scheme-by-layer", "none rope"},
                "[scheme] 2 schemes are to take turns");

  const TemporaryFolder folder;
  REQUIRE(run(folder.path, {"train",
                            "--task",
                            "previous",
                            "--scheme",
                            "rope",
                            "--layers",
                            "1",
                            "--d-model",
                            "16",
                            "--steps",
                            "400",
                            "--full",
                            "--lr",
                            "0.01",
                            "--out",
                            "run",
                            "--train-lengths",
                            "6",
                            "--test-lengths",
                            "6",
                            "--test-examples",
                            "100"})
              .status == 0);
  const std::string before = read_file(folder / "run/model.safetensors");
  const std::string rope = run(folder.path, {"eval", "run"}).out;
  const Finished slower = run(folder.path, {"eval", "run", "--scheme", "rope:base=2"}),
                 none = run(folder.path, {"eval", "run", "--scheme", "none"});
  CHECK(slower.out.starts_with("rope:base=2 on previous, after 400 steps with rope\n"));
  CHECK(none.out.starts_with("none on previous, after 400 steps with rope\n"));
  const auto table = [](const std::string& out) { return out.substr(out.find("\n\n")); };
  CHECK(table(slower.out) != table(rope));
  CHECK(table(none.out) != table(rope));
  CHECK(table(none.out) != table(slower.out));
  CHECK(table(run(folder.path, {"eval", "run", "--scheme", "rope:base=10000"}).out) == table(rope));
  CHECK(read_file(folder / "run/model.safetensors") == before);
}

TEST_CASE("program: --from goes on with the parameters of another run, and begins all else anew") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "rope:base=100", "first") + Words{"--seed", "5", "--d-ff", "12"})
              .status == 0);
  const Words words = {"train", "--from", "first",   "--scheme", "rope:base=500", "--lr", "1e-9",
                       "--out", "second", "--steps", "1"};
  const Finished second = run(folder.path, words);
  CHECK(second.status == 0);
  CHECK(second.out.starts_with("rope:base=500 on before: encoder, from first, "));

  const SafetensorsFile start = read_safetensors(folder / "first/model.safetensors"),
                        end = read_safetensors(folder / "second/model.safetensors");
  CHECK(end.metadata_value("step") == "1");
  for (const auto& entry : start.tensors) {
    const std::string& name = entry.first;  // clang 14 captures no structured bindings
    if (name.starts_with("optimizer.")) continue;
    CAPTURE(name);
    const Reals &was = entry.second.values, &is = end.tensors.at(name).values;
    bool same = is.size() == was.size();  // but for the one step of next to no size
    for (std::size_t i = 0; i < was.size(); ++i) same = same && std::abs(is[i] - was[i]) < 1e-6F;
    CHECK(same);
  }
  const Json was = parse_json(read_file(folder / "first/results.jsonl"), ""),
             is = parse_json(read_file(folder / "second/results.jsonl"), "");
  for (const char* key : {"task", "dataset", "model", "seed", "layers", "heads", "d_model", "d_ff", "batch",
                          "train_lengths", "test_lengths", "test_examples", "parameters"})
    CHECK(*is.find(key) == *was.find(key));
  CHECK(is.string("from", "") == "first");
  CHECK(was.find("from") == nullptr);
  CHECK(is.string("scheme", "") == "rope:base=500");
  CHECK(is.integer("steps", "") == 1);

  const auto files = contents(folder.path);
  CHECK(run(folder.path, words).out == second.out);  // done before: nothing is trained again
  CHECK(contents(folder.path) == files);
  CHECK(run(folder.path, {"report", "first", "second"}).status == 0);

  CHECK(run(folder.path,
            {"train", "--from", "second", "--task", "before", "--train-lengths", "7", "--out", "third"})
            .status == 0);
  const Json third = parse_json(read_file(folder / "third/results.jsonl"), "");
  CHECK(third.string("scheme", "") == "rope:base=500");
  CHECK(third.member("test_lengths", "") == was.member("test_lengths", ""));
  CHECK(third.array("train_lengths", "").front() == Json(7));
}

TEST_CASE("program: a run that goes on from another is interrupted and taken up like any other") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "none", "first")).status == 0);
  const auto words = [](const std::string& out) {
    return Words{"train", "--from", "first", "--steps", "8000", "--full", "--threads", "1", "--out", out};
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  const Process process(folder.path, words("part"));
  const std::string model = folder / "part/model.safetensors";
  for (int i = 0; i < 20'000 && !std::filesystem::exists(model); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGKILL);
  CHECK(process.wait().status == -SIGKILL);
  CHECK(read_safetensors(model).metadata_value("step") != "8000");
  CHECK(run(folder.path, words("part")).status == 0);
  CHECK(read_file(model) == read_file(folder / "whole/model.safetensors"));
}

TEST_CASE("program: --from and what contradicts the run it names is refused") {
  const auto from = [](const std::string& run, const Words& more) {
    return Words{"train", "--from", run, "--out", "new"} + more;
  };
  check_refused(2, from("good", {"--d-model", "16"}),
                "[train] --d-model 16 is asked for, but the run in good has --d-model 8. Hint: leave it out");
  check_refused(2, from("good", {"--layers", "2"}),
                "[train] --layers 2 is asked for, but the run in good has --layers 1");
  check_refused(2, from("good", {"--heads", "4"}),
                "[train] --heads 4 is asked for, but the run in good has --heads 2");
  check_refused(2, from("good", {"--d-ff", "8"}),
                "[train] --d-ff 8 is asked for, but the run in good has --d-ff 32");
  check_refused(2, from("good", {"--model", "decoder"}),
                "[train] --model decoder is asked for, but the run in good has --model encoder");
  check_refused(2, from("good", {"--task", "sort", "--dataset", dataset()}), "[train] give either --task");
  check_refused(2, {"train", "--from", "good"}, "[train] --out DIR is missing");
  check_refused(
      2, from("good", {"--task", "sort"}),
      "[train] the tokens of 'sort' are not those of 'before', on which the run in good was trained");
  check_refused(2, from("good", {"--dataset", dataset()}),
                "[train] the tokens of 'before_after' are not those");
  check_refused(1, from("nowhere", {}), "[nowhere] there is no such folder");
  check_refused(1, from("truncated", {}), "[truncated/model.safetensors] is cut short");
  check_refused(1, {"train", "--from", "good", "--out", "good"},
                "[good] it holds a run with no --from, but --from good is asked for");
}

TEST_CASE("program: a run notices when its table is changed or moved") {
  const TemporaryFolder folder;
  const std::string rows = read_file("datasets/before_after.tsv"), moved = folder / "moved.tsv",
                    table = folder / "table.tsv";
  const auto train_on = [&](const std::string& file, const Words& more) {
    return run(folder.path, Words{"train", "--dataset", file, "--scheme", "none", "--layers", "1",
                                  "--d-model", "8", "--steps", "4", "--out", "run"} +
                                more);
  };
  const auto scores = [](const Finished& finished) { return finished.out.substr(finished.out.find("\n\n")); };
  write_file_atomically(table, rows);
  REQUIRE(train_on("table.tsv", {}).status == 0);
  const Finished eval = run(folder.path, {"eval", "run"});
  CHECK(eval.status == 0);
  CHECK(eval.err.starts_with("3/3 lengths tested in "));
  CHECK(eval.err.find("warning") == eval.err.npos);

  // A renamed word: refused, and both words are named. A deleted row: tested, and said.
  const auto files = contents(folder / "run");
  write_file_atomically(table, std::regex_replace(rows, std::regex("\\bfilm\\b"), "movie"));
  for (const Words& words : {Words{"eval", "run"}, Words{"attend", "run"}}) {
    const Finished renamed = run(folder.path, words);
    CHECK(renamed.status == 1);
    CHECK(renamed.out == "");
    CHECK(renamed.err ==
          "locus: [table.tsv] the model was trained without the word 'movie'. Hint: it knows 'film', which "
          "the table "
          "lacks: was a word renamed?\n");
  }
  write_file_atomically(table, rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
  const Finished shorter = run(folder.path, {"eval", "run"});
  CHECK(shorter.status == 0);
  CHECK(shorter.err.starts_with(
      "locus: warning: the table 'table' has changed since training: it had 1080 rows, hash "));
  CHECK(shorter.err.find("and now has 1079 rows, hash ") != std::string::npos);
  const Finished trained = train_on("table.tsv", {});
  CHECK(trained.status == 1);
  CHECK(trained.err.starts_with("locus: [run] the table 'table' has changed since training"));
  CHECK(contents(folder / "run") == files);

  // A table that was moved.
  write_file_atomically(table, rows);
  std::filesystem::rename(table, moved);
  for (const Words& words : {Words{"eval", "run"}, Words{"attend", "run"},
                             Words{"train", "--from", "run", "--steps", "1", "--out", "next"}}) {
    CAPTURE(typed(words));
    const Finished lost = run(folder.path, words);
    CHECK(lost.status == 1);
    CHECK(
        lost.err.find("its table table.tsv is not there. Hint: say where it is now: --dataset FILE.tsv\n") !=
        std::string::npos);
    const Finished found = run(folder.path, words + Words{"--dataset", "moved.tsv"});
    CHECK(found.status == 0);
    CHECK(found.err.find("warning") == std::string::npos);
    if (words[0] == "eval") CHECK(scores(found) == scores(eval));
  }
  CHECK(train_on("moved.tsv", {}).status == 0);
  CHECK(scores(run(folder.path, {"eval", "run"})) == scores(eval));  // now in its settings
}

TEST_CASE("program: an ablation does not go on with a table that has changed") {
  const TemporaryFolder folder;
  const std::string rows = read_file("datasets/before_after.tsv"), table = folder / "table.tsv";
  const auto ablation = [&](const std::string& seeds) {
    return run(folder.path, {"ablate", "--datasets", "table.tsv", "--schemes", "none", "--seeds", seeds,
                             "--layers", "1", "--d-model", "8", "--steps", "4", "--no-aa", "--out", "cells"});
  };
  write_file_atomically(table, rows);
  REQUIRE(ablation("1").status == 0);
  const std::string results = folder / "cells/results.jsonl", one = read_file(results);
  const std::string fingerprint = parse_json(one, "").string("table", "");
  CHECK(fingerprint.starts_with("1080 rows, hash "));
  write_file_atomically(table, rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
  const Finished changed = ablation("1");
  CHECK(changed.status == 1);
  check_is_one_line(changed.err);
  CHECK(
      changed.err.starts_with(text("locus: [cells/results.jsonl:1] table.tsv has changed since this cell was "
                                   "trained: it had ",
                                   fingerprint, ", and now has 1079 rows, hash ")));
  CHECK(read_file(results) == one);

  // Older results do not say what the table held, and are taken as they are.
  const std::string key = text("\"table\":\"", fingerprint, "\",");
  std::string older = one;
  older.erase(older.find(key), key.size());
  write_file_atomically(results, older);
  CHECK(ablation("1").status == 0);
  CHECK(read_file(results) == older);
}

TEST_CASE("program: bench refuses what it would ignore") {
  check_refused(2, {"bench", "--growth", "--schemes"},
                "[bench] both --growth and --schemes are given. Hint: give one of them");
  check_refused(2, {"bench", "--json", "--profile"}, "[bench] both --json and --profile are given");
  check_refused(2, {"bench", "--schemes", "--sizes", "S"}, "[bench] --sizes has no effect with --schemes");
  check_refused(2, {"bench", "--growth", "--threads", "1"}, "[bench] --threads has no effect with --growth");
  check_refused(2, {"bench", "--profile", "--threads", "2"},
                "[bench] --threads has no effect with --profile");
}

TEST_CASE(
    "program: runs that are trained differently have folders of their own, named after the difference") {
  const TemporaryFolder folder;
  const auto saved_in = [&](const Words& more) {
    const Finished finished = run(folder.path, Words{"train", "--task", "before", "--scheme", "none"} + more);
    CHECK(finished.status == 0);
    const std::size_t at = finished.out.find("saved in runs/before/none-encoder-seed");
    return at == std::string::npos ? finished.err : finished.out.substr(at + 34);
  };
  const Words steps = {"--steps", "3", "--test-examples", "16"};
  CHECK(saved_in(steps) == "seed1_steps=3\n");
  CHECK(saved_in(steps + Words{"--seed", "2", "--d-model", "32"}) == "seed2_steps=3\n");  // the default
  CHECK(saved_in(steps + Words{"--d-model", "16"}) == "seed1_d-model=16_steps=3\n");      // d_ff follows
  CHECK(saved_in(steps + Words{"--d-model", "8"}) == "seed1_d-model=8_steps=3\n");
  CHECK(saved_in({"--full", "--train-lengths", "4-6", "--lr", "0.01", "--steps", "4"}) ==
        "seed1_steps=4_lr=0.01_full_train-lengths=4-6\n");
}

TEST_CASE("program: a run asked for with other tests is tested again, and not trained") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task", "before", "--scheme", "none", "--steps", "3", "--out", "run"};
  const auto weights = [&] {
    const std::string bytes = read_file(folder / "run/model.safetensors");
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    return bytes.substr(8 + header);
  };
  REQUIRE(run(folder.path, words + Words{"--test-lengths", "6", "--test-examples", "16"}).status == 0);
  const std::string first = weights();
  const Finished again = run(folder.path, words + Words{"--test-lengths", "6,9", "--test-examples", "32"});
  CHECK(again.status == 0);
  CHECK(weights() == first);
  const Json result = parse_json(read_file(folder / "run/results.jsonl"), "");
  CHECK(result.array("by_length", "").size() == 2);
  CHECK(result.array("by_length", "").front().integer("examples", "") == 32);
  CHECK(run(folder.path, {"eval", "run"}).out.find("\n     9  ") != std::string::npos);
}

TEST_CASE("program: a length that is named twice is tested once") {
  const TemporaryFolder folder;
  const Words words = train("before", "none", "run");
  REQUIRE(run(folder.path, words).status == 0);
  const Finished twice = run(folder.path, {"eval", "run", "--test-lengths", "6,9,6,6"});
  CHECK(twice.status == 0);
  CHECK(twice.out == run(folder.path, {"eval", "run", "--test-lengths", "6,9"}).out);
}

TEST_CASE("program: where an answer is one token there is one accuracy") {
  const auto titles = [](const std::string& task, const std::string& model = "encoder") {
    const std::string out =
        run(playground().path, train(task, "none", task + model) + Words{"--model", model}).out;
    const std::size_t start = out.find("\n\n") + 2;
    return out.substr(start, out.find('\n', start) - start);
  };
  CHECK(titles("before") == "length  accuracy  order-blind ceiling  no-input baseline  examples");
  CHECK(titles("before", "gru").starts_with("length  accuracy  "));
  CHECK(titles("before", "decoder")
            .starts_with("length  token accuracy  exact match  "));  // it writes an end, too
  CHECK(titles("sort").starts_with("length  token accuracy  exact match  "));
}

TEST_CASE("program: the usual folder of a run is one folder, whatever its scheme holds") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task", "before", "--scheme",
                       "rope:extend=longrope,factor=2,original=6,rescale=1/2"};
  CHECK(run(folder.path, words + tiny).status == 0);
  CHECK(
      std::filesystem::exists(folder /
                              "runs/before/rope:extend=longrope,factor=2,original=6,rescale=1_2-encoder-seed1"
                              "_layers=1_d-model=8_batch=8_steps=4_train-lengths=6/results.jsonl"));
  const auto folders = [&] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "runs/before"))
      names.insert(entry.path().filename());
    return names;
  };
  for (const char* last : {"1.5", "2.5"}) {  // names that no file system allows
    std::string spec = "rope:extend=longrope,factor=2,original=6,rescale=";
    for (int pair = 1; pair < 100; ++pair) spec += "1.5/";
    Words wide = tiny;
    wide[3] = "200";
    CHECK(run(folder.path, Words{"train", "--task", "before", "--scheme", spec + last, "--heads", "1"} + wide)
              .status == 0);
  }
  CHECK(folders().size() == 3);
  for (const std::string& name : folders()) CHECK(name.size() <= 200);
}

TEST_CASE("program: schemes take the layers in turn, in training, in results and when tested again") {
  const TemporaryFolder folder;
  const Words words = {"train",
                       "--task",
                       "before",
                       "--scheme-by-layer",
                       "rope:base=50,layout=half none",
                       "--d-model",
                       "8",
                       "--heads",
                       "1",
                       "--steps",
                       "4",
                       "--batch",
                       "8",
                       "--test-examples",
                       "16"};
  const Finished first = run(folder.path, words);
  CHECK(first.status == 0);
  const std::string out =
      "runs/before/rope:base=50,layout=half_none-encoder-seed1_heads=1_d-model=8_batch=8_steps=4";
  CHECK(first.out.starts_with("rope:base=50,layout=half none on before: encoder, "));
  CHECK(first.out.ends_with(text("saved in ", out, "\n")));
  const Json result = parse_json(read_file(folder / (out + "/results.jsonl")), "");
  CHECK(result.string("scheme", "") == "rope:base=50,layout=half none");
  const auto files = contents(folder.path);
  CHECK(run(folder.path, words).out == first.out);
  CHECK(contents(folder.path) == files);

  const std::string again = run(folder.path, {"eval", out}).out;
  CHECK(first.out.find(again.substr(again.find("\n\n"))) != std::string::npos);
  CHECK(run(folder.path, {"eval", out, "--scheme-by-layer", "none rope"})
            .out.starts_with("none rope on before, after 4 steps with rope:base=50,layout=half none\n"));
  CHECK(run(folder.path, {"report", out}).out.find("rope:base=50,layout=half none") != std::string::npos);
  CHECK(
      run(folder.path, {"train", "--from", out, "--scheme-by-layer", "rope alibi", "--out", "next"}).status ==
      0);

  Words two_layers = tiny;
  two_layers[1] = "2";
  CHECK(
      run(folder.path, Words{"ablate", "--tasks", "before", "--schemes", "rope", "--scheme-by-layer",
                             "rope none", "none rope:base=50,layout=half", "--seeds", "1", "--out", "cells"} +
                           two_layers)
          .status == 0);
  const std::string cells = read_file(folder / "cells/results.jsonl");
  for (const char* scheme : {"rope", "rope none", "none rope:base=50,layout=half"})
    CHECK(cells.find(text("\"scheme\":\"", scheme, "\"")) != std::string::npos);
  CHECK(std::ranges::count(cells, '\n') == 3);

  const auto refused = [](const Words& more, const std::string& clue) {
    check_refused(2, Words{"train", "--task", "before", "--out", "new"} + more, clue);
  };
  refused({"--scheme", "none", "--scheme-by-layer", "rope none"},
          "[scheme] both --scheme and --scheme-by-layer are given");
  refused({"--scheme", "rope none"}, "[scheme] --scheme 'rope none' holds a space");
  refused({"--scheme-by-layer", "rope"}, "[scheme] --scheme-by-layer 'rope' names one scheme");
  refused({"--scheme-by-layer", "rope sinusoidal"}, "[scheme] 'sinusoidal' enters at the embedding stage");
  refused({"--scheme-by-layer", "rope none t5"}, "[scheme] 3 schemes are to take turns in 2 layers");
  refused({"--scheme-by-layer", "rope nope"}, "[scheme] there is no scheme 'nope'");
  refused({"--scheme-by-layer", " "}, "[scheme] a name is missing in ''");
}

TEST_CASE("program: recurrent models train, are tested and compared as the others are") {
  const TemporaryFolder folder;
  const Words sizes = {"--layers", "1", "--d-model",       "8", "--batch", "8",
                       "--steps",  "4", "--test-examples", "16"};
  for (const std::string model : {"rnn", "gru"})
    for (const std::string task : {"before", "reverse", "unique"}) {
      CAPTURE(model);
      CAPTURE(task);
      const std::string out = task + model;
      const Finished trained =
          run(folder.path,
              Words{"train", "--task", task, "--model", model, "--scheme", "none", "--out", out} + sizes);
      CHECK(trained.status == 0);
      CHECK(trained.out.starts_with(text("none on ", task, ": ", model, ", ")));
      const std::string again = run(folder.path, {"eval", out}).out;
      CHECK(trained.out.find(again.substr(again.find("\n\n"))) != std::string::npos);
      const Json result = parse_json(read_file(folder / (out + "/results.jsonl")), "");
      CHECK(result.string("model", "") == model);
      CHECK(result.member("heads", "").is_null());
      CHECK(result.member("d_ff", "").is_null());
      CHECK(run(folder.path, {"train", "--from", out, "--steps", "2", "--out", out + "more"}).status == 0);
    }
  CHECK(run(folder.path, Words{"ablate", "--tasks", "before", "reverse", "--schemes", "none,sinusoidal",
                               "--model", "gru", "--seeds", "2", "--out", "cells"} +
                             sizes)
            .status == 0);
  CHECK(run(folder.path, {"report", "cells"}).status == 0);

  const Finished unnamed =
      run(folder.path, Words{"train", "--task", "before", "--model", "gru", "--out", "unnamed"} + sizes);
  CHECK(unnamed.status == 0);
  CHECK(unnamed.out.starts_with("none on before: gru, "));
  CHECK(read_file(folder / "unnamed/results.jsonl") == read_file(folder / "beforegru/results.jsonl"));

  const auto refused = [](const Words& more, const std::string& clue) {
    check_refused(2, Words{"train", "--task", "sort", "--model", "rnn", "--out", "new"} + more, clue);
  };
  refused({"--scheme", "rope"},
          "[scheme] 'rope' enters attention, at the query and key stage, and the rnn has none");
  refused({"--scheme", "none", "--heads", "2"}, "[model] --heads is a size of transformers, and rnn is none");
  refused({"--scheme", "none", "--d-ff", "2"}, "[model] --d-ff is a size of transformers, and rnn is none");
  refused({"--scheme", "none", "--d-model", "9"}, "[model] --d-model 9 cannot be halved");
  refused({"--scheme-by-layer", "none none"}, "[scheme] ");
  check_refused(2, {"inspect", "rope", "--model", "gru"}, "[inspect] schemes are shown in transformers");
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
      "[ablation/results.jsonl:1] it holds a run with --lr 0.003, but --lr 0.5 is asked for. Hint: ");
  check_refused(
      1, ablate("good"),
      "[good] it holds a run of `locus train`, which writes its results there. Hint: choose another --out");
  check_refused(1, ablate("broken"), "[broken/results.jsonl:9] 'task' should be a string, is a number");
  check_refused(1, ablate("notes"), "[notes/results.jsonl:1] this is no line of a results file");
  check_refused(1, {"report", "broken"}, "[broken/results.jsonl:9] ");
  check_refused(1, {"report", "notes"}, "[notes/results.jsonl:1] this is no line of a results file");
  check_refused(1, {"report", "ablation", "ablation"},
                "[ablation/results.jsonl:1] this cell was there before. Hint: give each folder once");
  check_refused(1, {"report", "nowhere"}, "[nowhere] there is no results.jsonl in it. Hint: ");
  check_refused(1, {"inspect", "rope", "--svg", "notes/results.jsonl/a.svg"},
                "[notes/results.jsonl] could not be made: Not a directory");
  CHECK(run(playground().path, {"inspect", "rope", "--svg", "new/folder/a.svg"}).status == 0);
  CHECK(std::filesystem::exists(playground() / "new/folder/a.svg"));
  check_refused(1, {"inspect", "rope", "--svg", "good"}, "[good] is a folder, should be a file");

  const FolderLock good(playground() / "good"), ablation(playground() / "ablation");
  check_refused(1, train("before", "none", "good"), "[good] another process is writing to this folder");
  check_refused(1, ablate("ablation"), "[ablation] another process is writing to this folder");
}

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

TEST_CASE("program: the same bytes for any number of threads and jobs") {
  const TemporaryFolder folder;
  for (const Words& more : {Words{}, Words{"--model", "decoder"}}) {
    for (const char* threads : {"1", "2", "3"})
      REQUIRE(run(folder.path, train("sort", "learned+alibi", text("run", threads, more.size())) + more +
                                   Words{"--threads", threads})
                  .status == 0);
    for (const char* file : {"model.safetensors", "results.jsonl"})
      for (const char* threads : {"2", "3"})
        CHECK(read_file(folder / text("run", threads, more.size(), "/", file)) ==
              read_file(folder / text("run1", more.size(), "/", file)));
  }
  for (const char* jobs : {"1", "2"})
    REQUIRE(run(folder.path, ablate(text("cells", jobs)) + Words{"--jobs", jobs}).status == 0);
  CHECK(read_file(folder / "cells1/results.jsonl") == read_file(folder / "cells2/results.jsonl"));
}

TEST_CASE("program: a run that is interrupted is saved, and the same command goes on to the same bytes") {
  const TemporaryFolder folder;
  const auto words = [](const std::string& out) {
    return Words{"train",
                 "--task",
                 "sort",
                 "--scheme",
                 "learned",
                 "--out",
                 out,
                 "--layers",
                 "1",
                 "--d-model",
                 "8",
                 "--batch",
                 "8",
                 "--steps",
                 "8000",
                 "--full",
                 "--train-lengths",
                 "6",
                 "--test-lengths",
                 "6",
                 "--test-examples",
                 "16",
                 "--threads",
                 "1"};
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    CAPTURE(signal);
    const std::string name = text("run", signal), model = folder / (name + "/model.safetensors");
    const Process process(folder.path, words(name));
    for (int i = 0; i < 20'000 && !std::filesystem::exists(model); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.signal(signal);
    const Finished finished = process.wait();
    CAPTURE(finished.err);
    CHECK(finished.out.empty());
    if (signal == SIGKILL) {
      CHECK(finished.status == -SIGKILL);
    } else {
      CHECK(finished.status == -signal);  // 130 or 143 in a shell
      CHECK(finished.err.find("locus: [train] interrupted after step ") != std::string::npos);
      CHECK(
          finished.err.ends_with(text("; saved in ", name, ". Hint: the same command goes on from there\n")));
      const std::string step =
          read_safetensors(model).metadata_value("step");  // not that of the last regular save
      CHECK(finished.err.find(text("interrupted after step ", step, ";")) != std::string::npos);
    }
    CHECK_FALSE(std::filesystem::exists(folder / (name + "/results.jsonl")));
    CHECK(run(folder.path, words(name)).status == 0);
    CHECK(read_file(model) == read_file(folder / "whole/model.safetensors"));
    CHECK(read_file(folder / (name + "/results.jsonl")) == read_file(folder / "whole/results.jsonl"));
    CHECK(read_file(folder / (name + "/curves.jsonl")) == read_file(folder / "whole/curves.jsonl"));
  }
}

TEST_CASE("program: the curve of a run is that of the same cell in an ablation, and train draws it") {
  const TemporaryFolder folder;
  Words words = train("before", "none", "run") + Words{"--svg", "loss.svg"};
  check_refused(2, words, "[train] --svg draws the loss every 50 steps, and there are 4 steps. Hint: give --steps 50");
  *std::ranges::find(words, "4") = "120";  // steps
  const Finished drawn = run(folder.path, words);
  REQUIRE(drawn.status == 0);
  CHECK(drawn.out.ends_with("\nsaved in run; the loss by step is drawn in loss.svg\n"));
  Words cell = Words{"ablate", "--tasks", "before", "--schemes", "none", "--seeds", "1", "--out", "cell"} + tiny;
  *std::ranges::find(cell, "4") = "120";
  REQUIRE(run(folder.path, cell).status == 0);
  const std::string curve = read_file(folder / "run/curves.jsonl");
  CHECK(curve == read_file(folder / "cell/curves.jsonl"));
  CHECK(parse_json(curve, "").array("step", "") == Json::Array{50, 100});
  const std::string figure = read_file(folder / "loss.svg");
  CHECK(figure.find(">Loss of none on before</text>") != std::string::npos);
  CHECK(figure.find(">step</text>") != std::string::npos);
}

TEST_CASE("program: a run killed while its checkpoint is written, again and again, ends in the same bytes") {
  const TemporaryFolder folder;
  const auto words = [](const char* out) {
    return Words{"train", "--task",          "sort", "--scheme",       "none", "--layers",
                 "1",     "--d-model",       "512",  "--batch",        "1",    "--steps",
                 "2",     "--train-lengths", "4",    "--test-lengths", "4",    "--test-examples",
                 "4",     "--threads",       "1",    "--out",          out};
  };
  REQUIRE(run(folder.path, words("whole")).status == 0);
  const std::string unfinished = folder / "part/model.safetensors.tmp";
  for (int kill = 0; kill < 4; ++kill) {
    std::filesystem::remove(unfinished);
    const Process process(folder.path, words("part"));
    for (int i = 0; i < 10'000'000 && !std::filesystem::exists(unfinished); ++i) std::this_thread::yield();
    process.signal(SIGKILL);
    process.wait();
  }
  CHECK(run(folder.path, words("part")).status == 0);
  for (const char* file : {"model.safetensors", "results.jsonl"}) {
    const bool same = read_file(folder / text("part/", file)) == read_file(folder / text("whole/", file));
    CHECK(same);
  }
  CHECK_FALSE(std::filesystem::exists(unfinished));
}

TEST_CASE("program: a signal ends a test within a second, and what was trained is kept") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task",          "sort", "--scheme",       "none", "--layers",
                       "2",     "--steps",         "1",    "--out",          "run",  "--threads",
                       "1",     "--train-lengths", "4",    "--test-lengths", "400",  "--test-examples",
                       "20000"};
  for (const int signal : {SIGINT, SIGTERM}) {
    const Process process(folder.path, words);
    for (int i = 0; i < 20'000 && !std::filesystem::exists(folder / "run/model.safetensors"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const std::string model = read_file(folder / "run/model.safetensors");
    const auto start = std::chrono::steady_clock::now();
    process.signal(signal);
    const Finished finished = process.wait();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
    CHECK(finished.status == -signal);
    CHECK(
        finished.err.ends_with("locus: [train] interrupted while testing; the trained model is saved in run. "
                               "Hint: the same command tests it\n"));
    CHECK(read_file(folder / "run/model.safetensors") == model);
    std::filesystem::remove_all(folder / "run");
  }
}

TEST_CASE("program: a signal that was ignored when the program started stays ignored") {
  const TemporaryFolder folder;
  const Words words = {"train", "--task", "sort", "--scheme", "none", "--steps", "100", "--out", "run"};
  const Process process(folder.path, words, [] { std::signal(SIGINT, SIG_IGN); });
  for (int i = 0; i < 20'000 && !std::filesystem::exists(folder / "run/.lock"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (int i = 0; i < 20; ++i) {
    process.signal(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(process.wait().status == 0);
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
  const std::string table = text(escape, ".tsv");
  std::string rows = text("# task: ", turn, "what?\n");
  for (const char* first : {"a", "b", "c", "d", "e"})
    for (const char* second : {"f", "g", "h", "i"})
      rows += text(turn, first, " ", second, "\t", turn, first, "\n");
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
      json.set(key, escape + turn + json.string(key, ""));
      changed += to_string(json) + "\n";
    }
    create_folders(folder / key);
    write_file_atomically(folder / text(key, "/results.jsonl"), changed);
    for (const Words& more : {Words{}, Words{"--json"}, Words{"--best-lr"}, Words{"--control", escape}})
      reports.push_back(Words{"report", key} + more);
  }
  const std::string input = text(turn, "a f");
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
                            Words{"train", "--dataset", table, "--out", "again"} + small,
                            Words{"ablate", "--datasets", table, "--out", "more", "--plan"} + ablation,
                            Words{"ablate", "--datasets", table, "--out", escape, "--json"} + ablation};
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
  for (const std::string& command : commands()) CHECK(asked.contains(command));
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

TEST_CASE("program: a file that may not grow further is a failure, not the end of the program") {
  const TemporaryFolder folder;
  const Finished finished = run(folder.path, train("before", "none", "run"), [] {
    const rlimit limit = {1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  CHECK(finished.status == 1);
  CHECK(finished.err.find("could not be written: File too large") != std::string::npos);
}

TEST_CASE("program: a model that holds numbers which are not finite is shown with a warning") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "none", "run")).status == 0);
  const std::string path = folder / "run/model.safetensors";
  std::string bytes = read_file(path);
  std::uint64_t header;
  std::memcpy(&header, bytes.data(), 8);
  bytes.replace(8 + header, 4, std::string("\0\0\xC0\x7F", 4));
  write_file_atomically(path, bytes);
  for (const Words& words : {Words{"eval", "run"}, Words{"ask", "run", "1 2 A"}, Words{"report", "run"}}) {
    CAPTURE(typed(words));
    const Finished finished = run(folder.path, words);
    CHECK(finished.status == 0);
    CHECK(finished.err.starts_with("locus: warning: run/model.safetensors: 1 of the "));
  }
}

TEST_CASE("program: an ablation in which every run diverged ends in status 1") {
  const TemporaryFolder folder;
  const Words words = {"ablate", "--tasks",         "sort", "--schemes", "none",    "--steps",
                       "60",     "--layers",        "1",    "--d-model", "8",       "--batch",
                       "4",      "--test-examples", "16",   "--no-aa",   "--seeds", "1"};
  CHECK(run(folder.path, words + Words{"--lr", "1000", "--out", "a"}).status == 1);
  CHECK(run(folder.path, words + Words{"--lr", "1000,0.001", "--out", "b"}).status == 0);
}

TEST_CASE("program: an instruction that this processor lacks ends in one line") {
  const TemporaryFolder folder;
  const Process process(folder.path,
                        {"train", "--task", "sort", "--scheme", "none", "--steps", "100000", "--out", "run"});
  for (int i = 0; i < 20'000 && !std::filesystem::exists(folder / "run"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.signal(SIGILL);
  const Finished finished = process.wait();
  CHECK(finished.status == 1);
  CHECK(finished.err == "locus: built for another processor: `make clean && make`\n");
}

namespace {

// 80 cells of some ten milliseconds each.
Words many_cells(const std::string& out) {
  return {"ablate",    "--tasks",
          "before",    "sort",
          "--schemes", "none,rope",
          "--seeds",   "20",
          "--out",     out,
          "--layers",  "1",
          "--d-model", "8",
          "--batch",   "8",
          "--steps",   "100",
          "--full",    "--train-lengths",
          "6",         "--test-lengths",
          "6",         "--test-examples",
          "16",        "--jobs",
          "1",         "--no-aa"};
}

}  // namespace

TEST_CASE(
    "program: an ablation that is interrupted keeps what is done, and the same command goes on to the same "
    "bytes") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, many_cells("whole")).status == 0);
  const std::string results = folder / "part/results.jsonl";
  for (const int signal : {SIGKILL, SIGINT}) {
    CAPTURE(signal);
    const auto size = [&] {
      return std::filesystem::exists(results) ? std::filesystem::file_size(results) : 0;
    };
    const auto before = size();
    const Process process(folder.path, many_cells("part"));
    for (int i = 0; i < 20'000 && size() == before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.signal(signal);
    const Finished finished = process.wait();
    CAPTURE(finished.err);
    CHECK(finished.status == -signal);
    if (signal == SIGINT)
      CHECK(
          finished.err.ends_with("locus: [ablate] interrupted; the cells that are done are kept in part. "
                                 "Hint: the same command goes on from there\n"));
    CHECK(size() < read_file(folder / "whole/results.jsonl").size());
  }
  const Finished rest = run(folder.path, many_cells("part"));
  CHECK(rest.status == 0);
  CHECK(rest.err.find(" of 80 cells were done before") != std::string::npos);
  CHECK(read_file(results) == read_file(folder / "whole/results.jsonl"));
}

TEST_CASE(
    "program: an ablation killed at random moments, again and again, ends in the bytes of one left alone") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, many_cells("whole")).status == 0);
  Random random(12, Purpose::testing);
  for (int kill = 0; kill < 6; ++kill) {
    const Process process(folder.path, many_cells("part"));
    std::this_thread::sleep_for(std::chrono::milliseconds(random.below(200)));
    process.signal(SIGKILL);
    process.wait();
  }
  REQUIRE(run(folder.path, many_cells("part")).status == 0);
  for (const std::string file : {"results.jsonl", "curves.jsonl"})
    CHECK(read_file(folder / ("part/" + file)) == read_file(folder / ("whole/" + file)));
}

namespace {

// What a shell makes of this line; $LOCUS is the program.
Finished run_shell(const std::string& folder, const std::string& line) {
  const std::string program = program_path();
  return run(folder, {}, [&] {
    ::setenv("LOCUS", program.c_str(), 1);
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
  });
}

}  // namespace

TEST_CASE(
    "program: a plan is a command for each cell; run by xargs, two at a time, it gives the bytes of one "
    "run") {
  const TemporaryFolder folder;
  const Words words = ablate("cells") + Words{"--control", "rope"};
  REQUIRE(run(folder.path, words).status == 0);
  const auto whole = contents(folder / "cells");
  std::filesystem::remove_all(folder / "cells");

  const Finished plan = run(folder.path, words + Words{"--plan"});
  CHECK(std::count(plan.out.begin(), plan.out.end(), '\n') == 8);
  CHECK(plan.out.starts_with(text(program_path(), " ablate --tasks before sort --schemes none,rope ")));
  CHECK(plan.out.find("--control rope --shard 1/8  # before with none, seed 1\n") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "cells"));

  REQUIRE(
      run_shell(folder.path, "$LOCUS " + join(words, " ") + " --plan | xargs -P 2 -I{} sh -c '{}'").status ==
      0);
  CHECK_FALSE(std::filesystem::exists(folder / "cells/results.jsonl"));
  const Finished merged = run(folder.path, words);
  CHECK(merged.err.find("8 of 8 cells were done before") != std::string::npos);
  for (const std::string file : {"results.jsonl", "curves.jsonl"})
    CHECK(read_file(folder / ("cells/" + file)) == whole.at(folder / ("cells/" + file)));
}

TEST_CASE("program: parts that ran apart give the bytes of one run, and what is missing is trained") {
  const TemporaryFolder folder;
  const auto report_of = [&](const Words& folders) {  // without times, and where the page is
    for (const std::string& one : folders) std::filesystem::remove(folder / (one + "/timings.jsonl"));
    const std::string out = run(folder.path, Words{"report"} + folders).out;
    return out.substr(0, out.find("page in "));
  };
  REQUIRE(run(folder.path, ablate("whole")).status == 0);
  const std::string whole_report = report_of({"whole"});
  for (const char* shard : {"1/3", "3/3"}) {
    const Finished part = run(folder.path, ablate("cells") + Words{"--shard", shard});
    CHECK(part.status == 0);
    CHECK(part.out.starts_with(text("part ", shard[0], " of 3 is done: ")));
    CHECK(part.err.find(text(" cells of part ", shard[0], " of 3 in ")) != std::string::npos);
  }
  CHECK(run(folder.path, ablate("cells")).err.find("5 of 8 cells were done before") != std::string::npos);
  for (const std::string file : {"results.jsonl", "curves.jsonl"})
    CHECK(read_file(folder / ("cells/" + file)) == read_file(folder / ("whole/" + file)));

  REQUIRE(run(folder.path, ablate("cells") + Words{"--shard", "2/3"}).status == 0);
  CHECK(report_of({"cells/parts/1-of-3", "cells/parts/2-of-3", "cells/parts/3-of-3"}) == whole_report);
  const FolderLock lock(folder / "cells/parts/1-of-3");
  CHECK(run(folder.path, ablate("cells") + Words{"--shard", "1/3"}).err.find("another process is writing") !=
        std::string::npos);
}

TEST_CASE("program: a part of what is on record is shown from there, and nothing is trained or changed") {
  const Playground& folder = playground();
  const auto before = contents(folder / "ablation");
  const Words rope = {"ablate",  "--tasks", "sort",  "--schemes", "none,rope",
                      "--seeds", "2",       "--out", "ablation",  "--no-aa"};
  const Finished part = run(folder.path, rope + tiny);
  CHECK(part.status == 0);
  CHECK(part.out.find("\nsort\n") != std::string::npos);
  CHECK(part.out.find("\nbefore\n") == std::string::npos);
  CHECK(part.out.ends_with("read from ablation/results.jsonl, which holds more; nothing was trained\n"));
  CHECK(contents(folder / "ablation") == before);
  CHECK(parse_json(run(folder.path, rope + tiny + Words{"--json"}).out, "").array("rows", "").size() == 2);
}

TEST_CASE("program: ablations with different options have folders of their own, more seeds go to the same") {
  const TemporaryFolder folder;
  const Words words = {"ablate", "--tasks", "before", "--schemes", "none,rope", "--no-aa"};
  const auto folder_of = [&](const Words& more) {
    const std::string out = run(folder.path, words + tiny + more).out;
    const std::size_t start = out.find("results in ") + 11;
    return out.substr(start, out.find("/results.jsonl") - start);
  };
  const std::string name = "runs/ablation_tasks=before_schemes=none,rope_layers=1_d-model=8_batch=8_steps=4_";
  const std::string rest = "train-lengths=6_test-lengths=6,9_test-examples=16";
  CHECK(folder_of({"--seeds", "1"}) == name + rest);
  CHECK(folder_of({"--seeds", "2", "--jobs", "1"}) == name + rest);
  CHECK(folder_of({"--seeds", "1", "--lr", "0.01"}) == name + "lr=0.01_" + rest);
}

TEST_CASE("program: a preset gives what is not given otherwise; sizes and rates can be lists") {
  const TemporaryFolder folder;
  const auto cells = [&](const Words& words) {
    const std::string out = run(folder.path, Words{"ablate", "--plan"} + words).out;
    return std::count(out.begin(), out.end(), '\n');
  };
  const Words small = {"--tasks", "before", "--schemes", "none", "rope", "--seeds", "2", "--no-aa"};
  CHECK(cells(small) == 4);
  CHECK(cells(small + Words{"--lr", "0.01,0.02", "--d-model", "8,16,32"}) == 24);
  CHECK(cells(small + Words{"--model", "encoder,decoder"}) == 8);
  CHECK(cells({"--tasks", "before", "--model", "gru", "--seeds", "1"}) == 4);
  CHECK(cells({"--preset", "quick"}) == 3 * (4 * 3 + 3));
  CHECK(cells({"--preset", "quick", "--schemes", "rope", "none"}) == 3 * (2 * 3 + 3));
  CHECK(cells({"--preset", "quick", "--scheme-by-layer", "rope none"}) == 3 * 3);
  CHECK(cells({"--preset", "quick", "--tasks", "sort", "--no-aa"}) == 4 * 3);
  CHECK(cells({"--preset", "all", "--seeds", "1"}) > 400);
  check_refused(2, {"ablate", "--preset", "quik"},
                "[ablate] there is no preset 'quik'. Hint: did you mean 'quick'?");
  check_refused(2, Words{"ablate"} + small + Words{"--lr", "0.01,0.01", "--out", "new"},
                "[ablate] 'none' on before is asked for twice");
  check_refused(2, Words{"ablate"} + small + Words{"--plan", "--shard", "1/2"},
                "[ablate] both --plan and --shard are given");
  check_refused(2, Words{"ablate"} + small + Words{"--shard", "1/5"},
                "[ablate] there are 4 cells, too few for 5 parts");
}

TEST_CASE("program: of several learning rates the best for each scheme is chosen; a program reads JSON") {
  const TemporaryFolder folder;
  const Words rates = {"ablate",    "--tasks",        "before", "--schemes",
                       "none,rope", "--seeds",        "2",      "--layers",
                       "1",         "--d-model",      "8",      "--batch",
                       "8",         "--steps",        "50",     "--train-lengths",
                       "6",         "--test-lengths", "6,9",    "--test-examples",
                       "16",        "--no-aa",        "--lr",   "0.001,0.01",
                       "--out",     "cells"};
  const Finished all = run(folder.path, rates + Words{"--json"});
  REQUIRE(all.status == 0);
  CHECK(parse_json(all.out, "").array("rows", "").size() == 4);
  CHECK(run(folder.path, {"report", "cells", "--json"}).out == all.out);
  const Finished best = run(folder.path, {"report", "cells", "--best-lr"});
  CHECK(best.out.find("learning rate chosen for each scheme and task among 2, of equal steps and seeds") !=
        std::string::npos);
  CHECK(best.out.find("\n  before with rope, encoder: 0.0") != std::string::npos);
  const Words wider = rates + Words{"--fresh"};
  Words two_widths = wider;
  *std::ranges::find(two_widths, "8") = "8,16";
  REQUIRE(run(folder.path, two_widths).status == 0);
  const std::string named = run(folder.path, {"report", "cells", "--best-lr"}).out;
  for (const char* width : {"8", "16"})
    CHECK(named.find(text("\n  before with rope, encoder, --d-model ", width, ": 0.0")) != std::string::npos);
  REQUIRE(run(folder.path, wider).status == 0);
  const Json json = parse_json(run(folder.path, {"report", "cells", "--best-lr", "--json"}).out, "");
  CHECK(json.array("rows", "").size() == 2);
  CHECK(json.array("comparisons", "").size() == 2);
  check_refused(1, {"report", "ablation", "--best-lr"}, "[report] no runs differ in the learning rate alone");
}

TEST_CASE("program: --fresh begins anew, and keeps what was there beside it") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "none", "a")).status == 0);
  const auto old = contents(folder / "a");
  const Words other = train("before", "none", "a") + Words{"--seed", "2"};
  CHECK(run(folder.path, other).err.find("or --fresh, which keeps the old run beside it") !=
        std::string::npos);
  CHECK(run(folder.path, other + Words{"--fresh"}).status == 0);
  CHECK(run(folder.path, train("before", "rope", "a") + Words{"--fresh"}).status == 0);
  CHECK(std::filesystem::exists(folder / "a.2/results.jsonl"));
  for (const char* file : {"model.safetensors", "results.jsonl"})
    CHECK(read_file(folder / text("a.1/", file)) == old.at(folder / text("a/", file)));

  REQUIRE(run(folder.path, ablate("cells")).status == 0);
  const std::string cells = read_file(folder / "cells/results.jsonl");
  CHECK(run(folder.path, ablate("cells") + Words{"--lr", "0.5", "--fresh"}).status == 0);
  CHECK(read_file(folder / "cells.1/results.jsonl") == cells);
  const FolderLock lock(folder / "a");
  const Finished locked = run(folder.path, other + Words{"--fresh"});
  CHECK(locked.status == 1);
  CHECK(locked.err.find("another process is writing to this folder") != std::string::npos);
  check_refused(2, ablate("new") + Words{"--fresh", "--plan"}, "[ablate] --fresh has no effect with --plan");
}

TEST_CASE("program: a finished run asked for again is not trained again, and says the same") {
  const TemporaryFolder folder;
  const Finished first = run(folder.path, train("before", "none", "run"));
  const auto files = contents(folder.path);
  const Finished second = run(folder.path, train("before", "none", "run"));
  CHECK(second.status == 0);
  CHECK(second.out == first.out);
  CHECK(contents(folder.path) == files);
  const std::string evaluated = run(folder.path, {"eval", "run"}).out;
  CHECK(first.out.find(evaluated.substr(evaluated.find("\n\n"))) != std::string::npos);  // the same table
}

TEST_CASE("program: a diverged run is recorded and ends in status 1") {
  const TemporaryFolder folder;
  const Finished finished = run(folder.path, train("before", "none", "run") + Words{"--lr", "1000"});
  const Json result = parse_json(read_file(folder / "run/results.jsonl"), "");
  CHECK((finished.status == 1) == (result.string("status", "") == "diverged"));
  CHECK(run(folder.path, {"report", "run"}).status == 0);
}

TEST_CASE("program: inspect prints the columns of the design, with 9 digits or more") {
  const auto csv = [](const Words& words) {
    const Finished finished =
        run(playground().path, Words{"inspect"} + words + Words{"--csv", "--length", "4", "--d-model", "8"});
    CHECK(finished.status == 0);
    CHECK(finished.err.empty());
    return finished.out;
  };
  CHECK(csv({"sinusoidal"}).starts_with("position,dim,value\n0,0,0\n0,1,1\n"));
  CHECK(csv({"sinusoidal"}).find("\n1,0,0.841470984") != std::string::npos);  // sin 1
  CHECK(csv({"rope"}) == "pair,inverse_frequency,scale\n0,1,1\n1,0.01,1\n");
  CHECK(csv({"rope:extend=yarn,factor=2,original=32"}) ==
        "pair,inverse_frequency,scale\n0,1,1.06931471806\n1,0.005,1.06931471806\n");
  CHECK(csv({"rope:extend=dynamic,original=2"}).ends_with("\n1,0.005,1\n"));  // 4 positions, twice as many
  CHECK(csv({"alibi", "--what", "bias"}).starts_with("head,query,key,value\n0,0,0,0\n0,0,1,-0.0625\n"));
  CHECK(csv({"t5"}) == "relative,bucket\n-3,3\n-2,2\n-1,1\n0,0\n1,17\n2,18\n3,19\n");
  CHECK(csv({"sinusoidal+alibi", "--what", "embedding"}) == csv({"sinusoidal"}));
}

TEST_CASE("program: the card of a scheme shows all there is to know about it") {
  for (const SchemeInfo& info : all_schemes()) {
    CAPTURE(info.name);
    const Finished card = run(playground().path, {"schemes", info.name});
    CHECK(card.status == 0);
    CHECK(card.out.starts_with(text(info.name, ": ", info.summary, "\n")));
    std::vector<std::string> parts = split(info.formula, '\n');
    parts.insert(parts.end(), {info.source, to_string(info.stage), "\n  claims ", "\n  parameters "});
    parts.insert(parts.end(), info.traps.begin(), info.traps.end());
    parts.insert(parts.end(), info.differs.begin(), info.differs.end());
    if (info.lesson) parts.push_back(text("\n  lesson      ", info.lesson, "\n"));
    for (const SchemeOption& option : info.options)
      parts.insert(parts.end(), {"\n" + option.name, option.help, option.fallback});
    for (const std::string& part : parts) CHECK_MESSAGE(card.out.find(part) != std::string::npos, part);
  }
}

TEST_CASE("program: a task's card shows its examples, tokens, lengths and what is reached without order") {
  const std::string card = run(playground().path, {"tasks", "brackets"}).out;
  for (const char* line :
       {"brackets: at each bracket its partner", "\n  example   (2 (0 1) 3) (1 1) -> 3) 1) (0 (2 1) (1\n",
        "\n  models    encoder, decoder, rnn, gru\n", "\n  tokens    (0 (1 (2 (3 0) 1) 2) 3)\n",
        "\n  input     n brackets that open", "\n  lengths   the shortest has 2, the next 4\n",
        "\n    12        0.4", "\n    18        0.4", "\n    24        0.4"})
    CHECK_MESSAGE(card.find(line) != std::string::npos, card, " lacks ", line);
  CHECK(run(playground().path, {"tasks", "unique"}).out.find("\n  models    decoder, rnn, gru\n") !=
        std::string::npos);
}

TEST_CASE("program: the card of a table says what it asks, and what is reached at each of its lengths") {
  const std::string card = run(playground().path, {"tasks", dataset()}).out;
  CHECK(card.starts_with("before_after: which of two events happened first\n"));
  for (const char* line :
       {"\n  answer    one token", "\n  lengths   6, 7, 9\n", "\n     6        0.500 ± 0.000 "})
    CHECK_MESSAGE(card.find(line) != std::string::npos, card, " lacks ", line);
}

TEST_CASE(
    "program: a table whose words stand in one order only is warned of, in the same words, by its card, a "
    "training, an ablation and its page") {
  const TemporaryFolder folder;
  std::string rows;
  for (const char* a : {"p", "q", "r", "s", "t", "u"})
    for (const char* b : {"v", "w", "x", "y", "z"}) rows += text(a, " ", b, "\t", a, "\n");
  write_file_atomically(folder / "small.tsv", rows);
  const std::string card = run(folder.path, {"tasks", "small.tsv"}).out;
  CHECK(card.find("  in one order only\n") != card.npos);
  CHECK(card.find("\nwarning: ") != card.npos);
  const Words ablate = {"ablate",  "--schemes", "none",  "--seeds", "1",
                        "--steps", "1",         "--out", "study",   "--datasets"};
  const auto one_line = [](std::string words) {
    std::ranges::replace(words, '\n', ' ');
    return words;
  };
  const std::string warning = card.substr(card.find("\nwarning: ") + 10),
                    words = one_line(warning.substr(0, warning.find(" Write each bag")));
  REQUIRE(words.find("it is too high") != words.npos);
  CHECK(one_line(run(folder.path, ablate + Words{"small.tsv"}).out).find(words) != std::string::npos);
  CHECK(read_file(folder / "study/report.html").find(words) != std::string::npos);
  const Finished trained =
      run(folder.path, {"train", "--dataset", "small.tsv", "--scheme", "none", "--steps", "1"});
  CHECK(one_line(trained.out).find(words) != std::string::npos);
  const Finished fine = run(folder.path, {"tasks", dataset()});
  CHECK(fine.out.find("warning") == fine.out.npos);
}

TEST_CASE(
    "program: a table that is learned by heart is said to be so, with both numbers, by train, ablate and "
    "page") {
  const TemporaryFolder folder;
  std::string rows;
  Random random(29, Purpose::testing);
  for (int i = 0; i < 120; ++i)
    rows += text("w", i, " w", random.below(9), " w", random.below(9), random.below(2) ? "\ta\n" : "\tb\n");
  write_file_atomically(folder / "random.tsv", rows);
  const Finished trained =
      run(folder.path, {"train", "--dataset", "random.tsv", "--scheme", "none", "--steps", "300"});
  std::string said = trained.out;
  std::ranges::replace(said, '\n', ' ');
  CAPTURE(said);
  CHECK(said.find("memorised after 300 steps") != said.npos);
  CHECK(said.find("; at the end 100 % of the rows trained on are right, and ") != said.npos);
  const Finished ablated = run(folder.path, {"ablate", "--datasets", "random.tsv", "--schemes", "none",
                                             "--seeds", "2", "--steps", "300", "--out", "study"});
  CAPTURE(ablated.out);
  CHECK(ablated.out.find("0/2 (2 memorised)") != std::string::npos);
  CHECK(ablated.out.find("random with none: memorised in 2 of 2 seeds: 100 % of the rows") !=
        std::string::npos);
  const std::string page = read_file(folder / "study/report.html");
  CHECK(page.find("Learned by heart") != page.npos);
  CHECK(page.find("(100 % of the rows trained on are right, and ") != page.npos);
}

TEST_CASE("program: attend shows what each head looks at, and what it is worth") {
  const TemporaryFolder folder;
  const std::string run_folder = playground().path + "/good";
  const Finished one = run(folder.path, {"attend", run_folder, "--input", "3 1 4 1 5", "--svg", "a.svg"});
  CHECK(one.status == 0);
  const std::string asked = run(playground().path, {"ask", "good", "3 1 4 1 5"}).out;
  CHECK(asked.starts_with("input        3 1 4 1 5\nanswer       "));
  CHECK(one.out.starts_with("Attention of none on before\n" + asked));
  CHECK(one.out.find("\nhead 0.1, entropy ") != one.out.npos);
  CHECK(read_file(folder / "a.svg").find(">head 0.1, entropy ") != std::string::npos);
  CHECK(read_file(folder / "a.svg").find(">input: 3 1 4 1 5<") != std::string::npos);

  CHECK(run(folder.path, {"attend", run_folder, "--input", "3 1 4 1 5", "--html", "a.html"}).status == 0);
  const std::string page = read_file(folder / "a.html");
  CHECK(page.find("without head 0.1") != page.npos);
  CHECK(page.find("positions 0 and 4 swapped") != page.npos);
  CHECK(page.find("positions 1 and 3 swapped") == page.npos);  // both are 1
  CHECK(page.find("Every weight has moved along with its tokens") !=
        page.npos);  // an encoder without positions
  CHECK(page.find("Beyond moving along") == page.npos);
  check_refused(2, {"attend", "good", "--html", "a.html"}, "give it: --input");

  const std::string csv = run(folder.path, {"attend", run_folder, "--input", "3 1 4 1 5", "--csv"}).out;
  CHECK(csv.starts_with("layer,head,query,key,weight\n0,0,0,0,0."));
  const std::string chosen = run(folder.path, {"attend", run_folder, "--heads", "0.1", "--csv"}).out;
  CHECK(chosen.starts_with("layer,head,query,key,weight\n0,1,0,0,0."));
  CHECK(chosen.find("\n0,0,") == chosen.npos);

  const std::string worth = run(folder.path, {"attend", run_folder, "--silence", "0.0,0.1"}).out;
  CHECK(worth.find("\nnone silenced  ") != worth.npos);
  CHECK(worth.find("\n0.0, 0.1 ") != worth.npos);

  check_refused(2, {"attend", "good", "--input", "3 1 x"}, "'x'");
  check_refused(2, {"attend", "good", "--heads", "7.0"}, "[head] there is no head '7.0'");
  check_refused(2, {"attend", "good", "--silence", "0.0", "0.0"}, "named twice");
  check_refused(2, {"attend", "good", "--length", "100000"}, "the most is 512");
}

TEST_CASE("program: ask shows answer, probabilities, target and what is wrong, and warns") {
  const std::string& folder = playground().path;
  const Finished both = run(folder, {"ask", "good", "3 A 4 B 5", "3 A 4 1 5 B"});
  CHECK(both.status == 0);
  CHECK(both.err == "");
  const std::regex first(
      R"(input        3 A 4 B 5\nanswer       \S+\nprobability  [01]\.\d\d\ntarget       A\n)"
      R"((right|wrong        \^\nwrong: 1 of 1 tokens)\nwarning: length 5 was never trained \(trained at 6\)\n\n)"),
      second(R"(input        3 A 4 1 5 B\nanswer       \S+\nprobability  [01]\.\d\d\ntarget       A\n)"
             R"((right|wrong        \^\nwrong: 1 of 1 tokens)\n)");
  const std::size_t end = both.out.find("\n\n") + 2;
  CHECK(std::regex_match(both.out.substr(0, end), first));
  CHECK(std::regex_match(both.out.substr(end), second));
  CHECK(run(folder, {"ask", "good", "3 A 4 1 5 1"})
            .out.find("\nthe right answer is not known: not an input of 'before'\n") != std::string::npos);

  // What cannot be asked is said; what follows is answered.
  const Finished mixed = run(folder, {"ask", "good", "3 x", "A3B", "1,A,B", "3 A 4 1 5 B"});
  CHECK(mixed.status == 2);
  CHECK(mixed.out == both.out.substr(end));
  CHECK(mixed.err.starts_with("locus: [before] no token is called 'x'. Hint: did you mean "));
  for (const char* hint : {"'A3B'. Hint: separate tokens by spaces: 'A 3 B'\n",
                           "'1,A,B'. Hint: separate tokens by spaces: '1 A B'\n"})
    CHECK(mixed.err.find(hint) != std::string::npos);

  // Lines, and JSON.
  const TemporaryFolder other;
  write_file_atomically(other / "lines", "3 A 4 1 5 B\r\n\n3 A B 1\nx");
  const Finished lines = run(folder, {"ask", "good", "--json", "--logits"},
                             [&] { ::dup2(::open((other / "lines").c_str(), O_RDONLY), 0); });
  CHECK(lines.status == 2);
  CHECK(lines.err == "");
  std::vector<Json> asked;
  for (const std::string& line : split(lines.out, '\n'))
    if (!line.empty()) asked.push_back(parse_json(line, "ask"));
  REQUIRE(asked.size() == 3);
  CHECK(asked[0].string("input", "") == "3 A 4 1 5 B");
  CHECK(asked[0].string("target", "") == "A");
  CHECK(asked[0].member("right", "") == Json(asked[0].string("answer", "") == "A"));
  CHECK(asked[0].array("warnings", "").empty());
  CHECK(asked[0].array("logits", "").size() == 1);
  CHECK(asked[0].array("probabilities", "").size() == 1);
  CHECK(asked[1].array("warnings", "").front() == Json("length 4 was never trained (trained at 6)"));
  CHECK(asked[2].string("error", "").starts_with("[before] no token is called 'x'"));

  check_refused(2, {"ask", "good", "3 A B", "--failures", "3"}, "[ask] both inputs and --failures are given");
  check_refused(2, {"ask", "good", "3 A B", "--logits"}, "[ask] --logits has no effect without --json");
  check_refused(2, {"ask", "good", "3 A B", "--length", "6"},
                "[ask] --length has no effect without --failures");
  check_refused(1, {"ask", "nowhere", "3 A B"}, "[nowhere] there is no such folder");
}

TEST_CASE("program: attend --scheme shows the same input with the trained scheme and another, side by side") {
  const TemporaryFolder folder;
  REQUIRE(run(folder.path, train("before", "rope", "roped")).status == 0);
  const Words trained = {"attend", "roped", "--input", "3 A 4 1 5 B"};
  const Words both = trained + Words{"--scheme", "none", "--svg", "both.svg", "--html", "both.html"};
  const Finished shown = run(folder.path, both);
  REQUIRE(shown.status == 0);
  CHECK(shown.out.starts_with("Attention of rope on before\ninput "));
  CHECK(shown.out.find("\nAttention of none, trained with rope, on before\ninput ") != std::string::npos);
  CHECK(std::regex_search(shown.out, std::regex("\nhead 0.1, entropy [^\n]+head 0.1, entropy ")));
  for (const char* file : {"both.svg", "both.html"}) {
    const std::string drawn = read_file(folder / file);
    for (const char* subject : {" of rope on before", " of none, trained with rope, on before"})
      CHECK(drawn.find(subject) != std::string::npos);
  }
  // With the trained scheme itself, both sides are what attend shows without another.
  const std::string alone = run(folder.path, trained).out;
  const std::string same = run(folder.path, trained + Words{"--scheme", "rope"}).out;
  for (const std::string& line : split(alone.substr(alone.find("\nhead 0.0,")), '\n'))
    if (line.starts_with("head 0.")) CHECK(same.find(line + "  ") < same.find("  " + line + "\n"));

  check_refused(2, {"attend", "good", "--scheme", "none", "--csv"}, "[attend] --csv has no effect with another scheme");
  check_refused(2, {"attend", "good", "--scheme", "none", "--silence", "all"},
                "[attend] --scheme has no effect with --silence");
  check_refused(1, {"attend", "good", "--scheme", "t5"}, "it holds no tensor 'position.bias'");
  check_refused(2, {"attend", "good", "--scheme", "rop"}, "rope");
}

TEST_CASE("program: ablate --keep keeps the model of each cell, which is that of train, also when taken up or in parts") {
  const TemporaryFolder folder;
  const auto models = [&](const std::string& out) {
    std::map<std::string, std::string> files;
    for (const auto& [path, bytes] : contents(folder / out))
      if (path.ends_with(".safetensors")) files[path.substr((folder / out).size())] = bytes;
    return files;
  };
  const Finished kept = run(folder.path, ablate("kept") + Words{"--keep"});
  REQUIRE(kept.status == 0);
  CHECK(kept.out.find("models in kept/models, such as: locus attend kept/models/before/none-") != kept.out.npos);
  const auto expected = models("kept");
  CHECK(expected.size() == 8);
  const std::string page = read_file(folder / "kept/report.html");
  for (const auto& [path, bytes] : expected) {
    const std::string model = "kept" + path.substr(0, path.rfind('/'));
    for (const char* command : {"ask", "attend", "eval"})
      CHECK(run(folder.path, command == std::string("ask") ? Words{command, model, "--failures", "1"}
                                                           : Words{command, model})
                .status == 0);
    CHECK(page.find("locus attend") != page.npos);
  }
  REQUIRE(run(folder.path, train("sort", "rope", "alone")).status == 0);
  CHECK(std::ranges::count(expected, read_file(folder / "alone/model.safetensors"),
                           &std::pair<const std::string, std::string>::second) == 1);

  // Taken up where models are missing, begun without --keep, and in parts: the same models, and results as they were.
  const std::string results = read_file(folder / "kept/results.jsonl"), curves = read_file(folder / "kept/curves.jsonl");
  REQUIRE(run(folder.path, ablate("later")).status == 0);
  CHECK(models("later").empty());
  CHECK(read_file(folder / "later/report.html").find("locus attend") == std::string::npos);
  REQUIRE(run(folder.path, ablate("later") + Words{"--keep"}).status == 0);
  for (const char* part : {"1/2", "2/2"})
    REQUIRE(run(folder.path, ablate("parts") + Words{"--keep", "--shard", part}).status == 0);
  REQUIRE(run(folder.path, ablate("parts") + Words{"--keep"}).status == 0);
  std::filesystem::remove_all(folder / "kept/models/sort");
  REQUIRE(run(folder.path, ablate("kept") + Words{"--keep"}).status == 0);
  for (const char* out : {"kept", "later", "parts"}) {
    CHECK(models(out) == expected);
    CHECK(read_file(folder / (std::string(out) + "/results.jsonl")) == results);
    CHECK(read_file(folder / (std::string(out) + "/curves.jsonl")) == curves);
  }
}

TEST_CASE("program: last is the run that was written last, and is named; a run of that name comes first") {
  const TemporaryFolder folder;
  const Finished none = run(folder.path, {"ask", "last", "3 A B"});
  CHECK(none.status == 1);
  CHECK(none.err.starts_with("locus: [last] there is no run in runs yet. Hint: `locus train "));
  for (const char* name : {"runs/older", "runs/deep/down/newer"})
    REQUIRE(run(folder.path, train("before", "none", name)).status == 0);
  using std::filesystem::last_write_time;
  const auto touch = [&](const std::string& name, std::chrono::hours age) {
    const std::string path = folder / ("runs/" + name + "/model.safetensors");
    last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
  };
  const Words words[] = {{"ask", "last", "3 A B"}, {"eval", "last"}, {"attend", "last", "--csv"}};
  for (const auto& [newest, oldest] : {std::pair{"deep/down/newer", "older"}, {"older", "deep/down/newer"}}) {
    touch(newest, std::chrono::hours(1));
    touch(oldest, std::chrono::hours(2));
    for (const Words& command : words) {
      const Finished asked = run(folder.path, command);
      CHECK(asked.status == 0);
      CHECK(asked.err.starts_with(text("locus: last: runs/", newest, "\n")));
      Words named = command;
      named[1] = text("runs/", newest);
      CHECK(asked.out == run(folder.path, named).out);
    }
  }
  REQUIRE(run(folder.path, train("before", "none", "last")).status == 0);
  CHECK(run(folder.path, {"ask", "last", "3 A B"}).err.empty());
}

TEST_CASE("program: ask --failures lists test inputs that are answered wrong") {
  const std::string& folder = playground().path;
  const Finished shown = run(folder, {"ask", "good", "--failures", "2"});
  CHECK(shown.status == 0);
  CHECK(std::regex_search(
      shown.out,
      std::regex("^length 6: 2 of the first \\d+ of 16 test inputs are answered wrong\n\ninput ")));
  CHECK(shown.out.find("\nlength 9: 2 of the ") != std::string::npos);
  const std::string all = run(folder, {"ask", "good", "--failures", "99", "--length", "6", "--json"}).out;
  int wrong = 0;
  for (const std::string& line : split(all, '\n'))
    if (!line.empty()) {
      ++wrong;
      CHECK(parse_json(line, "ask").member("right", "") == Json(false));
    }
  const std::string scores = run(folder, {"eval", "good", "--test-lengths", "6"}).out;
  CHECK(scores.find(text("     6  ")) != std::string::npos);
  CHECK(scores.find(text("  ", fixed(1 - wrong / 16.0, 3), "  ")) != std::string::npos);  // exact match
  CHECK(run(folder, {"ask", "good", "--failures", "99", "--length", "6", "--json", "--threads", "1"}).out ==
        all);
}

TEST_CASE("program: figures are written where they are asked for") {
  const TemporaryFolder folder;
  for (const char* spec : {"sinusoidal", "rope", "alibi", "t5", "learned:capacity=16"}) {
    CHECK(run(folder.path, {"inspect", spec, "--svg", "a.svg"}).out.ends_with("figure in a.svg\n"));
    CHECK(read_file(folder / "a.svg").starts_with("<svg "));
  }
  CHECK(run(playground().path, {"report", "ablation", "--svg", folder / "b.svg"}).status == 0);
  CHECK(read_file(folder / "b.svg").find(">sort</text>") != std::string::npos);
}

TEST_CASE("program: the page stands beside the results, and its command makes them again") {
  const TemporaryFolder folder;
  const Words grid = Words{"ablate",  "--tasks", "before", "--schemes", "none", "rope:base=50,layout=half",
                           "--seeds", "2",       "--out",  "first"} +
                     tiny;
  REQUIRE(run(folder.path, grid).status == 0);
  const std::string page = read_file(folder / "first/report.html");
  CHECK(page.find("2 schemes, one of them <b data-series=\"none\">none</b>, learned 1 small task") !=
        std::string::npos);
  std::filesystem::remove(folder / "first/report.html");
  const Finished report = run(folder.path, {"report", "first"});
  CHECK(report.status == 0);
  CHECK(report.out.find("first/report.html") != std::string::npos);
  CHECK(read_file(folder / "first/report.html") == page);

  const std::size_t start = page.find("<code>build/locus ") + 18, end = page.find("</code>", start);
  std::string command = page.substr(start, end - start);
  Words words;
  for (const std::string& word : split(command, ' '))
    if (!word.empty()) words.push_back(word);
  REQUIRE(run(folder.path, words + Words{"--out", "second"}).status == 0);
  CHECK(read_file(folder / "second/results.jsonl") == read_file(folder / "first/results.jsonl"));

  CHECK(run(folder.path, {"report", "first", "--control", "rope:base=50,layout=half"}).status == 0);
  CHECK(read_file(folder / "first/report.html").find("Difference from rope:base=50,layout=half") !=
        std::string::npos);
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
      {"tasks"},          {"tasks", "recall"}, {"schemes"}, {"schemes", "rope"},
      {"attend", "good"}, {"eval", "good"},    {"help"},    {"help", "train"},
      {"help", "inspect"}};
  for (const Words& words : commands)
    for (const unsigned columns : {80u, 60u}) {
      CAPTURE(typed(words));
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
      const std::vector<std::string> wide = split(run(playground().path, words).out, '\n');
      for (std::size_t i = 1; i < wide.size(); ++i)  // lists do without the titles of a table
        for (const std::string& word : split(wide[i], ' ')) {
          if (word.find("─") != word.npos) continue;
          CAPTURE(word);
          CHECK(words_there.contains(word));
        }
    }
}

TEST_CASE("program: common slips of a first evening get a hint") {
  const std::string& folder = playground().path;
  check_refused(2, {"--versoin"}, "Hint: did you mean '--version'?");
  CHECK(run(folder, {"schemes", "rope:extend=yarn"}).out == run(folder, {"schemes", "rope"}).out);
  check_refused(2, {"attend", "good", "--input", "3 1 4", "--svg", "x.png"},
                "--svg writes SVG, and 'x.png' ends in .png. Hint: name it x.svg");
  check_refused(2, {"inspect", "rope", "--svg", "x.pdf"}, "Hint: name it x.svg");
  const Finished loose = run(folder, {"ask", "good", "3", "A", "4", "B", "5"});
  CHECK(loose.err == "locus: these were 5 inputs of one token each. Hint: quotes make them one: \"3 A 4 B 5\"\n");
  const Finished spaced = run(folder, {"ask", "good", " 3 A  4 B 5 "});
  CHECK(spaced.status == 0);
  CHECK(spaced.out == run(folder, {"ask", "good", "3 A 4 B 5"}).out);
}
#endif
