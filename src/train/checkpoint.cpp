#include "train/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/size.h"
#include "io/file.h"
#include "tasks/support/open_task.h"
#include "tasks/support/table.h"
#include "tasks/support/text_task.h"
#include "train/result.h"

namespace locus {

namespace {

constexpr const char *optimizer_mean = "optimizer.mean", *optimizer_square = "optimizer.square";

constexpr const char* model_file = "model.safetensors";
std::string checkpoint_path(const std::string& folder) { return str(folder, '/', model_file); }

std::vector<std::size_t> sizes(const Shape& shape) {
  std::vector<std::size_t> sizes;
  for (int axis = 0; axis < shape.rank(); ++axis) sizes.push_back(as_size(shape[axis]));
  return sizes;
}

// What the model needs of its task.
void read_task(const SafetensorsFile& file, Checkpoint& checkpoint) {
  const auto& [where, metadata, tensors] = file;
  const std::string& form = file.metadata_value("form");
  const auto found_form = std::ranges::find(all_forms, form, [](Form f) { return to_string(f); });
  if (found_form == std::end(all_forms)) fail(where, str("a task cannot have the form '", form, "'"));
  checkpoint.form = *found_form;
  const Json vocabulary = parse_json(file.metadata_value("vocabulary"), where);
  for (const Json& name : vocabulary.as_array(where, "vocabulary"))
    checkpoint.alphabet.push_back(name.as_string(where, "vocabulary"));
  if (generates(checkpoint.settings.model.kind, checkpoint.form)) {
    if (checkpoint.alphabet.size() < marks) fail(where, "'vocabulary' has no BOS, SEP and EOS");
    checkpoint.alphabet.resize(checkpoint.alphabet.size() - marks);
  }
  if (checkpoint.alphabet.empty()) fail(where, "'vocabulary' is empty");
  if (const auto found = metadata.find("table"); found != metadata.end()) checkpoint.table = found->second;
}

}  // namespace

bool has_checkpoint(const std::string& folder) { return file_exists(checkpoint_path(folder)); }

void save_checkpoint(const std::string& folder, const Run& run, const Trainer::State& state) {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, where, initial] : run.model().parameters().entries())
    tensors.push_back(
        {name, sizes(where.shape), std::span(state.parameters).subspan(where.offset, where.shape.count())});
  tensors.push_back({optimizer_mean, {state.optimizer.mean.size()}, state.optimizer.mean});
  tensors.push_back({optimizer_square, {state.optimizer.square.size()}, state.optimizer.square});
  const std::vector<std::string>& names = run.batcher().names();
  Metadata metadata{{"format", "locus"},
                    {"settings", to_string(to_json(run.settings()))},
                    {"vocabulary", to_string(Json::Array(names.begin(), names.end()))},
                    {"form", to_string(run.task().form)},
                    {"step", str(state.step)},
                    {"steps_to_solve", str(state.steps_to_solve)},
                    {"loss", str(state.loss)},
                    {"status", to_string(state.status)}};
  if (!run.task().fingerprint.empty()) metadata["table"] = run.task().fingerprint;
  if (!state.curve.step.empty()) metadata["curve"] = to_string(to_json(state.curve));
  write_safetensors(checkpoint_path(folder), tensors, metadata);
}

std::string newest_run(const std::string& folder, const std::string& except) {
  return newest_folder_with(model_file, folder, except);
}

Checkpoint read_checkpoint(const std::string& folder) {
  const std::string path = checkpoint_path(folder);
  if (!has_checkpoint(folder)) {
    require_folder(folder, "`locus train` says where it saves a model");
    if (const std::string inside = newest_run(folder); !inside.empty())
      fail(folder, "there is no model.safetensors in it",
           str("give the folder of one run, such as ", inside));
    if (file_exists(folder + "/results.jsonl"))
      fail(folder, "it holds an ablation, whose models were not kept",
           "`locus ablate --keep` keeps them; `locus train` trains one");
    fail(folder, "there is no model.safetensors in it", "give the folder of a `locus train` run");
  }
  SafetensorsFile file = read_safetensors(path);
  if (!file.metadata.contains("settings") || !file.metadata.contains("format") ||
      file.metadata["format"] != "locus")
    fail(path, "it was not written by Locus: its metadata has no settings",
         "give the folder of a `locus train` run");
  Checkpoint checkpoint{.settings = settings_from_json(parse_json(file.metadata["settings"], path), path),
                        .form = {},
                        .file = {}};
  read_task(file, checkpoint);
  try {
    check(checkpoint.settings.model, {.vocabulary = 1, .generates = true});
  } catch (const UsageError& error) {  // a damaged file, not a mistyped command
    fail(path, str("its settings make no sense: ", error.what()));
  }
  checkpoint.file = std::move(file);
  return checkpoint;
}

void require_table(const std::string& where, const RunSettings& settings) {
  const bool is_text = is_text_path(settings.dataset);
  if ((is_text || is_table_path(settings.dataset)) && !file_exists(find_table(settings.dataset)))
    fail(where, str("its ", is_text ? "text " : "table ", settings.dataset, " is not there"),
         str("say where it is now: --dataset FILE", is_text ? ".txt" : ".tsv"));
}

// A table or text that has not changed since training has the words that the model was trained on, in their order.
static void require_vocabulary(const Checkpoint& checkpoint, const RunSettings& settings, const Task& task) {
  if (checkpoint.table.empty() || task.fingerprint != checkpoint.table) return;
  const auto* text = dynamic_cast<const TextTask*>(&task);
  if (checkpoint.alphabet != (text ? text->of_file : task_of(settings).alphabet))
    fail(checkpoint.file.where, str("its vocabulary is not that of '", task.name, "', which has not changed"),
         "the model file was changed after training: bring the old one back, or train a new model");
}

Run run_of(const Checkpoint& checkpoint, const RunSettings& settings) {
  const std::string& where = checkpoint.file.where;
  require_table(where, settings);
  const Task& task = task_of(settings, checkpoint.alphabet);
  if (task.form != checkpoint.form)
    fail(where, str("the model was trained for ", checkpoint.form, ", and '", task.name, "' is ", task.form),
         "give a task of the same form");
  require_vocabulary(checkpoint, settings, task);
  try {
    return Run(complete(settings), checkpoint.alphabet);
  } catch (const UsageError& error) {
    if (difference(settings, checkpoint.settings)) throw;
    fail(where,
         str(task_change(checkpoint, task).empty() ? "its settings make no sense" : "its table has changed",
             ": ", error.what()));
  }
}

std::string task_change(const Checkpoint& checkpoint, const Task& task) {
  if (task.fingerprint == checkpoint.table) return "";
  if (checkpoint.table.empty())
    return str("the run was trained on '", checkpoint.settings.task, "', not on the table '", task.name, "'");
  if (task.form == Form::text)
    return str("the text '", task.name, "' has changed since training: it had ", checkpoint.table,
               ", and now has ", task.fingerprint);
  return str("the table '", task.name, "' has changed since training: it had ", checkpoint.table,
             ", and now has ", task.fingerprint, "; its words are read as the model knows them, by name");
}

std::string not_finite(const Checkpoint& checkpoint) {
  for (const auto& [name, tensor] : checkpoint.file.tensors) {
    const auto count = std::ranges::count_if(tensor.values, [](Real value) { return !std::isfinite(value); });
    if (count > 0)
      return str(checkpoint.file.where, ": ", count, " of the ", tensor.values.size(), " numbers in '", name,
                 "' are not finite");
  }
  return "";
}

Reals checkpoint_parameters(const Checkpoint& checkpoint, const Model& model) {
  const SafetensorsFile& file = checkpoint.file;
  const auto& entries = model.parameters().entries();
  const std::string& trained = checkpoint.settings.model.scheme;
  const std::string hint = model.settings().scheme == trained
                               ? ""
                               : str("the run was trained with '", trained, "'; '", model.settings().scheme,
                                     "' can replace it only if it has the same parameters");
  Reals values;  // grows with what the file holds, not with what its settings promise
  for (const auto& [name, where, initial] : entries) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end())
      fail(file.where, str("it holds no tensor '", name, "', which the model has"), hint);
    if (found->second.shape != sizes(where.shape))
      fail(file.where,
           str("tensor '", name, "' is ", shape_text(found->second.shape), ", the model's is ", where.shape),
           hint);
    values.resize(std::max(values.size(), where.offset + where.shape.count()));
    std::ranges::copy(found->second.values, values.begin() + static_cast<std::ptrdiff_t>(where.offset));
  }
  for (const auto& [name, tensor] : file.tensors)
    if (name != optimizer_mean && name != optimizer_square &&
        !std::ranges::count(entries, name, &ParameterTable::Entry::name))
      fail(file.where, str("it holds a tensor '", name, "', which the model has not"), hint);
  values.resize(model.parameters().count());
  return values;
}

Trainer::State checkpoint_state(const Checkpoint& checkpoint, const Run& run) {
  const SafetensorsFile& file = checkpoint.file;
  Trainer::State state;
  state.parameters = checkpoint_parameters(checkpoint, run.model());
  auto moments = [&](const char* name) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end() || found->second.values.size() != state.parameters.size())
      fail(file.where, str("it holds no tensor '", name, "' with an element for each of the model's ",
                           state.parameters.size(), " parameters"));
    return found->second.values;
  };
  state.optimizer = {moments(optimizer_mean), moments(optimizer_square)};

  const auto number = [&](const std::string& key) {
    return parse_json(file.metadata_value(key), file.where);
  };
  const int steps = run.settings().train.steps + run.settings().recalibrate;
  state.step = integer_in(number("step"), file.where, "step", 0, steps);
  state.steps_to_solve = integer_in(number("steps_to_solve"), file.where, "steps_to_solve", 0, state.step);
  state.loss = number("loss").as_number(file.where, "loss");
  state.status = parse_train_status(file.metadata_value("status"), file.where);
  if (file.metadata.contains("curve")) state.curve = read_curve(number("curve"), file.where);
  if (!state.curve.step.empty() && state.curve.step.back() > state.step)
    fail(file.where,
         str("'curve' goes on to step ", state.curve.step.back(), ", and 'step' is ", state.step));
  if (state.status == TrainStatus::running && state.step == steps)
    fail(file.where, str("'status' is running, but all ", state.step, " steps are done"));
  return state;
}

}  // namespace locus
