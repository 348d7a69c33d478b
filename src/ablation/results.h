// An ablation on disk: a line per finished cell in each of
//
//   DIR/results.jsonl  what was run and what it came to
//   DIR/curves.jsonl   what was run and how it learned
//   DIR/timings.jsonl  what was run and how long it took
//
// Lines are appended and flushed the moment their cell ends, in whatever order that happens, so a run that is
// killed loses the cells in flight and no more. When the last cell is done, results and curves are put in the
// order of the plan: the same bytes whatever the number of jobs, and however often it was interrupted.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "train/run.h"

namespace locus {

// What the probes of a run saw on its way.
struct Curve {
  std::vector<int> step;
  std::vector<double> loss;      // mean over the last steps
  std::vector<double> accuracy;  // of fresh examples: exact match of generated answers, or token accuracy
};

struct Duration {
  double training = 0;  // seconds of a processor
  double all = 0;       // seconds that passed, with drawing the parameters and the tests
};

class Results {
 public:
  // Opens or begins the results of this plan. Throws Error when the folder is in use or that of a single run,
  // when its files are damaged beyond an unfinished last line, or hold cells that are not in the plan (those
  // of an experiment with other settings). Nothing is changed then.
  Results(const std::string& folder, const std::vector<RunSettings>& plan);

  // It has its result, and its curve, unless none has (as older files do).
  bool done(std::size_t cell) const { return results_[cell] && (curves_[cell] || !has_curves_); }
  // From any thread. The result is written last.
  void add(std::size_t cell, const Json& result, const Curve& curve, Duration duration);
  // Takes over the cells that are done in another folder and not here. Throws Error as the constructor does
  // when it holds anything else.
  void take_over(const std::string& folder);
  void put_in_order();  // once all cells are done

 private:
  using Lines = std::vector<std::optional<std::string>>;  // by cell

  const std::vector<RunSettings> plan_;
  std::string folder_;
  FolderLock lock_;
  Lines results_, curves_;  // read, and so checked, before anything is changed
  const bool has_curves_;
  std::mutex mutex_;
  AppendFile results_file_, curves_file_, timings_file_;
};

struct Result {
  Json json;
  std::string where;  // "runs/a/results.jsonl:12", for error lines
};

// All finished lines of DIR/results.jsonl: a run that is killed can leave an unfinished one at the end.
// Throws Error naming the line that is damaged.
std::vector<Result> read_results(const std::string& folder);

// What was run, of a line of any of the files, as text: with the seed it tells cells apart, without it
// experiments.
std::string settings_text(const Json& line, std::string_view where, bool with_seed);

struct CellCurve {
  std::string settings;  // without the seed, as settings_text has it
  long long seed;
  Curve curve;
};

// All finished lines of DIR/curves.jsonl; none when there is no such file. Throws Error as above.
std::vector<CellCurve> read_curves(const std::string& folder);

struct CellDuration {
  std::string settings;  // without the seed
  int steps;
  Duration duration;
};

// The same of DIR/timings.jsonl.
std::vector<CellDuration> read_durations(const std::string& folder);

// All that is on record of the cells of one ablation or several.
struct Records {
  std::vector<Result> results;
  std::vector<CellCurve> curves{};
  std::vector<CellDuration> durations{};
};

// Of these folders together. Throws Error as above, and when there is no result yet.
Records read_records(const std::vector<std::string>& folders);

}  // namespace locus
