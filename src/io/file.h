// Files that survive a full disk, Ctrl-C and kill -9.
//
// Every function throws Error with the path and the system's reason: "[runs/a] could not be
// read: No such file or directory". Only regular files are read or replaced: a pipe could
// block for ever, a device could be endless.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

bool file_exists(const std::string& path);       // false also for a path that cannot be examined
std::string file_stem(const std::string& path);  // "datasets/cats.tsv" -> "cats"
std::vector<std::string> paths_in(const std::string& folder);  // sorted; none when there is no such folder

// The folder, this one or one below it (eight levels at most), whose file of this name was written last; "" when there
// is none. Folders that cannot be read are passed over, and so is `except` (a path that begins with `folder`).
std::string newest_folder_with(const std::string& name, const std::string& folder,
                               const std::string& except = "");

// Throws Error, with a hint, when there is no such folder, or a file in its place.
void require_folder(const std::string& folder, std::string_view hint);

std::string read_file(const std::string& path, std::uint64_t most_bytes = std::uint64_t{1} << 30);

// A reader sees the old bytes or the new ones, never a mixture: the bytes are written to PATH.tmp and flushed to
// the disk; then it is renamed. On failure the old file is untouched and the temporary file is removed; one that
// a killed process left is used by the next write. A link to a file of another folder is refused, here and below.
void write_file_atomically(const std::string& path, std::string_view bytes);

// Makes the folder and those above it that are missing.
void create_folders(const std::string& path);

// An open file descriptor, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// A file of lines that only grows. Each line is one write(2), flushed to the disk before append() returns, so
// an appended line is permanent, and a process that is killed leaves at most one unfinished line at the end.
class AppendFile {
 public:
  explicit AppendFile(std::string path);  // creates the file when there is none

  // Cuts an unfinished last line (no '\n' at its end) and returns it; "" when there is none.
  std::string cut_unfinished_line();

  // Appends `line` and a '\n'. Throws when the last line is unfinished, and when the line cannot be written
  // whole: the part that was written is then removed.
  void append(std::string_view line);

 private:
  std::string path_;
  Descriptor file_;
};

// One writer at a time: the constructor throws when another process (or another FolderLock
// of this one) has locked the folder. The lock ends with the object, or with the process
// however it ends; the file FOLDER/.lock remains.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor file_;
};

}  // namespace locus
