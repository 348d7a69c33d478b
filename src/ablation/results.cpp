#include "ablation/results.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "base/size.h"
#include "io/utf8.h"
#include "tasks/support/table.h"
#include "train/checkpoint.h"

namespace locus {

namespace {

constexpr const char* results_file = "results.jsonl";
std::string results_path(const std::string& folder) { return text(folder, '/', results_file); }
std::string curves_path(const std::string& folder) { return folder + "/curves.jsonl"; }
std::string timings_path(const std::string& folder) { return folder + "/timings.jsonl"; }

struct Line {
  std::string text, where;  // "runs/a/results.jsonl:12"
};

// The lines that end in a line break; none when there is no file. What follows the last line break is an
// unfinished line, whose cell will be done again. It must begin like our lines, or end in the zeros that a power cut
// leaves: words of somebody else are refused.
std::vector<Line> finished_lines(const std::string& path) {
  constexpr std::string_view beginning = R"({"task":)";
  std::vector<Line> lines;
  if (!file_exists(path)) return lines;
  const std::string file = read_file(path);
  const std::string_view bytes = without_byte_order_mark(file);
  std::size_t start = 0;
  const auto where = [&] { return text(path, ":", lines.size() + 1); };
  for (std::size_t end; (end = bytes.find('\n', start)) != bytes.npos; start = end + 1) {
    std::string_view line = bytes.substr(start, end - start);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({std::string(line), where()});
  }
  const std::string_view unfinished = bytes.substr(start, beginning.size());
  if (!beginning.starts_with(unfinished.substr(0, unfinished.find('\0'))))
    fail(where(), "this is no line of a results file",
         lines.empty() ? "remove the file, or choose another folder"
                       : "remove this line: those before it are whole");
  return lines;
}

const std::string& created(const std::string& folder) {
  create_folders(folder);
  return folder;
}

Json to_json(const CellCurve& cell) {
  const Curve& curve = cell.curve;
  Json json = locus::to_json(cell.settings);
  json.set("step", Json::Array(curve.step.begin(), curve.step.end()));
  json.set("loss", Json::Array(curve.loss.begin(), curve.loss.end()));
  json.set("accuracy", Json::Array(curve.accuracy.begin(), curve.accuracy.end()));
  return json;
}

CellCurve read_curve(const Json& json, const std::string& where) {
  CellCurve cell{settings_from_json(json, where), {}};
  Curve& curve = cell.curve;
  for (const Json& step : json.array("step", where))
    curve.step.push_back(static_cast<int>(step.as_integer(where, "step")));
  for (const Json& loss : json.array("loss", where)) curve.loss.push_back(loss.as_number(where, "loss"));
  for (const Json& accuracy : json.array("accuracy", where))
    curve.accuracy.push_back(accuracy.as_number(where, "accuracy"));
  if (curve.loss.size() != curve.step.size() || curve.accuracy.size() != curve.step.size())
    fail(where, text("'step', 'loss' and 'accuracy' hold ", curve.step.size(), ", ", curve.loss.size(),
                     " and ", curve.accuracy.size(), " numbers, and should hold equally many"));
  if (!std::ranges::is_sorted(curve.step, std::less_equal{}))
    fail(where, "the numbers of 'step' should increase");
  for (const double accuracy : curve.accuracy)
    if (accuracy < 0 || accuracy > 1)
      fail(where, text("'accuracy' holds ", accuracy, ", should be from 0 to 1"));
  return cell;
}

Json to_json(const CellDuration& cell) {
  Json json = locus::to_json(cell.settings);
  json.set("steps", cell.duration.steps);
  json.set("training_seconds", cell.duration.training);
  json.set("seconds", cell.duration.all);
  return json;
}

CellDuration read_duration(const Json& json, const std::string& where) {
  return {settings_from_json(json, where),
          {.steps = static_cast<int>(json.integer("steps", where)),
           .training = json.number("training_seconds", where),
           .all = json.number("seconds", where)}};
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
  return text("it holds a run with ", found->first, "; of those asked for, the most similar has ",
              found->second);
}

// The line of every cell of the plan that has one; `read` reads a line and throws when it cannot.
std::vector<std::optional<std::string>> lines_by_cell(const std::string& path,
                                                      const std::vector<RunSettings>& plan, bool repeats,
                                                      const auto& read) {
  std::vector<std::optional<std::string>> lines(plan.size());
  std::map<SettingsKey, std::size_t> cell_of;
  for (std::size_t cell = 0; cell < plan.size(); ++cell) cell_of[settings_key(plan[cell])] = cell;
  for (const auto& [line, where] : finished_lines(path)) {
    const RunSettings settings = read(parse_json(line, where), where).settings;
    const auto found = cell_of.find(settings_key(settings));
    if (found == cell_of.end())
      fail(where, difference_from(plan, settings),
           "choose another --out, or --fresh, which keeps the old results beside it");
    if (lines[found->second] && !repeats)
      fail(where, "this cell was there before", "remove one of the two lines");
    lines[found->second] = line;
  }
  return lines;
}

// Throws Error when the table of a result has changed since.
void check_table(const Result& result) {
  const std::string &path = result.settings.dataset, &table = result.outcome.table;
  if (path.empty() || !file_exists(find_table(path))) return;
  if (const std::string& now = open_task(path).fingerprint; now != table)
    fail(result.where,
         text(path, " has changed since this cell was trained: it had ", table, ", and now has ", now),
         "choose another --out, or remove the folder");
}

auto result_lines(const std::string& folder, const std::vector<RunSettings>& plan) {
  if (has_checkpoint(folder))
    fail(folder, "it holds a run of `locus train`, which writes its results there", "choose another --out");
  finished_lines(timings_path(folder));
  return lines_by_cell(results_path(folder), plan, false, [](const Json& json, const std::string& where) {
    Result result = read_result(json, where);
    check_table(result);
    return result;
  });
}

auto curve_lines(const std::string& folder, const std::vector<RunSettings>& plan) {
  return lines_by_cell(curves_path(folder), plan, true, read_curve);
}

// Keeps the answers to as many inputs as fit, equally many in every line of the first seed that can have some: a
// text has none.
void cut_answers(std::vector<std::optional<std::string>>& lines) {
  std::vector<std::pair<std::size_t, Result>> found;  // by line
  std::size_t kept = shown_examples;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i]) continue;
    Result result = read_result(parse_json(*lines[i], "results"), "results");
    if (result.settings.train.seed != 1 || is_text_path(result.settings.dataset)) continue;
    std::size_t most = 0;
    for (const LengthScore& at : result.outcome.by_length) most = std::max(most, at.answers.size());
    kept = std::min(kept, most);
    found.emplace_back(i, std::move(result));
  }
  const auto bytes = [&] {
    std::size_t sum = 0;
    for (const auto& [line, result] : found)
      for (const LengthScore& at : result.outcome.by_length)
        for (std::size_t i = 0; i < std::min(kept, at.answers.size()); ++i)
          sum += to_string(Json(at.answers[i])).size() + 1;
    return sum;
  };
  while (bytes() > most_answer_bytes) --kept;
  for (auto& [line, result] : found) {
    bool longer = false;
    for (LengthScore& at : result.outcome.by_length) {
      longer |= at.answers.size() > kept;
      at.answers.resize(std::min(kept, at.answers.size()));
    }
    if (longer) lines[line] = to_string(locus::to_json(result));
  }
}

void order_file(const std::string& path, const std::vector<std::optional<std::string>>& lines) {
  std::string bytes;
  for (const auto& line : lines)
    if (line) bytes += *line + "\n";
  if (bytes != read_file(path)) write_file_atomically(path, bytes);
}

}  // namespace

double Curve::accuracy_at(double at) const {
  const auto next = std::ranges::upper_bound(step, at);
  return accuracy[as_size(std::max<std::ptrdiff_t>(next - step.begin() - 1, 0))];
}

bool add_probe(const Trainer& trainer, bool generates, Curve& curve, int steps_before) {
  if (!trainer.has_probed()) return false;
  const int step = steps_before + trainer.step();
  if (!curve.step.empty() && curve.step.back() == step) return false;
  curve.step.push_back(step);
  curve.loss.push_back(trainer.loss());
  curve.accuracy.push_back(trainer.probed().accuracy(generates));
  return true;
}

void save_curve(const std::string& folder, const CellCurve& curve) {
  if (curve.curve.step.empty()) return;
  write_file_atomically(curves_path(folder), to_string(to_json(curve)) + "\n");
}

Curve saved_curve(const std::string& folder, int steps) {
  const std::vector<Line> lines = finished_lines(curves_path(folder));
  if (lines.empty()) return {};
  const auto& [line, where] = lines.front();
  Curve curve = read_curve(parse_json(line, where), where).curve;
  const auto kept = as_size(std::ranges::upper_bound(curve.step, steps) - curve.step.begin());
  curve.step.resize(kept);
  curve.loss.resize(kept);
  curve.accuracy.resize(kept);
  return curve;
}

Results::Results(const std::string& folder, const std::vector<RunSettings>& plan)
    : plan_(plan),
      folder_(created(folder)),
      lock_(folder),
      results_(result_lines(folder, plan)),
      curves_(curve_lines(folder, plan)),
      only_results_(finished_lines(curves_path(folder)).empty() &&
                    finished_lines(timings_path(folder)).empty()),
      results_file_(results_path(folder)),
      curves_file_(curves_path(folder)),
      timings_file_(timings_path(folder)) {
  for (AppendFile* file : {&results_file_, &curves_file_, &timings_file_}) file->cut_unfinished_line();
}

void Results::add(std::size_t cell, const Result& result, const Curve& curve, const Duration& duration) {
  const std::string result_line = to_string(locus::to_json(result)),
                    curve_line = to_string(to_json(CellCurve{result.settings, curve})),
                    timing_line = to_string(to_json(CellDuration{result.settings, duration}));
  std::lock_guard lock(mutex_);
  if (done(cell)) return;  // only its model was missing
  timings_file_.append(timing_line);
  curves_file_.append(curve_line);
  curves_[cell] = curve_line;
  if (results_[cell]) return;  // only its curve was missing
  results_file_.append(result_line);
  results_[cell] = result_line;
}

void Results::add_from(const std::string& folder) {
  const Lines results = result_lines(folder, plan_), curves = curve_lines(folder, plan_),
              timings = lines_by_cell(timings_path(folder), plan_, true,
                                      [](const Json&json, const std::string&where) {
                                        return CellDuration{settings_from_json(json, where), {}};
                                      });
  for (std::size_t cell = 0; cell < plan_.size(); ++cell) {
    if (done(cell) || !results[cell] || !curves[cell]) continue;
    if (timings[cell]) timings_file_.append(*timings[cell]);
    curves_file_.append(*curves[cell]);
    curves_[cell] = curves[cell];
    if (results_[cell]) continue;  // only its curve was missing
    results_file_.append(*results[cell]);
    results_[cell] = results[cell];
  }
}

void Results::put_in_order() {
  cut_answers(results_);
  order_file(results_path(folder_), results_);
  order_file(curves_path(folder_), curves_);
}

std::string model_folder(const std::string& folder, const RunSettings& cell) {
  return text(folder, "/models/", run_name(cell));
}

Records read_records(const std::vector<std::string>& folders) {
  Records all;
  for (const std::string& folder : folders) {
    if (!file_exists(results_path(folder))) {
      require_folder(folder, "`locus ablate` and `locus train` say where they save results");
      const std::string inside = newest_folder_with(results_file, folder);
      fail(folder, "there is no results.jsonl in it",
           inside.empty() ? "give the folder of a `locus ablate` or `locus train` run"
                          : text("give a folder that has one, such as ", inside));
    }
    // The name of a model depends on its task, which may be a text or table that is no longer there.
    const bool keeps_models = file_exists(folder + "/models");
    for (const auto& [line, where] : finished_lines(results_path(folder))) {
      all.results.push_back(read_result(parse_json(line, where), where));
      if (!keeps_models) continue;
      const std::string model = model_folder(folder, all.results.back().settings);
      if (has_checkpoint(model)) all.models.push_back(model);
    }
    for (const auto& [line, where] : finished_lines(curves_path(folder)))
      all.curves.push_back(read_curve(parse_json(line, where), where));
    for (const auto& [line, where] : finished_lines(timings_path(folder))) {
      const Json json = parse_json(line, where);
      if (json.find("training_seconds"))  // older files have only the total
        all.durations.push_back(read_duration(json, where));
    }
  }
  if (all.results.empty())
    fail(folders.front(), "there are no results yet", "wait until the first cell is done");
  return all;
}

std::optional<Records> records_of_some(const std::string& folder, const std::vector<RunSettings>& cells) {
  if (has_checkpoint(folder) || finished_lines(results_path(folder)).size() <= cells.size()) return {};
  std::set<SettingsKey> wanted;
  for (const RunSettings& cell : cells) wanted.insert(settings_key(cell));
  Records records = read_records({folder});
  const auto unwanted = [&](const auto& one) { return !wanted.contains(settings_key(one.settings)); };
  std::erase_if(records.results, unwanted);
  std::erase_if(records.curves, unwanted);
  std::erase_if(records.durations, unwanted);
  if (records.results.size() < cells.size()) return {};
  for (const Result& result : records.results) check_table(result);
  return records;
}

}  // namespace locus
