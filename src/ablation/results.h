// An ablation on disk: a line per finished cell in each of
//
//   DIR/results.jsonl  its settings and its outcome
//   DIR/curves.jsonl   its settings and its learning curve
//   DIR/timings.jsonl  its settings and how long it took
//
// A line is appended and flushed as soon as its cell ends, in any order, so a process that is killed loses
// only the cells it was training. When the last cell is done, results and curves are sorted into the order of
// the plan: the bytes do not depend on the number of jobs, or on interruptions.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/file.h"
#include "train/run.h"

namespace locus {

// The probes of a run (trainer.h).
struct Curve {
  std::vector<int> step;
  std::vector<double> loss;      // mean over the last steps
  std::vector<double> accuracy;  // on fresh examples: exact match of generated answers, else token accuracy

  // At the last probe up to this step; before the first probe, at the first. A run that has ended keeps its
  // last accuracy.
  double accuracy_at(double step) const;
};
struct CellCurve {
  RunSettings settings;
  Curve curve;
};
// Adds the probe of the trainer's last step; false when that step made none, or it is in the curve already. The curve
// counts from `steps_before` the trainer's own.
bool add_probe(const Trainer& trainer, bool generates, Curve& curve, int steps_before = 0);

// FOLDER/curves.jsonl of a single run: a line, as of a cell; no file while there was no probe.
void save_curve(const std::string& folder, const CellCurve& curve);
// The probes up to this step; none without a file. Throws Error when the file is damaged.
Curve saved_curve(const std::string& folder, int steps);

struct Duration {
  int steps = 0;
  double training = 0;  // processor seconds
  double all = 0;       // seconds, including the initial parameters and the tests
};
struct CellDuration {
  RunSettings settings;
  Duration duration;
};

// Of so many test inputs of each length the answers are kept, or of fewer, so that all answers of an ablation
// take at most so many bytes.
inline constexpr std::size_t shown_examples = 3, most_answer_bytes = 20'000;

class Results {
 public:
  // Opens or creates the results of this plan. Throws Error, and changes nothing, when the folder is in use
  // or holds a single run, or when its files are damaged beyond an unfinished last line or hold cells that
  // are not in the plan.
  Results(const std::string& folder, const std::vector<RunSettings>& plan);

  // Has a result and a curve: a cell whose curve was lost is trained again, to the same result.
  bool done(std::size_t cell) const { return results_[cell] && curves_[cell]; }
  // From any thread. The result is written last.
  void add(std::size_t cell, const Result& result, const Curve& curve, const Duration& duration);
  // Copies the cells that are done in another folder and missing here. Throws Error like the constructor when
  // that folder holds anything else.
  void add_from(const std::string& folder);
  void put_in_order();  // call when all cells are done

 private:
  using Lines = std::vector<std::optional<std::string>>;  // by cell, as they are in the file

  const std::vector<RunSettings> plan_;
  std::string folder_;
  FolderLock lock_;
  Lines results_, curves_;  // read, and so checked, before anything is changed
  std::mutex mutex_;
  AppendFile results_file_, curves_file_, timings_file_;
};

// Where an ablation in this folder keeps the model of a cell, if it does: FOLDER/models/sort/rope-encoder-seed1.
std::string model_folder(const std::string& folder, const RunSettings& cell);

// What is on record of the cells of one or several ablations.
struct Records {
  std::vector<Result> results;
  std::vector<CellCurve> curves{};
  std::vector<CellDuration> durations{};
  std::vector<std::string> models{};  // the folders of those that were kept, in the order of the results
};

// All finished lines in these folders; the last line of a file may be unfinished. Throws Error naming the
// line that is damaged, and when a folder has no results.jsonl or there is no result yet.
Records read_records(const std::vector<std::string>& folders);

// The records of these cells, if the folder holds them all, and others too. Throws Error like the constructor of
// Results when its files are damaged or the table of a cell has changed.
std::optional<Records> records_of_some(const std::string& folder, const std::vector<RunSettings>& cells);

}  // namespace locus
