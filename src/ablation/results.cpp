#include "ablation/results.h"

#include <filesystem>
#include <map>

#include "ablation/plan.h"
#include "base/error.h"

namespace locus {

namespace {

std::string results_path(const std::string& folder) { return folder + "/results.jsonl"; }

struct Line {
  std::string text, where;  // "runs/a/results.jsonl:12"
};

std::vector<Line> lines_of(const std::string& path) {
  std::vector<Line> lines;
  const std::string bytes = read_file(path);
  for (std::size_t start = 0; start < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
    lines.push_back({bytes.substr(start, end - start), text(path, ":", lines.size() + 1)});
    start = end + 1;
  }
  return lines;
}

const std::string& made(const std::string& folder) {
  create_folders(folder);
  return folder;
}

}  // namespace

Results::Results(const std::string& folder, const std::vector<RunSettings>& plan)
    : folder_(made(folder)),
      lock_(folder),
      results_(results_path(folder)),
      timings_(folder + "/timings.jsonl"),
      lines_(plan.size()) {
  results_.cut_unfinished_line();
  timings_.cut_unfinished_line();
  std::map<std::string, std::size_t> cell_of;
  for (std::size_t cell = 0; cell < plan.size(); ++cell) cell_of[cell_key(plan[cell])] = cell;
  for (const auto& [line, where] : lines_of(results_path(folder))) {
    const auto found = cell_of.find(to_string(to_json(run_settings(parse_json(line, where), where))));
    if (found == cell_of.end())
      fail(where, "this cell is not part of the experiment asked for", "choose another --out, or remove the folder");
    lines_[found->second] = line;
  }
}

void Results::add(std::size_t cell, const Json& result, double seconds) {
  std::lock_guard lock(mutex_);
  lines_[cell] = to_string(result);
  results_.append(*lines_[cell]);
  Json timing;
  for (const char* key : {"task", "scheme", "model", "seed", "steps"}) timing.set(key, *result.find(key));
  timing.set("seconds", seconds);
  timings_.append(to_string(timing));
}

void Results::put_in_order() {
  std::string bytes;
  for (const auto& line : lines_)
    if (line) bytes += *line + "\n";
  if (bytes != read_file(results_path(folder_))) write_file_atomically(results_path(folder_), bytes);
}

std::vector<Json> read_results(const std::string& folder) {
  std::vector<Json> results;
  const std::string path = std::filesystem::exists(results_path(folder)) ? results_path(folder) : "";
  if (path.empty()) fail(folder, "there is no results.jsonl in it", "give the folder of a `locus ablate` or `locus train` run");
  for (const auto& [line, where] : lines_of(path)) results.push_back(parse_json(line, where));
  return results;
}

}  // namespace locus
