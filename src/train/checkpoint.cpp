#include "train/checkpoint.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace locus {

namespace {

constexpr const char *optimizer_mean = "optimizer.mean", *optimizer_square = "optimizer.square";

std::string checkpoint_path(const std::string& folder) { return folder + "/model.safetensors"; }

std::vector<std::size_t> sizes(const Shape& shape) {
  std::vector<std::size_t> sizes;
  for (int axis = 0; axis < shape.rank(); ++axis) sizes.push_back(static_cast<std::size_t>(shape[axis]));
  return sizes;
}

}  // namespace

bool has_checkpoint(const std::string& folder) {
  std::error_code ignored;  // a path that cannot be looked at holds nothing for us
  return std::filesystem::exists(checkpoint_path(folder), ignored);
}

void save_checkpoint(const std::string& folder, const Run& run, const Trainer::State& state) {
  std::vector<NamedTensor> tensors;
  for (const auto& [name, where, initial] : run.model().parameters().entries())
    tensors.push_back(
        {name, sizes(where.shape), std::span(state.parameters).subspan(where.offset, where.shape.count())});
  tensors.push_back({optimizer_mean, {state.optimizer.mean.size()}, state.optimizer.mean});
  tensors.push_back({optimizer_square, {state.optimizer.square.size()}, state.optimizer.square});
  write_safetensors(checkpoint_path(folder), tensors,
                    {{"format", "locus"},
                     {"settings", to_string(to_json(run.settings()))},
                     {"step", text(state.step)},
                     {"steps_to_solve", text(state.steps_to_solve)},
                     {"loss", text(state.loss)},
                     {"status", to_string(state.status)}});
}

Checkpoint read_checkpoint(const std::string& folder) {
  const std::string path = checkpoint_path(folder);
  if (!has_checkpoint(folder))
    fail(folder, "there is no model.safetensors in it", "give the folder of a `locus train` run");
  SafetensorsFile file = read_safetensors(path);
  if (!file.metadata.contains("settings") || !file.metadata.contains("format") ||
      file.metadata["format"] != "locus")
    fail(path, "it was not written by Locus: its metadata has no settings",
         "give the folder of a `locus train` run");
  const RunSettings settings = run_settings(parse_json(file.metadata["settings"], path), path);
  return {settings, std::move(file)};
}

Trainer::State checkpoint_state(const Checkpoint& checkpoint, const Run& run) {
  constexpr std::string_view other_scheme = "was it trained with another scheme?";
  const SafetensorsFile& file = checkpoint.file;
  const ParameterTable& table = run.model().parameters();
  auto values = [&](std::string_view name,
                    const std::vector<std::size_t>& shape) -> const std::vector<Real>& {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end())
      fail(file.where, text("it holds no tensor '", name, "', the model does"), other_scheme);
    if (found->second.shape != shape)
      fail(file.where, text("tensor '", name, "' has another shape than the model's"), other_scheme);
    return found->second.values;
  };
  Trainer::State state;
  state.parameters.resize(table.count());
  for (const auto& [name, where, initial] : table.entries())
    std::ranges::copy(values(name, sizes(where.shape)),
                      state.parameters.begin() + static_cast<std::ptrdiff_t>(where.offset));
  if (file.tensors.size() != table.entries().size() + 2)
    fail(file.where,
         text("it holds ", file.tensors.size(), " tensors, the model has ", table.entries().size() + 2),
         other_scheme);
  state.optimizer = {values(optimizer_mean, {table.count()}), values(optimizer_square, {table.count()})};

  auto number = [&](const std::string& key) { return parse_json(file.metadata_value(key), file.where); };
  auto step = [&](const std::string& key, int most) {
    const long long value = number(key).as_integer(file.where, key);
    if (value < 0 || value > most)
      fail(file.where, text("'", key, "' should be from 0 to ", most, ", is ", value));
    return static_cast<int>(value);
  };
  state.step = step("step", run.settings().train.steps);
  state.steps_to_solve = step("steps_to_solve", state.step);
  state.loss = number("loss").as_number(file.where, "loss");
  state.status = parse_train_status(file.metadata_value("status"), file.where);
  return state;
}

}  // namespace locus
