// The program: finds the command, runs it, and turns errors into one line and an exit status (2 for bad
// usage, 1 for a failure at run time). And the command `locus help`.
#include <fcntl.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/error.h"
#include "base/machine.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "io/format.h"
#include "io/utf8.h"
#include "tensor/register.h"

namespace locus::commands::help {

constexpr const char* version = "0.9";

// "locus 0.9: float, 16 numbers per vector register; g++ 12.2.0"
std::string version_line() {
  return str("locus ", version, ": ", sizeof(Real) == sizeof(float) ? "float" : "double", ", ",
             register_lanes, " numbers per vector register; ",
#if defined(__clang__)
             __VERSION__
#else
             "g++ " __VERSION__
#endif
             ,
             "\n");
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

// In the order in which a newcomer needs them; others come last.
std::string overview() {
  std::vector<std::string> names = {"train",  "ask",   "eval",    "attend",  "probe",     "ablate",
                                    "report", "tasks", "schemes", "inspect", "construct", "bench"};
  for (const Command& command : all_commands())
    if (!std::ranges::count(names, command.name)) names.push_back(command.name);
  std::string out =
      "Locus: how a transformer knows order, and what happens when you take it away\n\n"
      "  locus COMMAND [options]\n\n";
  for (const std::string& name : names) out += str("  ", padded(name, 11), find_command(name).summary, "\n");
  return out +
         "\nTry this first, then again with --scheme sinusoidal:\n\n"
         "  locus train --task reverse --scheme none\n\n"
         "`locus help COMMAND` shows a command's options.\n";
}

// What the file of a command says, with each paragraph and each item of a list on one line, and with
// examples apart: below "examples:" if no sentence leads to them.
std::string unwrapped(const std::string& details) {
  std::string out;
  enum class Kind { none, text, item, example } before = Kind::none;
  for (const std::string& line : split(details, '\n')) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool goes_on = indent > 6 || (indent == 0 && !line.empty() && before == Kind::text);
    const Kind kind = goes_on                        ? before
                      : line.empty()                 ? Kind::none
                      : line.starts_with("  locus ") ? Kind::example
                      : line.starts_with(' ')        ? Kind::item
                                                     : Kind::text;
    const bool untold = kind == Kind::example && kind != before && !out.ends_with(':');
    const bool parted = untold || (kind != before && kind != Kind::none && before > Kind::text);
    out += goes_on ? " " + line.substr(indent)
                   : str(parted ? "\n" : "", untold ? "\nexamples:" : "", "\n", line);
    before = kind;
  }
  return out;
}

std::string help_for(const Command& command) {
  std::string out = str("locus ", command.name, " ", command.usage, "\n\n", command.summary, ".\n");
  std::vector<std::string> groups;  // in the order of first appearance
  for (const OptionSpec& option : command.options)
    if (!std::ranges::count(groups, option.group)) groups.push_back(option.group);
  for (const std::string& group : groups) {
    out += str("\n", group, ":\n");
    for (const OptionSpec& option : command.options)
      if (option.group == group) {
        const std::string name = option.name + (option.value.empty() ? "" : " " + option.value);
        out += str("  ", padded(name, 24), name.size() > 24 ? "\n" + std::string(28, ' ') : "  ", option.help,
                   "\n");
      }
  }
  return command.details.empty() ? out : out + unwrapped(command.details);
}

// In lines that fit, with headings and options in bold.
std::string laid_out(const std::string& help, std::size_t width, bool in_bold) {
  std::vector<std::string> lines = split(help, '\n');
  for (std::string& line : lines) {
    const bool option = line.starts_with("  --"), heading = line.ends_with(':') && line.size() < 24;
    const std::size_t end = option ? line.find("  ", 2) : std::string::npos;
    const bool bold = in_bold && (option || &line == &lines.front() || heading);
    line = fitted(line, width);
    if (!bold) continue;
    std::vector<std::string> parts = split(line.substr(0, end), '\n');  // each line is inked by itself
    for (std::string& part : parts) part = inked({part, Ink::bold}, true);
    line = join(parts, "\n") + line.substr(std::min(end, line.size()));
  }
  return join(lines, "\n");
}

// The same as a manual page, for `man locus`: what the commands say, as it is laid out.
std::string manual() {
  const auto verbatim = [](const std::string& words) {  // no character of it is a request to the typesetter
    std::string out;
    for (const char c : words) out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    for (std::size_t i = 0; (i = out.find("\n.", i)) != out.npos; i += 4) out.insert(i + 1, "\\&");
    return str("\n.nf\n", out, ".fi\n");
  };
  const auto section = [&](const std::string& name, const std::string& help) {
    return str(".SH ", name, verbatim(laid_out(help, 78, false)));
  };
  std::string out =
      str(".TH LOCUS 1 \"\" \"locus ", version, "\"\n.SH NAME\nlocus \\- how do transformers know order?\n",
          section("DESCRIPTION", overview()));
  for (const Command& command : all_commands()) out += section("LOCUS " + command.name, help_for(command));
  return out + section("PRESETS", commands::ablate::preset_list());
}

int run(const Arguments& arguments) {
  const std::string about = arguments.positional().empty() ? "" : arguments.positional()[0];
  if (arguments.given("--man"))
    print(manual());
  else if (arguments.given("--completion"))
    print(completion(arguments.text("--completion")));
  else
    print(laid_out(as_called(about.empty()        ? overview()
                             : about == "presets" ? commands::ablate::preset_list()
                                                  : help_for(find_command(about))),
                   std::min<std::size_t>(output_width(), 100), is_lively_terminal(STDOUT_FILENO)));
  return 0;
}

const RegisterCommand registered{{
    .name = "help",
    .summary = "List the commands, or show how a command is used",
    .usage = "[COMMAND | presets] [--man | --completion SHELL]",
    .details =
        "`locus --version` prints the version, the compiler and what it was built for. `make install` puts the\n"
        "manual page and the completion in place.\n",
    .options = {{"--man", "", "all of it as a manual page"},
                {"--completion", "SHELL", "what bash or zsh reads to complete commands, options and names"}},
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::help

namespace {

// The system gives a closed descriptor to the next file that is opened, so standard output could end up in
// that file. A descriptor that can only be read keeps the number occupied, and writing to it still fails.
void hold_standard_descriptors() {
  for (const int descriptor : {0, 1, 2})
    if (::fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
}

int run(std::vector<std::string> words) {
  using namespace locus;
  if (words.empty()) words = {"help"};
  for (const std::string& word : words)
    if (find_invalid_utf8(word) != word.npos)
      fail_usage("locus", str("'", word, "' is not UTF-8"),
                 "write it in UTF-8; if it names a file or a folder, rename that");
  if (words[0] == "--help" || words[0] == "-h") words[0] = "help";
  if (words[0] == "--version") {
    print(commands::help::version_line());
    return 0;
  }
  const std::string name = words[0];
  const Command& command = find_command(name);
  words.erase(words.begin());
  for (const std::string& word : words)
    if (word == "--help" || word == "-h")
      return find_command("help").run(Arguments("help", {}, {name}, 0, 1));
  warn_of_newer_lines();
  return command.run(Arguments(name, command.options, words, command.least_positional,
                               command.most_positional, command.usage));
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_descriptors();
  if (argc > 0) locus::program_name = argv[0];
  for (const int signal : {SIGPIPE, SIGXFSZ})
    std::signal(signal, SIG_IGN);  // writing fails with a reason instead
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
  locus::complain(line);
  if (const int signal = locus::interrupted()) std::raise(signal);  // its handler is the system's by now
  return status;
}
