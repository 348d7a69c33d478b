// locus help [COMMAND]
#include <algorithm>

#include "base/error.h"
#include "cli/command.h"

namespace locus::commands::help {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string overview() {
  std::string out =
      "Locus: how does a transformer know where a token stands, and what happens when you take that away?\n\n"
      "  locus COMMAND [options]\n\n";
  for (const Command& command : all_commands())
    out += text("  ", padded(command.name, 10), command.summary, "\n");
  out +=
      "\n`locus help COMMAND` shows a command's options. Try this first:\n\n"
      "  locus train --task before --scheme none          which came first? Without positions: a coin toss\n"
      "  locus train --task before --scheme sinusoidal    with positions: solved in a second\n";
  return out;
}

std::string help_for(const Command& command) {
  std::string out = text("locus ", command.name, " ", command.usage, "\n\n", command.summary, ".\n");
  if (!command.details.empty()) out += text("\n", command.details);
  if (!command.options.empty()) out += "\noptions:\n";
  for (const OptionSpec& option : command.options)
    out += text("  ", padded(option.name + (option.value.empty() ? "" : " " + option.value), 26), option.help,
                "\n");
  return out;
}

int run(const Arguments& arguments) {
  print(arguments.positional().empty() ? overview() : help_for(find_command(arguments.positional()[0])));
  return 0;
}

const RegisterCommand registered{{
    .name = "help",
    .summary = "What there is, or how one command is used",
    .usage = "[COMMAND]",
    .details = "",
    .options = {},
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::help
