// A command of the program: one file in this folder, in a namespace of its own, with a static RegisterCommand
// at its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "train/run.h"

namespace locus {

struct Command {
  std::string name;
  std::string summary;  // one line
  std::string usage;    // what follows `locus NAME`
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

// The options shared by train and ablate, and what they say. Options left out stay for complete() to fill in;
// or, when a run is to be like another one, as they are there.
std::vector<OptionSpec> with_run_options(std::vector<OptionSpec> options);
RunSettings read_run_options(const Arguments& arguments);
RunSettings read_run_options(const Arguments& arguments, RunSettings like);

// What --scheme or --scheme-by-layer says, as ModelSettings has it; "" when neither is given.
std::string read_scheme(const Arguments& arguments);
std::vector<std::string> read_schemes_by_layer(const Arguments& arguments);  // of a list of them
inline constexpr int most_threads = 1024;
int read_threads(const Arguments& arguments, std::string_view option);  // all of the machine's, when left out

// Where results go when nobody says: "runs"; of the program of a lesson, locus-10, "runs/lessons/10/trained",
// since what other lines have trained is another's.
std::string runs_folder();

// After Ctrl-C the program finishes what it must, saves, and says how to go on.
void watch_for_interrupt();
bool interrupted();

// How the program was called, for commands that are to be typed again; main sets it.
inline std::string program_name = "locus";

void print(std::string_view text);  // to standard output; throws Error when it is closed or full

}  // namespace locus
