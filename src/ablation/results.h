// An ablation on disk. DIR/results.jsonl has a line for each cell that is done, and before them a line that says once
// what the cells have in common:
//
//   {"format":2,"task":"sort","model":"encoder","layers":2, ... ,"no_input_baseline":[0.1,0.1]}
//   {"scheme":"none","seed":1,"learning_rate":0.01,"steps":1000, ... ,"exact_match":[0,0],"curve":[[50,2.1,0.1], ...]}
//   {"scheme":"rope","seed":1, ...
//
// A member of a line that is in the common line as well counts instead of that one. Another common line may follow,
// for the cells below it: so files that are written one after the other into one are a file, too. DIR/timings.jsonl
// has lines of the same form: how long each cell took.
//
// A line is appended and flushed as soon as its cell ends, in any order, so a process that is killed loses only the
// cells it was training. When the last cell is done, the lines are sorted into the order of the plan, with a common
// line for each task and kind of model: the bytes of the results do not depend on the number of jobs, or on
// interruptions. A recorded study (lessons/results) has no curves.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "io/file.h"
#include "train/result.h"

namespace locus {

// Of so many test inputs of each length the answers are kept, or of fewer, so that all answers of an ablation
// take at most so many bytes.
inline constexpr std::size_t shown_examples = 3, most_answer_bytes = 20'000;

// What is on record of the cells of one or several ablations.
struct Records {
  std::vector<Result> results;
  std::vector<std::string> models{};  // the folders of those that were kept, in the order of the results

  bool have_curves() const, have_times() const;  // some of them
};

class Results {
 public:
  // Reads the results of this plan, if there are some, and changes nothing. Throws Error when the folder is in use
  // or holds a single run, when its files are damaged beyond an unfinished last line, and when they hold cells that are
  // not in the plan, while a cell of the plan is missing.
  Results(const std::string& folder, const std::vector<RunSettings>& plan);

  bool done(std::size_t cell) const { return results_.contains(cell); }
  bool holds_more() const { return holds_more_; }    // also cells that are not in the plan
  void add(std::size_t cell, const Result& result);  // from any thread
  // Copies the cells that are done in another folder and missing here. Throws Error like the constructor when
  // that folder holds anything else.
  void add_from(const std::string& folder);
  void put_in_order();  // call when all cells are done
  Records records() const;

 private:
  const std::vector<RunSettings> plan_;
  std::string folder_;
  FolderLock lock_;
  bool holds_more_ = false;
  std::map<std::size_t, Result> results_;  // by cell
  std::mutex mutex_;
  // From the first cell on that is added.
  Json common_;
  std::optional<AppendFile> results_file_, timings_file_;
};

// Where an ablation in this folder keeps the model of a cell, if it does: FOLDER/models/sort/rope-encoder-seed1.
std::string model_folder(const std::string& folder, const RunSettings& cell);

// All finished lines in these folders; the last line of a file may be unfinished. Throws Error naming the
// line that is damaged, and when a folder has no results.jsonl or there is no result yet.
Records read_records(const std::vector<std::string>& folders);

// Replaces the results, and how long they took, in this folder.
void save_results(const std::string& folder, const std::vector<Result>& results);

}  // namespace locus
