// The runs of the user: their folders, the trained model in one, and its scores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "train/checkpoint.h"

namespace locus {

// The default folder of results: "runs"; of the program of a lesson, such as locus-10,
// "runs/lessons/10/trained", since the learner's code trains other models.
std::string runs_folder();

// With --fresh, a run or ablation that is in this folder is kept beside it: runs/a becomes runs/a.1, or the next
// number that is free. Throws Error when another process is writing there.
inline const OptionSpec fresh{"--fresh", "", "begin anew; what is in the folder is kept beside it, as DIR.1"};
void set_aside_if_fresh(const Arguments& arguments, const std::string& folder);

inline constexpr const char* choose_another_folder =
    "choose another --out, or --fresh, which keeps the old run beside it";
// Throws Error when there are results without a model beside them: not those of a single run, and a run would replace
// them.
void refuse_foreign_results(const std::string& folder);

// Of a lesson's program: says when lines of the learner are newer than it.
void warn_of_newer_lines();
// Whether the running program was built after this file was written: other code may have made it.
bool older_than_program(const std::string& path);

// The folder of this name. `last`, unless that is a run or an ablation: the newest run below runs_folder() that
// this program trained, named on standard error; so is a newer one of another program.
std::string run_folder_of(const std::string& named);

// The trained model in the folder that the command names, or of a checkpoint, in a run with these settings.
// Prints a warning when its table has changed.
struct TrainedRun {
  Checkpoint checkpoint;
  Run run;
  Trainer::State state;
};
TrainedRun read_trained(const Arguments& arguments);  // with --dataset
TrainedRun read_trained(Checkpoint checkpoint, const RunSettings& settings);
// The same trained model, with this scheme in place of its own.
TrainedRun with_scheme(const TrainedRun& trained, const std::string& scheme);
inline const OptionSpec moved_table{"--dataset", "FILE.tsv", "the table or text of the run, if it was moved"};

// Run::test, with its progress on standard error.
std::vector<LengthScore> test_with_progress(const Run& run, const Real* parameters, Pool& pool);
// Says so, once, when the model computes NaN or infinity for some of the inputs.
void warn_of_no_numbers(const std::vector<LengthScore>& scores, const Run& run);
// The scores of a run by length. Where an answer is one token, there is a single accuracy. (A decoder also writes the
// token that ends its answer.) `told`: the scores with changed positions, in columns of their own.
std::string score_table(const std::vector<LengthScore>& scores, const Run& run,
                        const std::optional<std::vector<LengthScore>>& told = {});

}  // namespace locus
