#include <functional>

#include "base/named.h"
#include "cli/command.h"
#include "model/model.h"
#include "positional/support/registry.h"
#include "tasks/support/registry.h"

namespace locus {

namespace {

constexpr const char* shells[] = {"bash", "zsh"};

template <class Things, class NameOf>
std::string names_of(const Things& things, NameOf name_of) {
  std::string names;
  for (const auto& thing : things) names += str(std::invoke(name_of, thing), ' ');
  return names;
}

std::string one_case(std::string_view pattern, std::string_view choices) {
  return str("    ", pattern, ") choices='", choices, "' ;;\n");
}

}  // namespace

std::string completion(std::string_view shell) {
  const bool zsh = get_named("help", "shell", shells, shell, std::identity()) == shells[1];
  std::string of_commands;
  for (const Command& command : all_commands())
    of_commands += "  " + one_case(command.name, names_of(command.options, &OptionSpec::name));
  const std::string cases =
      str("  case $before in\n",
          one_case("locus|*/locus|help", names_of(all_commands(), &Command::name) + "presets"),
          one_case("--scheme|--schemes|--trained-as|--control", names_of(all_schemes(), &SchemeInfo::name)),
          one_case("--task|--tasks", names_of(all_tasks(), [](const Task* task) { return task->name; })),
          one_case("--model", names_of(all_model_kinds, [](ModelKind kind) { return to_string(kind); })),
          "    *) case $command in\n", of_commands, "    esac\n  esac\n");
  if (zsh)
    return str("#compdef locus\nlocal choices before=${words[CURRENT-1]} command=${words[2]}\n", cases,
               "if [[ -n $choices ]]; then compadd -- ${=choices}; else _files; fi\n");
  return str("_locus() {\n  local choices before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n",
             cases,
             "  COMPREPLY=($(compgen -W \"$choices\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n"
             "complete -o default -F _locus locus\n");
}

}  // namespace locus
