#include "ablation/results.h"

#include <algorithm>
#include <map>

#include "ablation/plan.h"
#include "ablation/summary.h"
#include "base/error.h"
#include "train/checkpoint.h"

namespace locus {

namespace {

std::string results_path(const std::string& folder) { return folder + "/results.jsonl"; }
std::string curves_path(const std::string& folder) { return folder + "/curves.jsonl"; }
std::string timings_path(const std::string& folder) { return folder + "/timings.jsonl"; }

struct Line {
  std::string text, where;  // "runs/a/results.jsonl:12"
};

// The lines that end in a line break; none when there is no file. What follows the last one is an unfinished
// line, to be cut and done again, but only if it begins as our lines do: another's file is left alone.
std::vector<Line> finished_lines(const std::string& path) {
  constexpr std::string_view beginning = R"({"task":)";
  std::vector<Line> lines;
  if (!file_exists(path)) return lines;
  const std::string bytes = read_file(path);
  std::size_t start = 0;
  const auto where = [&] { return text(path, ":", lines.size() + 1); };
  for (std::size_t end; (end = bytes.find('\n', start)) != bytes.npos; start = end + 1)
    lines.push_back({bytes.substr(start, end - start), where()});
  if (!beginning.starts_with(std::string_view(bytes).substr(start, beginning.size())))
    fail(where(), "this is no line of a results file", "remove the file, or choose another folder");
  return lines;
}

const std::string& made(const std::string& folder) {
  create_folders(folder);
  return folder;
}

void refuse_single_run(const std::string& folder) {
  if (has_checkpoint(folder))
    fail(folder, "it holds a run of `locus train`, which writes its results there", "choose another --out");
}

// The line of every cell of the plan that has one. `check` throws when the rest of the line, besides its
// settings, cannot be read.
std::vector<std::optional<std::string>> lines_by_cell(const std::string& path,
                                                      const std::vector<RunSettings>& plan, bool repeats,
                                                      const auto& check) {
  std::vector<std::optional<std::string>> lines(plan.size());
  std::map<std::string, std::size_t> cell_of;
  for (std::size_t cell = 0; cell < plan.size(); ++cell) cell_of[cell_key(plan[cell])] = cell;
  for (const auto& [line, where] : finished_lines(path)) {
    const Json json = parse_json(line, where);
    const auto found = cell_of.find(cell_key(run_settings(json, where)));
    if (found == cell_of.end())
      fail(where, "this cell is not part of the experiment asked for",
           "choose another --out, or remove the folder");
    if (lines[found->second] && !repeats)
      fail(where, "this cell was there before", "remove one of the two lines");
    check(json, where);
    lines[found->second] = line;
  }
  return lines;
}

auto result_lines(const std::string& folder, const std::vector<RunSettings>& plan) {
  refuse_single_run(folder);
  finished_lines(timings_path(folder));
  return lines_by_cell(results_path(folder), plan, false, [](const Json& json, const std::string& where) {
    summarise({{json, where}});
  });
}

const char* const outcome_keys[] = {"parameters",     "steps",
                                    "steps_to_solve", "loss",
                                    "status",         "by_length",  // of a result
                                    "step",           "loss",
                                    "accuracy",  // of a curve
                                    "steps",          "training_seconds",
                                    "seconds"};  // of a timing

Json settings_of(const Json& line, std::string_view where) {
  Json settings;
  for (const auto& [name, value] : line.as_object(where, "a line"))
    if (std::ranges::find(outcome_keys, name) == std::end(outcome_keys)) settings.set(name, value);
  return settings;
}

Json curve_json(Json json, const Curve& curve) {
  json.set("step", Json::Array(curve.step.begin(), curve.step.end()));
  json.set("loss", Json::Array(curve.loss.begin(), curve.loss.end()));
  json.set("accuracy", Json::Array(curve.accuracy.begin(), curve.accuracy.end()));
  return json;
}

Curve read_curve(const Json& json, const std::string& where) {
  Curve curve;
  for (const Json& step : json.array("step", where))
    curve.step.push_back(static_cast<int>(step.as_integer(where, "step")));
  for (const Json& loss : json.array("loss", where)) curve.loss.push_back(loss.as_number(where, "loss"));
  for (const Json& accuracy : json.array("accuracy", where))
    curve.accuracy.push_back(accuracy.as_number(where, "accuracy"));
  if (curve.loss.size() != curve.step.size() || curve.accuracy.size() != curve.step.size())
    fail(where, text("'step', 'loss' and 'accuracy' hold ", curve.step.size(), ", ", curve.loss.size(),
                     " and ", curve.accuracy.size(), " numbers, and should hold as many"));
  return curve;
}

void order_file(const std::string& path, const std::vector<std::optional<std::string>>& lines) {
  std::string bytes;
  for (const auto& line : lines)
    if (line) bytes += *line + "\n";
  if (bytes != read_file(path)) write_file_atomically(path, bytes);
}

}  // namespace

Results::Results(const std::string& folder, const std::vector<RunSettings>& plan)
    : plan_(plan),
      folder_(made(folder)),
      lock_(folder),
      results_(result_lines(folder, plan)),
      curves_(lines_by_cell(curves_path(folder), plan, true, read_curve)),
      has_curves_(std::ranges::any_of(curves_, [](const auto& curve) { return curve.has_value(); })),
      results_file_(results_path(folder)),
      curves_file_(curves_path(folder)),
      timings_file_(timings_path(folder)) {
  for (AppendFile* file : {&results_file_, &curves_file_, &timings_file_}) file->cut_unfinished_line();
}

void Results::add(std::size_t cell, const Json& result, const Curve& curve, Duration duration) {
  const Json settings = settings_of(result, "result");
  Json timing = settings;
  timing.set("steps", *result.find("steps"));
  timing.set("training_seconds", duration.training);
  timing.set("seconds", duration.all);

  std::lock_guard lock(mutex_);
  timings_file_.append(to_string(timing));
  curves_[cell] = to_string(curve_json(settings, curve));
  curves_file_.append(*curves_[cell]);
  if (results_[cell]) return;  // only its curve was missing
  const std::string line = to_string(result);
  results_file_.append(line);
  results_[cell] = line;
}

void Results::take_over(const std::string& folder) {
  const Lines results = result_lines(folder, plan_),
              curves = lines_by_cell(curves_path(folder), plan_, true, read_curve),
              timings =
                  lines_by_cell(timings_path(folder), plan_, true, [](const Json&, const std::string&) {});
  for (std::size_t cell = 0; cell < plan_.size(); ++cell) {
    if (done(cell) || !results[cell]) continue;
    if (timings[cell]) timings_file_.append(*timings[cell]);
    if (curves[cell]) curves_file_.append(*curves[cell]);
    curves_[cell] = curves[cell];
    results_file_.append(*results[cell]);
    results_[cell] = results[cell];
  }
}

void Results::put_in_order() {
  order_file(results_path(folder_), results_);
  order_file(curves_path(folder_), curves_);
}

std::vector<Result> read_results(const std::string& folder) {
  if (!file_exists(results_path(folder)))
    fail(folder, "there is no results.jsonl in it",
         "give the folder of a `locus ablate` or `locus train` run");
  std::vector<Result> results;
  for (const auto& [line, where] : finished_lines(results_path(folder)))
    results.push_back({parse_json(line, where), where});
  return results;
}

std::string settings_text(const Json& line, std::string_view where, bool with_seed) {
  Json settings = settings_of(line, where);
  if (!with_seed) settings.set("seed", nullptr);
  return to_string(settings);
}

std::vector<CellCurve> read_curves(const std::string& folder) {
  std::vector<CellCurve> curves;
  for (const auto& [line, where] : finished_lines(curves_path(folder))) {
    const Json json = parse_json(line, where);
    curves.push_back(
        {settings_text(json, where, false), json.integer("seed", where), read_curve(json, where)});
  }
  return curves;
}

std::vector<CellDuration> read_durations(const std::string& folder) {
  std::vector<CellDuration> durations;
  for (const auto& [line, where] : finished_lines(timings_path(folder))) {
    const Json json = parse_json(line, where);
    if (!json.find("training_seconds")) continue;  // written before training was timed apart
    durations.push_back({settings_text(json, where, false),
                         static_cast<int>(json.integer("steps", where)),
                         {json.number("training_seconds", where), json.number("seconds", where)}});
  }
  return durations;
}

Records read_records(const std::vector<std::string>& folders) {
  Records all;
  const auto move_all = [](auto from, auto& to) { std::ranges::move(from, std::back_inserter(to)); };
  for (const std::string& folder : folders) {
    move_all(read_results(folder), all.results);
    move_all(read_curves(folder), all.curves);
    move_all(read_durations(folder), all.durations);
  }
  if (all.results.empty())
    fail(folders.front(), "there are no results yet", "wait until the first cell is done");
  return all;
}

}  // namespace locus
