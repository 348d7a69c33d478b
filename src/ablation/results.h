// The results of an ablation on disk: DIR/results.jsonl, a line per finished cell.
//
// A line is appended and flushed the moment its cell ends, in whatever order that happens, so a run that is
// killed loses the cells in flight and no more. When the last cell is done the file is put in the order of
// the plan: the same bytes whatever the number of jobs, and however often it was interrupted. How long cells
// took goes to DIR/timings.jsonl.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "train/run.h"

namespace locus {

class Results {
 public:
  // Opens or begins the results of this plan. Throws Error when the folder is in use or that of a single run,
  // when its file is damaged beyond an unfinished last line, or holds cells that are not in the plan (those
  // of an experiment with other settings). Nothing is changed then.
  Results(const std::string& folder, const std::vector<RunSettings>& plan);

  bool done(std::size_t cell) const { return lines_[cell].has_value(); }
  void add(std::size_t cell, const Json& result, double seconds);  // from any thread
  void put_in_order();                                             // once all cells are done

 private:
  std::string folder_;
  FolderLock lock_;
  std::vector<std::optional<std::string>>
      lines_;  // by cell; read, and so checked, before anything is changed
  std::mutex mutex_;
  AppendFile results_, timings_;
};

struct Result {
  Json json;
  std::string where;  // "runs/a/results.jsonl:12", for error lines
};

// All finished lines of DIR/results.jsonl: a run that is killed can leave an unfinished one at the end.
// Throws Error naming the line that is damaged.
std::vector<Result> read_results(const std::string& folder);

}  // namespace locus
