// Runs the program as a shell would: words in; exit status, output and complaints out.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace locus {

struct Finished {
  int status;  // minus the number of the signal that ended it, if one did
  std::string out, err;
};

// The program under test: $LOCUS, or build/locus seen from the repository's root, where tests run.
inline std::string program_path() {
  const char* given = std::getenv("LOCUS");
  const std::filesystem::path path = std::filesystem::absolute(given ? given : "build/locus");
  if (!std::filesystem::exists(path))
    FAIL("there is no program at " << path.string() << ": `make` builds it, LOCUS=PATH names another");
  return path;
}

// What the program says, as if it had been called `locus`: hints and examples name it as it was called.
inline std::string plainly_called(std::string words) {
  for (const std::string before : {"`", "\n  "}) {
    const std::string called = before + program_path(), general = before + "locus";
    for (std::size_t at = 0; (at = words.find(called, at)) != words.npos;)
      words.replace(at, called.size(), general);
  }
  return words;
}

class Process {
 public:
  // Starts it in `folder`. `prepare` is called in the new process just before the program takes over.
  Process(const std::string& folder, std::vector<std::string> words,
          const std::function<void()>& prepare = {})
      : out_(std::tmpfile()), err_(std::tmpfile()) {
    words.insert(words.begin(), program_path());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    id_ = ::fork();
    if (id_ < 0)
      FAIL("no process could be started");  // to signal process -1 would be to signal all there are
    if (id_ > 0) return;
    ::alarm(60);  // whatever hangs is ended, and so found
    ::dup2(::open("/dev/null", O_RDONLY), 0);
    ::dup2(::fileno(out_), 1);
    ::dup2(::fileno(err_), 2);
    ::close(::fileno(out_));
    ::close(::fileno(err_));
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    if (prepare) prepare();
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    std::fclose(out_);
    std::fclose(err_);
  }

  void signal(int number) const { ::kill(id_, number); }

  Finished wait() const {
    int status = 0;
    ::waitpid(id_, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), plainly_called(text_of(out_)),
            plainly_called(text_of(err_))};
  }

 private:
  static std::string text_of(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    return text;
  }

  std::FILE *out_, *err_;
  pid_t id_ = 0;
};

inline Finished run(const std::string& folder, const std::vector<std::string>& words,
                    const std::function<void()>& prepare = {}) {
  return Process(folder, words, prepare).wait();
}

}  // namespace locus
