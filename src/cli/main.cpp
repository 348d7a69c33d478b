// The program: finds the command, runs it, and turns errors into one line and an exit status (2 for bad
// usage, 1 for a failure at run time).
#include <fcntl.h>

#include <csignal>
#include <cstdio>
#include <new>

#include "base/error.h"
#include "base/utf8.h"
#include "cli/command.h"

namespace {

// A closed descriptor would be handed to the next file that is opened, and what is printed would end up in
// that file. One that can only be read keeps the number taken, and writing to it still fails.
void hold_standard_descriptors() {
  for (const int descriptor : {0, 1, 2})
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
}

int run(std::vector<std::string> words) {
  using namespace locus;
  if (words.empty()) words = {"help"};
  if (words[0] == "--help" || words[0] == "-h") words[0] = "help";
  const std::string name = words[0];
  const Command& command = find_command(name);
  words.erase(words.begin());
  for (const std::string& word : words)
    if (word == "--help" || word == "-h")
      return find_command("help").run(Arguments("help", {}, {name}, 0, 1));
  return command.run(
      Arguments(name, command.options, words, command.least_positional, command.most_positional));
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_descriptors();
  if (argc > 0) locus::program_name = argv[0];
  std::signal(SIGPIPE, SIG_IGN);  // `locus ... | head` ends in an error we can report, not in silence
  int status = 1;
  std::string line;
  try {
    return run({argv + 1, argv + argc});
  } catch (const locus::UsageError& error) {
    line = error.what();
    status = 2;
  } catch (const locus::Error& error) {
    line = error.what();
  } catch (const std::bad_alloc&) {
    line = locus::error_line("locus", "out of memory", "make the model, the batch or the lengths smaller");
  } catch (const std::exception& error) {
    line = locus::error_line("locus", error.what(), "");
  }
  std::fprintf(stderr, "locus: %s\n", locus::printable(line).c_str());  // what was typed may hold line breaks
  return status;
}
