#include "ablation/result_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "ablation/statistics.h"
#include "base/error.h"
#include "tasks/support/open_task.h"

namespace locus {

namespace {

// A row that is being made, and its results by seed.
struct Group {
  ResultRow row;
  std::map<long long, const Result*> results;
};

// The model of these settings, untrained; none where a scheme is not there.
std::unique_ptr<Model> model_of(const RunSettings& settings, const Task& task) {
  try {
    return make_model(settings.model, Batcher(task, settings.model.kind).task_shape());
  } catch (const UsageError&) {
    return nullptr;
  }
}

// Nothing of answers that are not generated, which are judged token by token, and where the task is not there.
std::optional<double> constant_answer(const Result& result, int length) {
  const Task* task = result.outcome.generates ? task_if_there(result.settings) : nullptr;
  if (!task || task->length_from(length) != length) return {};
  const auto tests = task->test_set(length, result.settings.test_examples);
  std::vector<Tokens> answers;
  for (const Example& example : tests) answers.push_back(example.target);
  std::ranges::sort(answers);
  std::ptrdiff_t most = 0;
  for (auto one = answers.begin(); one != answers.end();) {
    const auto end = std::upper_bound(one, answers.end(), *one);
    most = std::max(most, end - std::exchange(one, end));
  }
  return static_cast<double>(most) / static_cast<double>(tests.size());
}

ResultRow begin(const Result& result) {
  const auto& [settings, outcome, where] = result;
  ResultRow row{.task = settings.task,
                .scheme = settings.model.scheme,
                .model = to_string(settings.model.kind),
                .is_table = !settings.dataset.empty() && !is_text_path(settings.dataset),
                .parameters = outcome.parameters,
                .generates = outcome.generates,
                .is_text = !outcome.by_length.empty() && outcome.by_length.front().text.has_value(),
                .settings = settings};
  const Task* task = task_if_there(settings);
  const std::unique_ptr<Model> model = task ? model_of(settings, *task) : nullptr;
  for (const LengthScore& at : outcome.by_length) {
    const bool exists = model && task->length_from(at.length) == at.length;
    const ModelCeilings ceilings = exists ? ceilings_of(*model, *task, at.length) : ModelCeilings{};
    row.by_length.push_back({.length = at.length,
                             .trained = settings.trains_at(at.length),
                             .token_accuracy = {},
                             .exact_match = {},
                             .order_blind_ceiling = at.order_blind_ceiling,
                             .examples = static_cast<double>(at.score.examples),
                             .no_input_baseline = at.no_input_baseline,
                             .mirror_blind_ceiling = ceilings.mirror_blind,
                             .window_ceiling = ceilings.window,
                             .constant_answer = constant_answer(result, at.length)});
  }
  return row;
}

// A seed without a loss is NaN, so that the losses are in the order of the seeds.
void add_text(const LengthScore& score, RowAtLength& at) {
  if (score.text && !at.text) {  // the first seed with a loss
    at.text = {.loss = {}, .sliding = {}, .by_position = {}, .levels = *score.text};
    at.text->loss.assign(at.token_accuracy.size() - 1, NAN);
    at.text->sliding = at.text->loss;
  }
  if (!at.text) return;
  const TextLoss loss = score.score.text.value_or(TextLoss{NAN, NAN, {}});
  at.text->loss.push_back(loss.loss);
  at.text->sliding.push_back(loss.sliding);
  at.text->by_position.resize(std::max(at.text->by_position.size(), loss.by_position.size()));
  for (std::size_t i = 0; i < loss.by_position.size(); ++i) at.text->by_position[i] += loss.by_position[i];
}

void take_means(ResultRow& row) {
  for (RowAtLength& at : row.by_length)
    if (at.text)
      for (double& loss : at.text->by_position)
        loss /= static_cast<double>(
            std::ranges::count_if(at.text->loss, [](double l) { return !std::isnan(l); }));
}

void add(const Result& result, ResultRow& row) {
  const Outcome& outcome = result.outcome;
  row.seed.push_back(static_cast<long long>(result.settings.train.seed));
  if (outcome.steps_to_solve) row.steps_to_solve.push_back(*outcome.steps_to_solve);
  row.diverged += outcome.status == TrainStatus::diverged;
  row.memorised += outcome.status == TrainStatus::memorised;
  row.steps.push_back(result.settings.train.stop_when_solved ? outcome.steps_to_solve.value_or(outcome.steps)
                                                             : outcome.steps);
  if (outcome.rows) row.rows.push_back(*outcome.rows);
  if (!outcome.curve.step.empty()) row.curves.push_back(outcome.curve);
  if (outcome.training_seconds > 0) row.timed_steps += outcome.steps;
  row.training_seconds += outcome.training_seconds;
  for (std::size_t l = 0; l < row.by_length.size(); ++l) {
    const LengthScore& at = outcome.by_length[l];
    if (at.score.examples != row.by_length[l].examples ||
        at.order_blind_ceiling != row.by_length[l].order_blind_ceiling)
      fail(result.where,
           str("at length ", at.length, " it has ", at.score.examples, " examples and the ceiling ",
               at.order_blind_ceiling ? str(*at.order_blind_ceiling) : "null",
               "; another seed of this row has others"),
           "results of different tests cannot be put together");
    row.by_length[l].token_accuracy.push_back(outcome.by_length[l].score.token_accuracy);
    row.by_length[l].exact_match.push_back(outcome.by_length[l].score.exact_match);
    add_text(at, row.by_length[l]);
    if (row.by_length[l].answers.empty()) row.by_length[l].answers = outcome.by_length[l].answers;
  }
}

// Divides rows that have twice as many seeds as other schemes on the same task, and at least two more.
std::vector<Group> with_extra_seeds_apart(const std::vector<Group>& groups) {
  std::vector<Group> apart;
  for (const auto& [row, results] : groups) {
    std::set<long long> of_others;
    for (const auto& [other, other_results] : groups)
      if (other.task == row.task && other.model == row.model && other.scheme != row.scheme)
        for (const auto& [seed, result] : other_results) of_others.insert(seed);
    Group first{row, {}}, again{row, {}};
    again.row.again = true;
    for (const auto& [seed, result] : results)
      (of_others.contains(seed) ? first : again).results.emplace(seed, result);
    if (again.results.size() > 1 && first.results.size() == again.results.size())
      apart.insert(apart.end(), {first, again});
    else
      apart.push_back({row, results});
  }
  return apart;
}

// The value of a setting as the name of a row has it: "" where it says nothing about that row.
std::string variant_value(const Setting& setting, const RunSettings& settings) {
  const std::string_view name = setting.name;
  if (name == "trained_as" && settings.trained_as == settings.model.scheme) return "";
  if (name == "recalibrate_lr" && settings.recalibrate == 0) return "";
  const std::string value = value_text(setting, settings);
  if (name == "from" && value.empty()) return "none";
  return setting.role.omitted_at_default && value == setting.print({}) ? "" : value;
}

// An inner width of 4 x d_model follows from the width, and is not worth naming beside it.
bool has_usual_d_ff(const ResultRow* row) {
  const ModelSettings& model = row->settings.model;
  return is_recurrent(model.kind) || model.d_ff == 4 * model.d_model;
}

// Whether rows of one width have one number of heads, which is then not worth naming beside the width.
bool have_usual_heads(const std::vector<ResultRow*>& rows) {
  std::map<int, int> heads;  // by width
  return std::ranges::all_of(rows, [&](const ResultRow* row) {
    const ModelSettings& model = row->settings.model;
    return heads.try_emplace(model.d_model, model.heads).first->second == model.heads;
  });
}

// Adds a setting to the names of these rows, if they differ in it.
void name_setting(const Setting& setting, const std::vector<ResultRow*>& rows) {
  std::set<std::string> different;
  for (const ResultRow* row : rows) different.insert(variant_value(setting, row->settings));
  if (std::string_view(setting.name) == "recalibrate_lr") different.erase("");  // of rows without such steps
  if (different.size() < 2) return;
  for (ResultRow* row : rows)
    if (const std::string value = variant_value(setting, row->settings); !value.empty())
      row->variant += str(row->variant.empty() ? "" : " ", setting.name, "=", value);
}

// Names the settings in which rows with the same task, scheme and model differ; the learning rate last, and only if
// some rows differ in nothing else.
void name_variants(const std::vector<ResultRow*>& rows) {
  const bool usual_d_ff = std::ranges::all_of(rows, has_usual_d_ff), usual_heads = have_usual_heads(rows);
  for (const Setting& setting : all_settings()) {
    const std::string_view name = setting.name;
    const bool needs_no_word =
        name == "learning_rate" || (usual_d_ff && name == "d_ff") || (usual_heads && name == "heads");
    if (!setting.role.is_seed && !needs_no_word) name_setting(setting, rows);
  }
  std::set<std::pair<std::string, bool>> names;
  for (const ResultRow* row : rows) names.emplace(row->variant, row->again);
  if (names.size() < rows.size()) name_setting(find_setting("--lr"), rows);
}

// What to do about a cell that is there twice. `where` is FILE:LINE.
std::string hint_for_twice(const Result& result, const Result& first) {
  const auto file_of = [](const Result& one) { return one.where.substr(0, one.where.rfind(':')); };
  if (file_of(result) != file_of(first)) return "both folders hold this experiment: give one of them";
  return result.where == first.where ? "give each folder once" : "remove one of the two lines";
}

// Perplexities of one text can be compared only when it was cut into the same tokens, and scored on the same windows.
void check_reading(const Result& result, const Result& first) {
  for (const char* option : {"--tokens", "--min-count", "--test-examples"}) {
    const Setting& setting = find_setting(option);
    const std::string here = value_text(setting, result.settings),
                      there = value_text(setting, first.settings);
    if (here != there)
      fail(result.where,
           str("the text '", result.settings.task, "' was read with ", option, ' ', here, " here and with ",
               option, ' ', there, first.where.empty() ? "" : str(" in ", first.where),
               ": their perplexities cannot be compared"),
           str("make one report for each ", option));
  }
}

}  // namespace

std::vector<double> ResultRow::measure(const RowAtLength& at) const {
  if (!is_text) return accuracy(at);
  std::vector<double> negative(seed.size(), NAN);
  for (std::size_t i = 0; at.text && i < negative.size(); ++i) negative[i] = -at.text->loss[i];
  return negative;
}

std::string ResultRow::shown_scheme() const {
  const Spec& trained = settings.trained_as;
  return scheme == "none" && !trained.empty() && trained != "none" ? str(trained, ", taken away") : scheme;
}

std::string ResultRow::name(bool with_width) const {
  std::string more = variant;
  const auto replace = [&](const std::string& part, const std::string& by) {
    if (const std::size_t at = more.find(part); at != more.npos) more.replace(at, part.size(), by);
  };
  const int width = settings.model.d_model;
  replace(str("d_model=", width), with_width ? str("width ", width) : "");
  const std::string shown = shown_scheme();
  if (shown != scheme) replace(str("trained_as=", settings.trained_as), "");
  std::string told;
  for (const std::string& word : split(more, ' '))
    if (!word.empty()) told += str(told.empty() ? "" : " ", word);
  if (again) told += told.empty() ? "again" : ", again";
  return told.empty() ? shown : str(shown, " (", told, ')');
}

std::vector<ResultRow> summarise(const Records& records) {
  std::vector<Group> groups;
  std::map<SettingsKey, std::size_t> index_of;
  std::map<std::string, std::string> tables;
  std::map<std::pair<std::string, ModelKind>, const Result*> texts;
  for (const Result& result : records.results) {
    if (const std::string& table = result.outcome.table; !table.empty())
      if (const auto& [task, first] = *tables.try_emplace(result.settings.task, table).first; first != table)
        fail(result.where, str("the table '", task, "' had ", table, ", and ", first, " in cells before"),
             "results on different tables cannot be put together");
    if (is_text_path(result.settings.dataset))
      check_reading(
          result,
          *texts.try_emplace({result.settings.task, result.settings.model.kind}, &result).first->second);
    const auto [found, is_new] = index_of.try_emplace(group_key(result.settings), groups.size());
    if (is_new) groups.push_back({begin(result), {}});
    const auto seed = static_cast<long long>(result.settings.train.seed);
    if (const auto& [at, is_first] = groups[found->second].results.try_emplace(seed, &result); !is_first)
      fail(result.where, str("this cell was there before, in ", at->second->where),
           hint_for_twice(result, *at->second));
  }
  groups = with_extra_seeds_apart(groups);

  std::vector<ResultRow> rows;
  for (auto& [row, results] : groups) {
    for (const auto& [seed, result] : results) add(*result, row);
    take_means(row);
    rows.push_back(std::move(row));
  }
  std::map<std::vector<std::string>, std::vector<ResultRow*>> alike;
  for (ResultRow& row : rows) alike[{row.task, row.scheme, row.model}].push_back(&row);
  for (const auto& [names, same] : alike) name_variants(same);
  return rows;
}

std::vector<const Setting*> settings_apart(const ResultRow& row, const ResultRow& other) {
  const auto training_scheme = [](const ResultRow& one) {
    return one.settings.trained_as.empty() ? one.settings.model.scheme : one.settings.trained_as;
  };
  const bool usual_d_ff = has_usual_d_ff(&row) && has_usual_d_ff(&other),
             one_training = training_scheme(row) == training_scheme(other);
  std::vector<const Setting*> apart;
  for (const Setting& setting : all_settings()) {
    const std::string_view name = setting.name;
    if (setting.role.in_every_row || (usual_d_ff && name == "d_ff") || (one_training && name == "trained_as"))
      continue;
    if (variant_value(setting, row.settings) != variant_value(setting, other.settings))
      apart.push_back(&setting);
  }
  return apart;
}

double mean_accuracy(const std::vector<Curve>& curves, double step) {
  std::vector<double> values;
  for (const Curve& curve : curves) values.push_back(curve.accuracy_at(step));
  return mean(values);
}

std::string rows_text(const ResultRow& row) {
  if (row.rows.empty()) return "";
  TableValidation sum{0, 0};
  for (const TableValidation& one : row.rows) {
    sum.trained_on += one.trained_on;
    sum.kept += one.kept;
  }
  const auto seeds = static_cast<double>(row.rows.size());
  return to_string(TableValidation{sum.trained_on / seeds, sum.kept / seeds});
}

RowAtLength all_lengths(const ResultRow& row) {
  RowAtLength all{0, true, std::vector<double>(row.seed.size()), {}, 0.0, 0, 0.0};
  all.exact_match = all.token_accuracy;
  all.mirror_blind_ceiling = all.window_ceiling = all.constant_answer = 0.0;
  for (const RowAtLength& at : row.by_length) all.examples += at.examples;
  const auto add_part = [](std::optional<double>& sum, std::optional<double> value, double weight) {
    sum = sum && value ? std::optional(*sum + weight * *value) : std::nullopt;
  };
  for (const RowAtLength& at : row.by_length) {
    const double weight = at.examples / all.examples;
    for (std::size_t seed = 0; seed < at.token_accuracy.size(); ++seed) {
      all.token_accuracy[seed] += weight * at.token_accuracy[seed];
      all.exact_match[seed] += weight * at.exact_match[seed];
    }
    add_part(all.order_blind_ceiling, at.order_blind_ceiling, weight);
    add_part(all.no_input_baseline, at.no_input_baseline, weight);
    add_part(all.mirror_blind_ceiling, at.mirror_blind_ceiling, weight);
    add_part(all.window_ceiling, at.window_ceiling, weight);
    add_part(all.constant_answer, at.constant_answer, weight);
  }
  for (auto* accuracies : {&all.token_accuracy, &all.exact_match})
    for (double& accuracy : *accuracies) accuracy = std::min(accuracy, 1.0);  // the weights are rounded
  return all;
}

}  // namespace locus
