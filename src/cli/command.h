// A command of the program: one file in this folder, in a namespace of its own, with a static RegisterCommand
// at its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "io/terminal.h"
#include "train/checkpoint.h"

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

// The options of a command: its own, and between them those of the table of settings.
std::vector<OptionSpec> with_settings(Role::Command command, std::vector<OptionSpec> before,
                                      const std::vector<OptionSpec>& after = {});
// The settings that are given; all others are as in `like`.
RunSettings read_settings(const Arguments& arguments, RunSettings like = {});

// The value of --scheme or --scheme-by-layer, as ModelSettings has it; "" when neither is given.
std::string read_scheme(const Arguments& arguments);
std::vector<std::string> read_schemes_by_layer(const Arguments& arguments);  // where several are allowed
inline constexpr int most_threads = 1024;
int read_threads(const Arguments& arguments, std::string_view option);  // default: all of the machine's

// The folder that the command names first. `last`, unless that is a run: the newest run below runs_folder(), named on
// standard error.
std::string run_folder_of(const Arguments& arguments);

// The trained model in the folder that the command names, or of a checkpoint, in a run with these settings.
// Prints a warning when its table has changed.
struct Trained {
  Checkpoint checkpoint;
  Run run;
  Trainer::State state;
};
Trained read_trained(const Arguments& arguments);  // with --dataset
Trained read_trained(Checkpoint checkpoint, const RunSettings& settings);
// The same trained model, with this scheme in place of its own.
Trained with_scheme(const Trained& trained, const std::string& scheme);
// The same trained model, whose scheme is told changed positions: --positions and --layers.
inline const OptionSpec positions_option{"--positions", "CHANGE",
                                         "beside it, with its scheme told other positions: swap:2,7 ..."},
    told_layers_option{"--layers", "A,B", "with --positions: tell only the attention of these layers, from 0"};
inline constexpr const char* position_changes =
    R"(Changes of positions, which count from 0:
  swap:2,7    the tokens at 2 and 7 are told each other's position
  shift:100   100 is added to every position
  scale:2     every position is multiplied by 2
  reversed    the first token is told the last position, and so on
  constant    every token is told the position of the first
  shuffled    a random permutation, another one for every 16 test inputs
)";
std::optional<PositionChange> read_position_change(const Arguments& arguments);
Trained with_positions(const Trained& trained, const PositionChange& change);
inline const OptionSpec moved_table{"--dataset", "FILE.tsv", "the table of the run, if it was moved"};

// The words with the program named as the user called it: "`locus help`" is "`build/locus help`" then, and so are examples,
// lines that begin with "  locus ".
std::string as_called(std::string words);

// "locus: TEXT" on standard error: on one line, or on a terminal in lines that fit, broken between words.
void complain(std::string_view text);

// Tables for standard output: columns of words, then columns of numbers; and the table as text.
std::vector<TableColumn> columns(const std::vector<std::string>& words,
                                 const std::vector<std::string>& numbers);
std::string shown(const TextTable& table);
// Run::test, with its progress on standard error.
std::vector<LengthScore> test_with_progress(const Run& run, const Real* parameters, Pool& pool);
// Says so, once, when the model computes NaN or infinity for some of the inputs.
void warn_of_no_numbers(const std::vector<LengthScore>& scores);
// The scores of a run by length. Where an answer is one token, there is a single accuracy. (A decoder also writes the
// token that ends its answer.)
// `told`: the scores with changed positions, in columns of their own.
std::string score_table(const std::vector<LengthScore>& scores, const Run& run,
                        const std::optional<std::vector<LengthScore>>& told = {});

// The value of --svg; empty without it. Throws UsageError when its name is that of another format.
std::string svg_path(const Arguments& arguments);

// The default folder of results: "runs"; of the program of a lesson, such as locus-10,
// "runs/lessons/10/trained", since the learner's code trains other models.
std::string runs_folder();

// With --fresh, a run or ablation that is in this folder is kept beside it: runs/a becomes runs/a.1, or the next
// number that is free. Throws Error when another process is writing there.
inline const OptionSpec fresh{"--fresh", "", "begin anew; what is in the folder is kept beside it, as DIR.1"};
void set_aside_if_fresh(const Arguments& arguments, const std::string& folder);

// From the first call on, SIGINT (Ctrl-C) and SIGTERM no longer end the program at once, unless it was started
// with the signal ignored. watch_for_interrupt: the command has work to save, and asks interrupted() at every
// step; a second signal ends the program. end_when_interrupted: all is on disk; the signal ends the program with
// this line.
void watch_for_interrupt();
void end_when_interrupted(std::string_view where, std::string_view what, std::string_view hint);
int interrupted();  // the number of the signal, or 0

// To standard output, all of it: what could change the terminal is shown as '?', in whatever file it came. Throws
// Error when the output cannot be written; when its reader has gone, as in `locus tasks | head`, the program ends
// as by SIGPIPE.
void print(std::string_view text);

// Writes a picture or a page where the user asks for it; makes the folder if there is none.
void save(const std::string& path, std::string_view bytes);

// What the arguments of `locus train` and `locus ablate` ask for, complete and checked. Throw UsageError.
namespace commands::train {
RunSettings asked_for(const Arguments& arguments);
}
namespace commands::ablate {
std::vector<RunSettings> asked_for(const Arguments& arguments);
}

}  // namespace locus
