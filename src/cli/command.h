// A command of the program: one file in this folder, in a namespace of its own, with a static RegisterCommand
// at its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "train/settings.h"

namespace locus {

struct Command {
  std::string name;
  std::string summary;  // one line
  std::string usage;    // the words after `locus NAME`
  std::string details;  // for `locus help NAME`: paragraphs, examples
  std::vector<OptionSpec> options;
  std::size_t least_positional = 0, most_positional = 0;
  int (*run)(const Arguments&);  // the exit status
};

struct RegisterCommand {
  explicit RegisterCommand(Command command);
};

const std::vector<Command>& all_commands();          // by name
const Command& find_command(std::string_view name);  // unknown: UsageError with the nearest names

// What bash or zsh reads to complete commands, their options, and names after some of these.
std::string completion(std::string_view shell);

// What the arguments of `locus train` and `locus ablate` ask for, complete and checked. Throw UsageError.
namespace commands::train {
RunSettings asked_for(const Arguments& arguments);
}
namespace commands::ablate {
std::vector<RunSettings> asked_for(const Arguments& arguments);
std::string preset_list();  // for `locus help presets`
}  // namespace commands::ablate

}  // namespace locus
