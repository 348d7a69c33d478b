// The settings of a run: everything that decides one training, and one table that describes each setting
// once, with how its value is printed and read. From the table follow the options of the command line and their
// help (cli/command.cpp), JSON in both directions, the axes of `locus ablate`, how runs are told apart, and the
// settings and commands on the page of a report. To add a setting: a member of one of these structs, a row of the
// table in settings.cpp, and its use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "model/model.h"
#include "tasks/support/open_task.h"
#include "train/batch.h"
#include "train/optimizer.h"

namespace locus {

struct TrainSettings {
  int steps = 0, batch = 64;  // steps at most
  LengthRange lengths{};      // of the inputs
  std::uint64_t seed = 1;
  OptimizerSettings optimizer{};
  bool stop_when_solved = true;      // a solved run cools down and ends early (optimizer.h)
  bool validate_at_the_end = false;  // also at a last step that is not a multiple of validate_every (trainer.h)
};

// complete() fills in what was not given and depends on the task or the kind of model: scheme, heads,
// d_model, d_ff, steps, lengths, learning rate and test_lengths, each of which is then 0 or empty here.
struct RunSettings {
  std::string task;     // its name; of a dataset, the file's name without its ending
  std::string dataset;  // the path of a table of examples or of a text; "": `task` is a toy task
  TextReading text;     // of a text: how it is cut into tokens
  ModelSettings model{.scheme = "", .heads = 0, .d_model = 0};
  TrainSettings train;
  std::vector<int> test_lengths;
  int test_examples = 4000;     // per length, if there are as many
  std::string from;             // the folder of the run whose parameters this one starts with; "": a new run
  Spec trained_as;              // the scheme to train with; "": model.scheme, with which the model is tested
  int recalibrate = 0;          // steps that a model of `trained_as` then goes on with model.scheme
  double recalibrate_rate = 0;  // the peak learning rate of these steps; 0: that of the training

  bool trains_at(int length) const { return train.lengths.contains(length); }
};

// Upper limits: more than anyone trains, and too little for counts of tokens or parameters to overflow.
namespace limits {
inline constexpr int layers = 1000, heads = 1000, d_model = 1 << 20, d_ff = 1 << 22, batch = 1 << 20,
                     steps = 1 << 30, length = 1'000'000, test_lengths = 1000, test_examples = 1'000'000,
                     seed = 1 << 30;
}

// What the text of a value is, and how JSON keeps it: a word as a string (null when it is empty), numbers as numbers,
// "yes" and "no" as true and false, lengths "12,18" as [12,18]; the range "2-12" as [2,12], and "4,8", these lengths of
// it alone, as {"only":[4,8]}.
enum class ValueType { word, whole, number, yes_no, lengths, range };

struct Limits {  // of a number
  double low = 0, high = 0;
};

// The text of a value, and what an error about it names: "[train] --steps ...", "[results.jsonl:3] 'max_steps' ...".
struct Given {
  const std::string& value;
  std::string_view where, name;
  Limits limits;
};

// What else a setting does, besides holding a value of a run.
struct Role {
  enum class Command { train, ablate, both } command = Command::both;  // has its option
  bool axis = false;                // `locus ablate` takes several values and trains all combinations
  bool transformers_only = false;   // null in files of recurrent models, which have no such setting
  bool fixed_by_training = false;   // a run that goes on --from another must have the same value
  bool is_seed = false;             // runs that differ in nothing else belong to one row of a table
  bool is_rate = false;             // `locus report --best-lr` chooses among its values
  bool in_every_row = false;        // tables and figures name the value of each row
  bool omitted_at_default = false;  // files do not name it where it has its default
  const char* group = "training";   // its heading in the help
};

// A row of the table.
struct Setting {
  const char* name;    // in files and tables: "max_steps"
  const char* option;  // on the command line: "--steps"
  const char* value;   // what follows the option, for the help: "N"; "" for a switch
  const char* help;
  ValueType type;
  std::string (*print)(const RunSettings&);   // the text of its value: "0.003", "2-12", "12,18,24", "yes"
  void (*parse)(RunSettings&, const Given&);  // throws UsageError
  void (*copy)(const RunSettings& from, RunSettings& to);
  Limits limits;
  Role role;
  std::string when_given{};  // the value that a switch stands for
};

// What separates the values of an axis on the command line: ranges may hold commas.
char separator_of(const Setting&);

// These lengths alone; repeated ones count once.
LengthRange lengths_of(std::vector<int> lengths);

const std::vector<Setting>& all_settings();            // in the order of the keys in files
const Setting& find_setting(std::string_view option);  // throws Error when there is none

bool applies(const Setting&, const RunSettings&);     // whether the kind of model has it
bool is_default(const Setting&, const RunSettings&);  // nothing else was asked for

// What it prints; "" when the model has no such setting.
std::string value_text(const Setting&, const RunSettings&);

// The option with its value, as it is typed in a shell: "--lr 0.003", "--full". "" when there is nothing to
// type.
std::string typed(const Setting&, const RunSettings&);

// The first setting with different values, as it would be typed for each: {"--steps 500", "no --full"}.
struct SettingDifference {
  std::string first, second;
};
enum class Compared { all, fixed_by_training };
std::optional<SettingDifference> difference(const RunSettings& first, const RunSettings& second,
                                            Compared compared = Compared::all);

// All values, for comparing settings and for finding them in a map: equal settings have equal keys.
using SettingsKey = std::vector<std::string>;
SettingsKey settings_key(const RunSettings&);
SettingsKey group_key(const RunSettings&);  // the same without the seed

// The task of a run (tasks/support/open_task.h). task_if_there: nullptr when it is not there.
const Task& task_of(const RunSettings&, const Alphabet& known = {});
const Task* task_if_there(const RunSettings&);

// Where a model trained at lengths up to `longest` is tested by default: there, at about 1.5 times and at
// twice that length, where the task has such lengths.
std::vector<int> usual_test_lengths(const Task& task, int longest);

// Fills in what is not given and has a default: what suits the task and the kind of model.
RunSettings with_defaults(const RunSettings& settings);

// The same; and checks all that can be checked without building the model: that there is a scheme, that the
// sizes fit, and that the task has examples of every length. Throws UsageError.
RunSettings complete(RunSettings settings);

// A whole number from a file. Throws Error "[where] 'name' should be from 1 to 1000, is 0".
int integer_in(const Json&, std::string_view where, std::string_view name, int low, int high);

// As JSON: a key for each setting, in the order of the table.
Json to_json(const RunSettings&);
// The settings in an object that may hold more. Throws Error naming `where` and the key.
RunSettings settings_from_json(const Json&, std::string_view where);

}  // namespace locus
