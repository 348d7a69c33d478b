#include "cli/command.h"

#include <algorithm>

#include "base/named.h"

namespace locus {

namespace {

std::vector<Command>& registered() {
  static std::vector<Command> commands;
  return commands;
}

}  // namespace

RegisterCommand::RegisterCommand(Command command) {
  auto& all = registered();
  all.insert(std::ranges::upper_bound(all, command.name, {}, &Command::name), std::move(command));
}

const std::vector<Command>& all_commands() { return registered(); }

const Command& find_command(std::string_view name) {
  if (const Command* command = find_named(registered(), name, &Command::name)) return *command;
  std::vector<std::string> names = {"--version", "--help"};
  for (const Command& command : registered()) names.push_back(command.name);
  fail_usage("locus", str("there is no command '", name, "'"), nearest_names(name, names));
}

}  // namespace locus
