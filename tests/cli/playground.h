// A folder with all that bad commands could harm, and what the tests of the program share.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../support/temporary_folder.h"
#include "base/text.h"
#include "process.h"

namespace locus {

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline const Words tiny = {"--layers",        "1", "--d-model",       "8", "--batch",        "8",
                           "--steps",         "4", "--train-lengths", "6", "--test-lengths", "6,9",
                           "--test-examples", "16"};

inline Words train(const std::string& task, const std::string& scheme, const std::string& out) {
  return Words{"train", "--task", task, "--scheme", scheme, "--out", out} + tiny;
}
inline Words ablate(const std::string& out) {
  return Words{"ablate",  "--tasks", "before", "sort", "--schemes", "none,rope",
               "--seeds", "2",       "--out",  out,    "--no-aa"} +
         tiny;
}

inline std::string dataset() { return std::filesystem::absolute("datasets/before_after.tsv"); }

// The words as one would type them.
inline std::string typed(const Words& words) { return "locus " + join(words, " "); }

inline void check_is_one_line(const std::string& err) {
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
    damaged("foreign", str(length_bytes(header.size()), header, "1234"));
    damaged("longer", length_bytes(model.size()) + model.substr(8));
    write_file_atomically(here / "notes.txt", "my notes");
    write_file_atomically(here / "malformed.tsv", "a b\tyes\nc d\tno\nno tab here\n");
    write_file_atomically(here / "binary.tsv", std::string("a b\tyes\n\xFF\xFE\n", 11));
    std::string rows;
    for (int i = 0; i < 40; ++i) rows += str("w", i, "\tw", i, " w", i, "\n");
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

inline const Playground& playground() {
  static const Playground folder;
  return folder;
}

// The commands that `locus help` lists.
inline std::vector<std::string> command_names() {
  const std::string help = run(playground().path, {"help"}).out;
  std::vector<std::string> names;
  for (std::size_t start = help.find("\n\n  "); start != help.npos; start = help.find('\n', start + 1)) {
    const std::string line = help.substr(start + 1, help.find('\n', start + 1) - start - 1);
    if (line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z' && !line.starts_with("  locus"))
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return names;
}

// It ends with this status, prints nothing, complains in one line that holds `clue`, and changes no file.
inline void check_refused(int status, const Words& words, const std::string& clue,
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

// What a shell makes of this line; $LOCUS is the program.
inline Finished run_shell(const std::string& folder, const std::string& line) {
  const std::string program = program_path();
  return run(folder, {}, [&] {
    ::setenv("LOCUS", program.c_str(), 1);
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
  });
}

}  // namespace locus
