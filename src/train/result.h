// What a run came to, and its line in a file of results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/json.h"
#include "train/run.h"

namespace locus {

// What a run came to. But for the seconds nothing in it depends on the clock, the machine's name or the number of
// threads.
struct Outcome {
  bool generates = false;  // the answers were generated: whole answers count, and no ceiling applies
  int parameters = 0, steps = 0;
  std::optional<int> steps_to_solve;
  double loss = 0;
  TrainStatus status = TrainStatus::finished;
  std::vector<LengthScore> by_length;
  std::string table{};                    // Task::fingerprint
  std::optional<TableValidation> rows{};  // of a table that has rows for the validations
  Curve curve{};                          // empty before the first validation, and where it is not on record
  double training_seconds = 0;            // of a processor; 0: not on record
};

struct Result {
  RunSettings settings;
  Outcome outcome;
  std::string where{};  // "runs/a/results.jsonl:12" for error lines, when it was read from a file
};
Result result_of(const Run& run, const Trainer& trainer, std::vector<LengthScore> scores);

// The settings, and what follows from them: the number of parameters, and by test length what scores are compared with
// ("no_input_baseline":[0.1,0.1]). Runs have much of it in common (ablation/results.h).
Json conditions_json(const Result&);
// The same, then the outcome without the seconds. What says nothing is left out: no steps to solve, a status that
// follows from these steps, a value that no length has (the token accuracy of generated answers in some older results).
Json to_json(const Result&);
// Throws Error naming `where` and the key.
Result read_result(const Json& json, const std::string& where);

// A curve is an array of [step, loss, accuracy].
Json to_json(const Curve&);
Curve read_curve(const Json& json, std::string_view where);

}  // namespace locus
