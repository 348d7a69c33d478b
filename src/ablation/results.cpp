#include "ablation/results.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "io/utf8.h"
#include "tasks/support/table.h"
#include "train/checkpoint.h"

namespace locus {

namespace {

constexpr int results_format = 2;
constexpr const char* results_file = "results.jsonl";
std::string results_path(const std::string& folder) { return str(folder, '/', results_file); }
std::string timings_path(const std::string& folder) { return folder + "/timings.jsonl"; }

// A cell with all its members.
struct Line {
  Json json;
  std::string where;  // "runs/a/results.jsonl:12"
};

// The cells whose lines end in a line break; none when there is no file. What follows the last line break is an
// unfinished line, whose cell will be done again. It must begin like our lines, or end in the zeros that a power cut
// leaves: words of somebody else are refused.
std::vector<Line> finished_lines(const std::string& path) {
  std::vector<Line> lines;
  if (!file_exists(path)) return lines;
  const std::string file = read_file(path);
  const std::string_view bytes = without_byte_order_mark(file);  // an editor may have put one there
  Json common;
  std::size_t start = 0, number = 1;
  for (std::size_t end; (end = bytes.find('\n', start)) != bytes.npos; start = end + 1, ++number) {
    const std::string where = str(path, ":", number);
    const Json line = parse_json(bytes.substr(start, end - start), where);
    if (line.find("format")) {
      if (const long long found = line.integer("format", where); found != results_format)
        fail(where, str("'format' should be ", results_format, ", is ", found),
             "another version of locus wrote this file: train again, into another folder");
      common = line;
      continue;
    }
    if (common.is_null())
      fail(where, "an older version of locus wrote this file: its first line has no 'format'",
           "train again; --fresh keeps the old results beside the new ones");
    Json cell = common;
    for (const auto& [key, value] : line.as_object(where, "cell")) cell.set(key, value);
    lines.push_back({cell, where});
  }
  const std::string_view beginning = common.is_null() ? R"({"format":)" : "{",
                         unfinished = bytes.substr(start, beginning.size());
  if (!beginning.starts_with(unfinished.substr(0, unfinished.find('\0'))))
    fail(str(path, ":", number), "this line does not belong in a results file",
         number == 1 ? "remove the file, or choose another folder"
                     : "remove this line: those before it are whole");
  return lines;
}

// What these cells have in common. Every line names its scheme and seed.
Json common_of(const std::vector<Json>& cells) {
  Json common;
  common.set("format", results_format);
  for (const auto& [key, value] : cells.front().as_object("results", "cell")) {
    const auto has_it = [&](const Json& cell) { return cell.find(key) && *cell.find(key) == value; };
    if (key != "scheme" && key != "seed" && std::ranges::all_of(cells, has_it)) common.set(key, value);
  }
  return common;
}

std::string line_of(const Json& cell, const Json& common) {
  Json line;
  for (const auto& [key, value] : cell.as_object("results", "cell"))
    if (!common.find(key) || *common.find(key) != value) line.set(key, value);
  return to_string(line);
}

Json time_json(const Result& result) {
  Json json = to_json(result.settings);
  json.set("training_seconds", result.outcome.training_seconds);
  return json;
}

// The lines of these results, with a common line for each task and kind of model.
std::string lines_of(const std::vector<Result>& results, Json (*json_of)(const Result&)) {
  std::string bytes;
  for (auto first = results.begin(); first != results.end();) {
    const auto is_other = [&, &of = first->settings](const Result& result) {
      return result.settings.task != of.task || result.settings.dataset != of.dataset ||
             result.settings.model.kind != of.model.kind;
    };
    const auto end = std::find_if(first, results.end(), is_other);
    std::vector<Json> conditions;
    std::transform(first, end, std::back_inserter(conditions), conditions_json);
    const Json common = common_of(conditions);
    bytes += to_string(common) + "\n";
    for (; first != end; ++first) bytes += line_of(json_of(*first), common) + "\n";
  }
  return bytes;
}

void save_if_changed(const std::string& path, const std::string& bytes) {
  if (!file_exists(path) || bytes != read_file(path)) write_file_atomically(path, bytes);
}

std::vector<Result> results_in(const std::string& folder) {
  std::vector<Result> results;
  for (const auto& [json, where] : finished_lines(results_path(folder)))
    results.push_back(read_result(json, where));
  std::map<SettingsKey, double> seconds;
  for (const auto& [json, where] : finished_lines(timings_path(folder)))
    seconds[settings_key(settings_from_json(json, where))] = json.number("training_seconds", where);
  if (!seconds.empty())
    for (Result& result : results) result.outcome.training_seconds = seconds[settings_key(result.settings)];
  return results;
}

// Adds the results in this folder, and the models that it keeps.
void add_records(const std::string& folder, std::vector<Result> results, Records& all) {
  // The name of a model depends on its task, which may be a text or table that is no longer there.
  const bool keeps_models = file_exists(folder + "/models");
  for (Result& result : results) {
    if (keeps_models)
      if (const std::string model = model_folder(folder, result.settings); has_checkpoint(model))
        all.models.push_back(model);
    all.results.push_back(std::move(result));
  }
}

const std::string& created(const std::string& folder) {
  create_folders(folder);
  return folder;
}

// Why a cell on record cannot be one of the plan: the first setting that differs from the cell most like it.
std::string difference_from(const std::vector<RunSettings>& plan, const RunSettings& cell) {
  const auto differing = [key = settings_key(cell)](const RunSettings& other) {
    const SettingsKey of_other = settings_key(other);
    std::size_t count = 0;
    for (std::size_t i = 0; i < key.size(); ++i) count += key[i] != of_other[i];
    return count;
  };
  const auto found = difference(cell, *std::ranges::min_element(plan, {}, differing));
  return str("it holds a run with ", found->first, "; of those asked for, the most similar has ",
             found->second);
}

// Throws Error when the table of a result has changed since.
void check_table(const Result& result) {
  const std::string &path = result.settings.dataset, &table = result.outcome.table;
  if (path.empty() || !file_exists(find_table(path))) return;
  if (const std::string& now = open_task(path).fingerprint; now != table)
    fail(result.where,
         str(path, " has changed since this cell was trained: it had ", table, ", and now has ", now),
         "choose another --out, or remove the folder");
}

// The results in this folder, by the number of their cell in the plan. There may be others too, if none of the plan
// is missing.
std::map<std::size_t, Result> results_by_cell(const std::string& folder, const std::vector<RunSettings>& plan,
                                              bool& has_others) {
  if (has_checkpoint(folder))
    fail(folder, "it holds a run of `locus train`, which writes its results there", "choose another --out");
  std::map<SettingsKey, std::size_t> cell_of;
  for (std::size_t cell = 0; cell < plan.size(); ++cell) cell_of[settings_key(plan[cell])] = cell;
  std::map<std::size_t, Result> by_cell;
  std::vector<Result> others;
  for (Result& result : results_in(folder)) {
    const auto found = cell_of.find(settings_key(result.settings));
    if (found == cell_of.end()) {
      others.push_back(result);
      continue;
    }
    check_table(result);
    if (!by_cell.emplace(found->second, result).second)
      fail(result.where, "this cell was there before", "remove one of the two lines");
  }
  has_others = !others.empty();
  if (has_others && by_cell.size() < plan.size())
    fail(others.front().where, difference_from(plan, others.front().settings),
         "choose another --out, or --fresh, which keeps the old results beside it");
  return by_cell;
}

// Keeps the answers to as many inputs as fit, equally many in every result of the first seed that can have some: a
// text has none.
void cut_answers(std::map<std::size_t, Result>& results) {
  std::vector<std::vector<std::string>*> all;
  std::size_t kept = shown_examples;
  for (auto& [cell, result] : results) {
    if (result.settings.train.seed != 1 || is_text_path(result.settings.dataset)) continue;
    std::size_t most = 0;
    for (LengthScore& at : result.outcome.by_length) {
      all.push_back(&at.answers);
      most = std::max(most, at.answers.size());
    }
    kept = std::min(kept, most);
  }
  for (std::size_t bytes = most_answer_bytes + 1; bytes > most_answer_bytes; --kept) {
    bytes = 0;
    for (std::vector<std::string>* answers : all) {
      answers->resize(std::min(kept, answers->size()));
      for (const std::string& answer : *answers) bytes += to_string(Json(answer)).size() + 1;
    }
  }
}

}  // namespace

bool Records::have_curves() const {
  return std::ranges::any_of(results, [](const Result& one) { return !one.outcome.curve.step.empty(); });
}

bool Records::have_times() const {
  return std::ranges::any_of(results, [](const Result& one) { return one.outcome.training_seconds > 0; });
}

Results::Results(const std::string& folder, const std::vector<RunSettings>& plan)
    : plan_(plan),
      folder_(created(folder)),
      lock_(folder),
      results_(results_by_cell(folder, plan, holds_more_)) {}

void Results::add(std::size_t cell, const Result& result) {
  const Json json = to_json(result);
  std::lock_guard lock(mutex_);
  if (done(cell)) return;  // only its model was missing
  if (common_.is_null()) {
    std::vector<Json> settings;
    for (const RunSettings& one : plan_) settings.push_back(to_json(one));
    common_ = common_of(settings);
    results_file_.emplace(results_path(folder_));
    timings_file_.emplace(timings_path(folder_));
    for (AppendFile* file : {&*results_file_, &*timings_file_}) {
      file->cut_unfinished_line();
      file->append(to_string(common_));
    }
  }
  timings_file_->append(line_of(time_json(result), common_));
  results_file_->append(line_of(json, common_));
  Result& kept = results_[cell] = read_result(json, results_path(folder_));  // losses of a text are rounded
  kept.outcome.training_seconds = result.outcome.training_seconds;
}

void Results::add_from(const std::string& folder) {
  bool has_others = false;
  for (const auto& [cell, result] : results_by_cell(folder, plan_, has_others)) add(cell, result);
}

void Results::put_in_order() {
  cut_answers(results_);
  save_results(folder_, records().results);
}

Records Results::records() const {
  std::vector<Result> all;
  for (const auto& [cell, result] : results_) all.push_back(result);
  Records records;
  add_records(folder_, std::move(all), records);
  return records;
}

std::string model_folder(const std::string& folder, const RunSettings& cell) {
  return str(folder, "/models/", run_name(cell));
}

Records read_records(const std::vector<std::string>& folders) {
  Records all;
  for (const std::string& folder : folders) {
    if (!file_exists(results_path(folder))) {
      require_folder(folder, "`locus ablate` and `locus train` say where they save results");
      const std::string inside = newest_folder_with(results_file, folder);
      fail(folder, "there is no results.jsonl in it",
           inside.empty() ? "give the folder of a `locus ablate` or `locus train` run"
                          : str("give a folder that has one, such as ", inside));
    }
    add_records(folder, results_in(folder), all);
  }
  if (all.results.empty())
    fail(folders.front(), "there are no results yet", "wait until the first cell is done");
  return all;
}

void save_results(const std::string& folder, const std::vector<Result>& results) {
  std::vector<Result> timed = results;
  std::erase_if(timed, [](const Result& result) { return result.outcome.training_seconds == 0; });
  save_if_changed(results_path(folder), lines_of(results, to_json));
  if (!timed.empty()) save_if_changed(timings_path(folder), lines_of(timed, time_json));
}

}  // namespace locus
