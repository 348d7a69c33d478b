#include "io/file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "../support/errors.h"
#include "../support/full_disk.h"
#include "../support/temporary_folder.h"
#include "base/error.h"

using namespace locus;

namespace {

std::ptrdiff_t files_in(const TemporaryFolder& folder) {
  return std::distance(std::filesystem::directory_iterator(folder.path), {});
}

}  // namespace

TEST_CASE("file: what was written is read back, whatever the bytes") {
  const TemporaryFolder folder;
  const std::string path = folder / "bytes";
  for (const std::string& bytes : {std::string(), std::string("a\0\n\xFF", 4), std::string(100'000, 'x')}) {
    write_file_atomically(path, bytes);
    CHECK(read_file(path) == bytes);
  }
  CHECK(files_in(folder) == 1);
}

TEST_CASE("file: what is there exists, and what cannot be looked at does not") {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "");
  CHECK(file_exists(folder / "a"));
  CHECK(file_exists(folder.path));
  CHECK_FALSE(file_exists(folder / "b"));
  CHECK_FALSE(file_exists(folder / "a/b"));
  CHECK_FALSE(file_exists(folder / std::string(5000, 'x')));  // too long for any file system
}

TEST_CASE("file: a folder lists what it holds in order, and one that is not there holds nothing") {
  const TemporaryFolder folder;
  for (const char* name : {"b", "10", "a.tsv", "9"}) write_file_atomically(folder / name, "");
  create_folders(folder / "inner/most");
  CHECK(paths_in(folder.path) == std::vector<std::string>{folder / "10", folder / "9", folder / "a.tsv",
                                                          folder / "b", folder / "inner"});
  CHECK(paths_in(folder / "inner/most").empty());
  CHECK(paths_in(folder / "no").empty());
  CHECK(error_of([&] { paths_in(folder / "b"); }) ==
        "[" + folder.path + "/b] could not be read: Not a directory");
}

TEST_CASE("file: a stem is the name without its folders and its ending") {
  CHECK(file_stem("datasets/cats.tsv") == "cats");
  CHECK(file_stem("/a.b/cats.old.tsv") == "cats.old");
  CHECK(file_stem("cats") == "cats");
}

TEST_CASE("file: unreadable paths are refused with the reason") {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe", file = folder / "file";
  ::mkfifo(pipe.c_str(), 0666);
  write_file_atomically(file, "12345");
  CHECK(error_of([&] { read_file(folder / "no"); }) ==
        "[" + folder.path + "/no] could not be read: No such file or directory. Hint: check the path");
  CHECK(error_of([&] { read_file(folder.path); }) == "[" + folder.path + "] is a folder, should be a file");
  CHECK(error_of([&] { read_file(pipe); }) == "[" + pipe + "] is not a regular file");
  CHECK(error_of([&] { read_file("/dev/zero"); }) == "[/dev/zero] is not a regular file");
  CHECK(error_of([&] { read_file(file + "/x"); }) == "[" + file + "/x] could not be read: Not a directory");
  CHECK(error_of([&] { read_file(file, 4); }) == "[" + file + "] holds 5 bytes; at most 4 are read");
  CHECK(read_file(file, 5) == "12345");
}

TEST_CASE("file: a failed write leaves the old file and nothing else") {
  const TemporaryFolder folder;
  const std::string path = folder / "model";
  write_file_atomically(path, "old");
  {
    const FullDisk full(1000);
    CHECK(error_of([&] { write_file_atomically(path, std::string(5000, 'x')); }) ==
          "[" + path + "] could not be written: File too large");
  }
  CHECK(read_file(path) == "old");
  CHECK(files_in(folder) == 1);

  CHECK(error_of([&] { write_file_atomically(folder / "no/model", "x"); }) ==
        "[" + folder.path +
            "/no/model] could not be written: No such file or directory. Hint: make the folder first");
  CHECK(error_of([&] { write_file_atomically(folder.path, "x"); }) ==
        "[" + folder.path + "] is a folder, should be a file");
  CHECK(error_of([&] { write_file_atomically("/dev/null", "x"); }) == "[/dev/null] is not a regular file");
}

TEST_CASE("file: without permission nothing is written") {
  if (::geteuid() == 0) return;  // root may write anywhere
  const TemporaryFolder folder;
  const std::string path = folder / "model";
  write_file_atomically(path, "old");
  ::chmod(path.c_str(), 0444);
  CHECK(error_of([&] { write_file_atomically(path, "x"); }) ==
        "[" + path + "] could not be written: Permission denied");
  ::chmod(path.c_str(), 0644);
  ::chmod(folder.path.c_str(), 0555);
  CHECK(error_of([&] { write_file_atomically(path, "x"); }) ==
        "[" + path + "] could not be written: Permission denied");
  ::chmod(folder.path.c_str(), 0755);
  CHECK(read_file(path) == "old");
}

TEST_CASE("file: a replaced file keeps its mode, and a link still leads to it") {
  const TemporaryFolder folder;
  const std::string path = folder / "file", link = folder / "link";
  write_file_atomically(path, "old");
  ::chmod(path.c_str(), 0640);
  REQUIRE(::symlink(path.c_str(), link.c_str()) == 0);
  write_file_atomically(link, "new");
  CHECK(read_file(path) == "new");
  CHECK(std::filesystem::is_symlink(link));
  struct stat status;
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE("file: what a killed process left of a write does not stop the next one") {
  const TemporaryFolder folder;
  const std::string path = folder / "model", left = folder / "model.tmp";
  for (const char* kind : {"half a file", "a second name", "a pipe"}) {
    CAPTURE(kind);
    write_file_atomically(folder / "notes", "mine");
    if (std::string(kind) == "half a file") write_file_atomically(left, std::string(5000, 'x'));
    if (std::string(kind) == "a second name") REQUIRE(::link((folder / "notes").c_str(), left.c_str()) == 0);
    if (std::string(kind) == "a pipe") REQUIRE(::mkfifo(left.c_str(), 0600) == 0);
    CHECK(error_of([&] { write_file_atomically(path, kind); }) ==
          (std::string(kind) == "a pipe" ? str("[", path, "] could not be written: No such device or address")
                                         : "no error"));
    if (std::string(kind) == "a pipe") std::filesystem::remove(left);
    write_file_atomically(path, kind);
    CHECK(read_file(path) == kind);
    CHECK(read_file(folder / "notes") == "mine");
    CHECK(files_in(folder) == 2);
  }
}

TEST_CASE("file: several that write one file at once leave the bytes of one (threads)") {
  const TemporaryFolder folder;
  const std::string path = folder / "page";
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&path, writer] {
      for (int i = 0; i < 20; ++i)
        write_file_atomically(path, std::string(static_cast<std::size_t>(1000 * writer), char('a' + writer)));
    });
  for (std::thread& writer : writers) writer.join();
  const std::string bytes = read_file(path);
  CHECK(bytes == std::string(bytes.size(), bytes.empty() ? ' ' : char('a' + bytes.size() / 1000)));
  CHECK(files_in(folder) == 1);
}

TEST_CASE("file: nothing is written through a link that leaves the folder") {
  const TemporaryFolder folder;
  create_folders(folder / "downloaded/parts");
  const std::string outside = folder / "precious", link = folder / "downloaded/report.html";
  write_file_atomically(outside, "old");
  REQUIRE(::symlink("../precious", link.c_str()) == 0);
  const std::string refusal = str("[", link, "] is a link to ", std::filesystem::canonical(outside).string(),
                                  ", outside its folder: nothing is written there. Hint: remove the link");
  CHECK(error_of([&] { write_file_atomically(link, "new"); }) == refusal);
  CHECK(error_of([&] { AppendFile(link).append("new"); }) == refusal);
  CHECK(read_file(outside) == "old");
  REQUIRE(::symlink(outside.c_str(), (folder / "downloaded/.lock").c_str()) == 0);
  CHECK(error_of([&] { FolderLock(folder / "downloaded"); }).find("is a link to") != std::string::npos);

  const std::string within = folder / "downloaded/latest", through = folder / "elsewhere";
  REQUIRE(::symlink("parts/one", within.c_str()) == 0);
  write_file_atomically(folder / "downloaded/parts/one", "old");
  write_file_atomically(within, "new");
  CHECK(read_file(folder / "downloaded/parts/one") == "new");
  REQUIRE(::symlink("downloaded", through.c_str()) == 0);  // a folder may be a link itself
  write_file_atomically(through + "/latest", "newer");
  CHECK(read_file(folder / "downloaded/parts/one") == "newer");
}

TEST_CASE("file: folders are made with those above them") {
  const TemporaryFolder folder;
  create_folders(folder / "a/b/c");
  create_folders(folder / "a/b/c/");
  CHECK(std::filesystem::is_directory(folder / "a/b/c"));
  write_file_atomically(folder / "file", "");
  CHECK(error_of([&] { create_folders(folder / "file/b"); }) ==
        "[" + folder.path +
            "/file/b] could not be made: Not a directory. Hint: a file has this name, or that of a folder "
            "above: choose another");
}

TEST_CASE("append: lines accumulate, also over several openings") {
  const TemporaryFolder folder;
  const std::string path = folder / "results.jsonl";
  for (const std::string line : {"a", "", "é"}) AppendFile(path).append(line);
  CHECK(read_file(path) == "a\n\né\n");
  CHECK(error_of([&] { AppendFile(path).append("a\nb"); }) ==
        "[" + path + "] a line to append holds a line break");
  CHECK(error_of([&] { AppendFile(folder / "no/results"); }) ==
        "[" + folder.path +
            "/no/results] could not be opened: No such file or directory. Hint: make the folder first");
  CHECK(error_of([&] { AppendFile file("/dev/null"); }) == "[/dev/null] is not a regular file");
}

TEST_CASE("append: a line that does not fit is taken back whole") {
  const TemporaryFolder folder;
  const std::string path = folder / "results.jsonl";
  AppendFile file(path);
  file.append("first");
  {
    const FullDisk full(20);  // the disk takes the first 14 bytes of the line
    CHECK(error_of([&] { file.append(std::string(100, 'x')); }) ==
          "[" + path + "] could not be extended: File too large");
  }
  CHECK(read_file(path) == "first\n");
  file.append("second");
  CHECK(read_file(path) == "first\nsecond\n");
}

TEST_CASE("append: an unfinished line is never glued to the next") {
  const TemporaryFolder folder;
  const std::string path = folder / "results.jsonl";
  write_file_atomically(path, "{\"a\":1}\n{\"a\":");
  AppendFile file(path);
  CHECK(error_of([&] { file.append("{}"); }) ==
        "[" + path + "] the last line is unfinished, nothing can be appended to it");
  CHECK(file.cut_unfinished_line() == "{\"a\":");
  CHECK(file.cut_unfinished_line().empty());
  file.append("{\"a\":2}");
  CHECK(read_file(path) == "{\"a\":1}\n{\"a\":2}\n");

  write_file_atomically(folder / "one", "half");
  CHECK(AppendFile(folder / "one").cut_unfinished_line() == "half");
  CHECK(read_file(folder / "one").empty());
}

TEST_CASE("lock: a second writer is refused until the first has ended") {
  const TemporaryFolder folder;
  const std::string refused =
      "[" + folder.path +
      "] another process is writing to this folder. Hint: wait until it has ended, or choose another folder";
  const auto try_lock = [&] { FolderLock lock(folder.path); };
  {
    const FolderLock lock(folder.path);
    CHECK(error_of(try_lock) == refused);
  }
  CHECK(error_of(try_lock) == "no error");
  CHECK(error_of([&] { FolderLock lock(folder / "no"); }) ==
        "[" + folder.path +
            "/no/.lock] could not be locked: No such file or directory. Hint: make the folder first");
}

TEST_CASE("lock: ends with the process that held it, even a killed one") {
  const TemporaryFolder folder;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(folder.path);
    [[maybe_unused]] const auto written = ::write(ready[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK_THROWS_AS(FolderLock(folder.path), Error);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  CHECK_NOTHROW(FolderLock(folder.path));
  ::close(ready[0]), ::close(ready[1]);
}
