#include "io/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/size.h"

namespace locus {

namespace {

[[noreturn]] void fail_system(const std::string& path, std::string_view what, int reason,
                              std::string_view hint = "") {
  fail(path, str("could not be ", what, ": ", std::generic_category().message(reason)), hint);
}

// The file that a symbolic link leads to; the path itself if it is not a link. A link to another folder is refused:
// in a folder that was downloaded, it could lead to any file of the user.
std::string follow_link(const std::string& path, std::string_view what) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::canonical(path, error);
  if (error) fail_system(path, what, error.value());
  fs::path folder = fs::path(path).parent_path();
  folder = fs::canonical(folder.empty() ? "." : folder, error);
  if (std::ranges::mismatch(folder, target).in1 != folder.end())
    fail(path, str("is a link to ", target.string(), ", outside its folder: nothing is written there"),
         "remove the link");
  return target.string();
}

// The name in the folder of `path` that is most like it, or how paths are read.
std::string hint_for_missing(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  std::string nearest = nearest_name(fs::path(path).filename().string(), names);
  if (const std::string stem = file_stem(path); nearest.empty() && stem.size() > 2)
    for (const std::string& name : names)  // who.tsv: who_chased_whom.tsv
      if (nearest.empty() && name.starts_with(stem)) nearest = name;
  return !nearest.empty()        ? str("did you mean '", (folder / nearest).string(), "'?")
         : path.starts_with('/') ? "check the path"
                                 : "paths are read from the folder in which the program is called";
}

int open_file(const std::string& path, int flags, std::string_view what) {
  if (flags & O_CREAT) follow_link(path, what);  // refuses one that leaves the folder
  // O_NONBLOCK: to open a pipe without a writer would block for ever. The flag has no
  // effect on regular files.
  const int number = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666);
  if (number < 0) {
    const int reason = errno;
    fail_system(path, what, reason,
                reason != ENOENT  ? ""
                : flags & O_CREAT ? "make the folder first"
                                  : hint_for_missing(path));
  }
  return number;
}

void require_regular_file(const struct stat& status, const std::string& path) {
  if (S_ISDIR(status.st_mode)) fail(path, "is a folder, should be a file");
  if (!S_ISREG(status.st_mode)) fail(path, "is not a regular file");
}

off_t size_of_regular_file(const Descriptor& file, const std::string& path) {
  struct stat status;
  if (::fstat(file.number(), &status) != 0) fail_system(path, "examined", errno);
  require_regular_file(status, path);
  return status.st_size;
}

// Returns 0, or the reason (errno) why not all bytes are on the disk.
int write_and_flush(const Descriptor& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes.remove_prefix(as_size(written));
  }
  return ::fsync(file.number()) == 0 ? 0 : errno;
}

// Makes the name of a new or renamed file survive a power cut, if the file system supports that.
void flush_folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.number() >= 0) ::fsync(file.number());
}

// Opens, empty, the file in which the new bytes of `target` are collected, and locks it. All writers of a target
// use one name, so a file that a killed process left is used again; another live writer is waited for.
int open_temporary(const std::string& path, mode_t mode) {
  while (true) {
    const int number = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, mode);
    if (number < 0) return number;
    while (::flock(number, LOCK_EX) != 0 && errno == EINTR) {
    }
    struct stat opened, named;
    const bool known = ::fstat(number, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_nlink == 1;
    const bool same = ::lstat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino;
    if (known && same && ::ftruncate(number, 0) == 0) return number;
    if (same) ::unlink(path.c_str());  // a pipe, or a second name of another file
    ::close(number);                   // else the writer that was waited for has renamed it
  }
}

// Returns 0, or the reason (errno) of the failure.
int replace_file(const std::string& target, std::string_view bytes, mode_t mode) {
  const std::string temporary = target + ".tmp";
  const Descriptor file(open_temporary(temporary, mode));
  if (file.number() < 0) return errno;
  int reason = write_and_flush(file, bytes);
  if (reason == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) reason = errno;
  if (reason != 0) ::unlink(temporary.c_str());
  return reason;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

bool file_exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string file_stem(const std::string& path) { return std::filesystem::path(path).stem().string(); }

std::vector<std::string> paths_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    paths.push_back(entry->path().string());
  if (error && error != std::errc::no_such_file_or_directory)
    fail(folder, str("could not be read: ", error.message()));
  std::ranges::sort(paths);
  return paths;
}

std::string newest_folder_with(const std::string& name, const std::string& folder,
                               const std::string& except) {
  namespace fs = std::filesystem;
  constexpr int deepest = 8;
  std::pair<fs::file_time_type, std::string> newest{fs::file_time_type::min(), ""};
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end; entry.increment(error)) {
    if (entry.depth() == deepest || (!except.empty() && entry->path() == except))
      entry.disable_recursion_pending();
    std::error_code gone;
    if (entry->path().filename() == name)
      if (const auto time = fs::last_write_time(entry->path(), gone); !gone)
        newest = std::max(newest, {time, entry->path().parent_path().string()});
  }
  return newest.second;
}

void require_folder(const std::string& folder, std::string_view hint) {
  std::error_code ignored;
  if (!file_exists(folder)) {
    const std::string near = hint_for_missing(folder);
    fail(folder, "there is no such folder", near.starts_with("did you mean") ? near : hint);
  }
  if (!std::filesystem::is_directory(folder, ignored)) {
    const std::string above = std::filesystem::path(folder).parent_path().string();
    fail(folder, "is a file, should be a folder", above.empty() ? hint : str("its folder is ", above));
  }
}

std::string read_file(const std::string& path, std::uint64_t most_bytes) {
  const Descriptor file(open_file(path, O_RDONLY, "read"));
  const auto size = static_cast<std::uint64_t>(size_of_regular_file(file, path));
  if (size > most_bytes) fail(path, str("holds ", size, " bytes; at most ", most_bytes, " are read"));

  std::string bytes(as_size(size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_system(path, "read", errno);
    if (got == 0) break;  // the file has become shorter
    filled += as_size(got);
  }
  bytes.resize(filled);
  return bytes;
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  const std::string target = follow_link(path, "written");
  mode_t mode = 0666;
  struct stat old;
  if (::stat(target.c_str(), &old) == 0) {
    require_regular_file(old, path);
    if (::access(target.c_str(), W_OK) != 0) fail_system(path, "written", errno);  // rename would replace it
    mode = old.st_mode & 0777;
  }
  const int reason = replace_file(target, bytes, mode);
  if (reason != 0) fail_system(path, "written", reason, reason == ENOENT ? "make the folder first" : "");
  flush_folder_of(target);
}

void create_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error == std::errc::file_exists) error = std::make_error_code(std::errc::not_a_directory);  // libc++ 16
  if (error)
    fail(path, str("could not be made: ", error.message()),
         error == std::errc::not_a_directory
             ? "a file has this name, or that of a folder above: choose another"
             : "");
}

AppendFile::AppendFile(std::string path)
    : path_(std::move(path)), file_(open_file(path_, O_RDWR | O_CREAT | O_APPEND, "opened")) {
  size_of_regular_file(file_, path_);
  flush_folder_of(path_);
}

std::string AppendFile::cut_unfinished_line() {
  const std::string bytes = read_file(path_);
  const std::size_t end = bytes.rfind('\n') + 1;  // npos + 1 is 0: no line is finished
  if (end == bytes.size()) return "";
  if (::ftruncate(file_.number(), static_cast<off_t>(end)) != 0) fail_system(path_, "repaired", errno);
  return bytes.substr(end);
}

void AppendFile::append(std::string_view line) {
  if (line.find('\n') != std::string_view::npos) fail(path_, "a line to append holds a line break");
  const off_t old_end = size_of_regular_file(file_, path_);
  char last = '\n';
  if (old_end > 0 && ::pread(file_.number(), &last, 1, old_end - 1) != 1) fail_system(path_, "read", errno);
  if (last != '\n') fail(path_, "the last line is unfinished, nothing can be appended to it");

  const int reason = write_and_flush(file_, str(line, '\n'));
  if (reason == 0) return;
  if (::ftruncate(file_.number(), old_end) != 0) fail_system(path_, "repaired", errno);
  fail_system(path_, "extended", reason);
}

FolderLock::FolderLock(const std::string& folder)
    : file_(open_file(folder + "/.lock", O_RDWR | O_CREAT, "locked")) {
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) fail_system(folder + "/.lock", "locked", errno);
  fail(folder, "another process is writing to this folder",
       "wait until it has ended, or choose another folder");
}

}  // namespace locus
