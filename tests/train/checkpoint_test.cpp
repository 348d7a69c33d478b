#include "train/checkpoint.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <regex>

#include "../support/errors.h"
#include "../support/full_disk.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"

using namespace locus;

namespace {

// A trained run in a folder, with its checkpoint there.
struct Saved {
  explicit Saved(const RunSettings& settings = tiny_settings("before", "learned")) : training(settings) {
    training.steps(3);
    save_checkpoint(folder.path, training.run, training.trainer.state());
  }

  std::string path() const { return folder / "model.safetensors"; }

  // What is said when another run is to go on from this checkpoint.
  std::string error_for(const RunSettings& settings) const {
    return without_path(error_of([&] { checkpoint_state(read_checkpoint(folder.path), Run(settings)); }));
  }
  // The same for this run, from these bytes.
  std::string error_from(const std::string& bytes) const {
    write_file_atomically(path(), bytes);
    return error_for(training.run.settings());
  }
  // The same when the file held other tensors or metadata.
  std::string error_when(const std::function<void(std::vector<NamedTensor>&, Metadata&)>& change) const {
    const SafetensorsFile file = read_safetensors(path());
    std::vector<NamedTensor> tensors;
    for (const auto& [name, tensor] : file.tensors) tensors.push_back({name, tensor.shape, tensor.values});
    Metadata metadata = file.metadata;
    change(tensors, metadata);
    const std::string whole = read_file(path());
    const std::string error = error_from(safetensors_bytes(tensors, metadata));
    write_file_atomically(path(), whole);
    return error;
  }

  TemporaryFolder folder;
  Training training;

 private:
  std::string without_path(std::string error) const {
    for (const std::string& where : {path(), folder.path})
      if (const auto at = error.find(where); at != std::string::npos)
        error.replace(at, where.size(), where == path() ? "FILE" : "DIR");
    return error;
  }
};

NamedTensor& named(std::vector<NamedTensor>& tensors, const std::string& name) {
  for (NamedTensor& tensor : tensors)
    if (tensor.name == name) return tensor;
  FAIL("no tensor " << name);
  return tensors.front();
}

}  // namespace

TEST_CASE("checkpoint: settings and state come back as they were") {
  for (const ModelKind kind : all_model_kinds) {
    const Saved saved(tiny_settings("sort", is_recurrent(kind) ? "learned" : "learned+t5", kind));
    const Checkpoint checkpoint = read_checkpoint(saved.folder.path);
    CHECK(to_json(checkpoint.settings) == to_json(saved.training.run.settings()));
    const Trainer::State state = checkpoint_state(checkpoint, Run(checkpoint.settings)),
                         &expected = saved.training.trainer.state();
    CHECK(state.parameters == expected.parameters);
    CHECK(state.optimizer.mean == expected.optimizer.mean);
    CHECK(state.optimizer.square == expected.optimizer.square);
    CHECK(state.step == 3);
    CHECK(state.steps_to_solve == expected.steps_to_solve);
    CHECK(state.loss == expected.loss);
    CHECK(state.status == TrainStatus::running);
  }
}

TEST_CASE("checkpoint: other tools find every parameter by name, and the settings as text") {
  const Saved saved;
  const SafetensorsFile file = read_safetensors(saved.path());
  CHECK(file.tensors.at("embedding").shape == std::vector<std::size_t>{10, 8});
  CHECK(file.tensors.at("layer0.attention.query.weight").shape == std::vector<std::size_t>{8, 8});
  CHECK(file.metadata_value("format") == "locus");
  CHECK(file.metadata_value("step") == "3");
  CHECK(parse_json(file.metadata_value("settings"), "").string("scheme", "") == "learned");
}

TEST_CASE(
    "checkpoint: it holds the names of all tokens, the form of the answers and the table's fingerprint") {
  const Saved table(tiny_table_settings("datasets/before_after.tsv"));
  const Task& task = table.training.run.task();
  SafetensorsFile file = read_safetensors(table.path());
  CHECK(file.metadata_value("vocabulary").starts_with(R"(["after","before","comes","concert")"));
  CHECK(file.metadata_value("form") == "classification");
  CHECK(file.metadata_value("table") == task.fingerprint);
  Checkpoint checkpoint = read_checkpoint(table.folder.path);
  CHECK(checkpoint.alphabet == task.alphabet);
  CHECK(checkpoint.form == Form::classification);
  CHECK(checkpoint.table == task.fingerprint);

  const Saved decoder(tiny_settings("unique", "none", ModelKind::decoder));
  file = read_safetensors(decoder.path());
  CHECK(file.metadata_value("vocabulary") ==
        R"(["0","1","2","3","4","5","6","7","8","9","BOS","SEP","EOS"])");
  CHECK_FALSE(file.metadata.contains("table"));
  checkpoint = read_checkpoint(decoder.folder.path);
  CHECK(checkpoint.alphabet == decoder.training.run.task().alphabet);
  CHECK(checkpoint.form == Form::generation);
}

TEST_CASE("checkpoint: a table that changed is read by the names of its words, and the change is said") {
  const TemporaryFolder folder;
  const std::string path = folder / "table.tsv", rows = read_file("datasets/before_after.tsv");
  const auto rows_without = [&](const std::string& word) {
    std::string others;
    for (const std::string& line : split(rows, '\n'))
      if (!line.empty() && line.find(word) == line.npos) others += line + "\n";
    return others;
  };
  const Saved saved(tiny_table_settings("datasets/before_after.tsv"));
  const Checkpoint checkpoint = read_checkpoint(saved.folder.path);
  RunSettings settings = checkpoint.settings;
  const auto score_of = [&](const Run& run, int length) {
    Pool pool(1);
    return evaluate(run.model(), checkpoint_state(checkpoint, run).parameters.data(), run.batcher(),
                    run.task().test_set(length, 1000), run.draws_at(length), pool);
  };

  // The words of a copy and of a part of the table have the ids of the whole.
  settings.dataset = folder / "copy.tsv";
  write_file_atomically(settings.dataset, "# moved\n" + rows);
  const Run copy = run_of(checkpoint, settings);
  CHECK(task_change(checkpoint, copy.task()) == "");
  CHECK(copy.settings().task == "copy");

  settings.dataset = folder / "part.tsv";
  write_file_atomically(settings.dataset, rows_without("concert"));  // a word early in the alphabet
  const Run part = run_of(checkpoint, settings);
  CHECK(part.task().alphabet == copy.task().alphabet);
  CHECK(task_change(checkpoint, part.task()) ==
        str("the table 'part' has changed since training: it had ", checkpoint.table, ", and now has ",
            part.task().fingerprint, "; its words are read as the model knows them, by name"));
  const int length = settings.test_lengths.front();
  int right = 0;
  for (const Example& example : copy.task().test_set(length, 1000))
    if (spell(copy.task(), example.input).find("concert") == std::string::npos)
      right += answer_of(copy.model(), saved.training.trainer.parameters().data(), example.input) ==
               example.target;
  const Score score = score_of(part, length);
  CHECK(right > 0);
  CHECK(score.token_accuracy == doctest::Approx(static_cast<double>(right) / score.examples));

  // A word that the model does not know is refused.
  settings.dataset = folder / "renamed.tsv";
  write_file_atomically(settings.dataset, std::regex_replace(rows, std::regex("concert"), "opera"));
  CHECK(error_of([&] { run_of(checkpoint, settings); }) ==
        str("[", settings.dataset,
            "] the model was trained without the word 'opera'. Hint: it knows 'concert', which the table "
            "lacks: was a word renamed?"));
}

TEST_CASE("checkpoint: a table that is gone, or asks for other answers, is refused") {
  const Saved saved(tiny_table_settings("datasets/before_after.tsv"));
  const Checkpoint checkpoint = read_checkpoint(saved.folder.path);
  RunSettings settings = checkpoint.settings;
  settings.dataset = "gone.tsv";
  CHECK(error_of([&] { run_of(checkpoint, settings); }) ==
        str("[", saved.path(),
            "] its table gone.tsv is not there. Hint: say where it is now: --dataset FILE.tsv"));
  settings.dataset = saved.folder / "other.tsv";
  write_file_atomically(settings.dataset, "# form: generation\n" + read_file("datasets/before_after.tsv"));
  CHECK(error_of([&] { run_of(checkpoint, settings); }) ==
        str("[", saved.path(),
            "] the model was trained for classification, and 'other' is generation. Hint: "
            "give a task of the same form"));
}

TEST_CASE("checkpoint: what it says of its task is there and makes sense") {
  const Saved toy;
  CHECK(toy.error_when([](auto&, Metadata& m) { m.erase("form"); })
            .starts_with("[FILE] its metadata has no 'form'"));
  CHECK(toy.error_when([](auto&, Metadata& m) { m.erase("vocabulary"); })
            .starts_with("[FILE] its metadata has no 'vocabulary'"));
  CHECK(toy.error_when([](auto&, Metadata& m) { m["vocabulary"] = "3"; }) ==
        "[FILE] 'vocabulary' should be an array, is a number");
  CHECK(toy.error_when([](auto&, Metadata& m) { m["form"] = "prose"; }) ==
        "[FILE] a task cannot have the form 'prose'");
  CHECK(toy.error_when([](auto&, Metadata& m) { m["form"] = "generation", m["vocabulary"] = "[]"; }) ==
        "[FILE] 'vocabulary' has no BOS, SEP and EOS");
}

TEST_CASE("checkpoint: a folder without one says what to give") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(
      read_checkpoint(folder.path),
      str("[", folder.path,
          "] there is no model.safetensors in it. Hint: give the folder of a `locus train` run")
          .c_str(),
      Error);
  CHECK_FALSE(has_checkpoint(folder.path));
  CHECK_FALSE(has_checkpoint(std::string(10'000, 'x')));
}

TEST_CASE("checkpoint: a file cut short anywhere is refused in one line") {
  const Saved saved;
  const std::string whole = read_file(saved.path());
  CHECK(saved.error_from("") == "[FILE] is cut short, or not a safetensors file: its 0 bytes are too few");
  CHECK(saved.error_from(whole.substr(0, 100)) ==
        "[FILE] is cut short, or not a safetensors file: its 100 bytes are too few");
  CHECK(saved.error_from(whole.substr(0, whole.size() - 1))
            .starts_with("[FILE: optimizer.square] the file is cut short or damaged: the shape ("));
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 50) {
    const std::string error = saved.error_from(whole.substr(0, size));
    CHECK(error.starts_with("[FILE"));
    CHECK(error.find('\n') == std::string::npos);
  }
  CHECK(saved.error_from(whole) == "no error");
}

TEST_CASE("checkpoint: a safetensors file of another program is refused") {
  const Saved saved;
  const std::string foreign =
      "[FILE] it was not written by Locus: its metadata has no settings. Hint: give the folder of a `locus "
      "train` run";
  CHECK(saved.error_when([](auto&, Metadata& metadata) { metadata = {}; }) == foreign);
  CHECK(saved.error_when([](auto&, Metadata& metadata) { metadata = {{"format", "pt"}}; }) == foreign);
  CHECK(saved.error_when([](auto&, Metadata& metadata) { metadata["format"] = "pt"; }) == foreign);
  CHECK(saved.error_when([](auto&, Metadata& metadata) { metadata.erase("settings"); }) == foreign);
}

TEST_CASE("checkpoint: tensors that are missing, too many, or of another shape are named") {
  const Saved saved;
  const Reals zeros(64);
  const auto error_without = [&](const std::string& name) {
    return saved.error_when([&](std::vector<NamedTensor>& tensors, Metadata&) {
      std::erase_if(tensors, [&](const NamedTensor& tensor) { return tensor.name == name; });
    });
  };
  CHECK(error_without("norm.gain") == "[FILE] it holds no tensor 'norm.gain', which the model has");
  const std::string for_each = str(" with an element for each of the model's ",
                                   saved.training.trainer.parameters().size(), " parameters");
  CHECK(error_without("optimizer.mean") == "[FILE] it holds no tensor 'optimizer.mean'" + for_each);
  CHECK(saved.error_when([&](std::vector<NamedTensor>& tensors, Metadata&) {
    tensors.push_back({"more", {64}, zeros});
  }) == "[FILE] it holds a tensor 'more', which the model has not");
  CHECK(saved.error_when([](std::vector<NamedTensor>& tensors, Metadata&) {
    named(tensors, "embedding").shape = {8, 10};
  }) == "[FILE] tensor 'embedding' is (8,10), the model's is (10,8)");
  CHECK(saved.error_when([](std::vector<NamedTensor>& tensors, Metadata&) {
    NamedTensor& square = named(tensors, "optimizer.square");
    square.values = square.values.subspan(1);
    square.shape = {square.values.size()};
  }) == "[FILE] it holds no tensor 'optimizer.square'" + for_each);
}

TEST_CASE("checkpoint: another scheme fits only when it has the same parameters") {
  const Saved saved(tiny_settings("before", "rope"));
  CHECK(saved.error_for(tiny_settings("before", "rope:base=100")) == "no error");
  CHECK(saved.error_for(tiny_settings("before", "alibi")) == "no error");
  CHECK(saved.error_for(tiny_settings("before", "learned")) ==
        "[FILE] it holds no tensor 'position.table', which the model has. Hint: the run was trained with "
        "'rope'; "
        "'learned' can replace it only if it has the same parameters");
  CHECK(Saved().error_for(tiny_settings("before", "none")) ==
        "[FILE] it holds a tensor 'position.table', which the model has not. Hint: the run was trained with "
        "'learned'; 'none' can replace it only if it has the same parameters");
  CHECK(Saved().error_for(tiny_settings("before", "learned:capacity=300")) ==
        "[FILE] tensor 'position.table' is (512,8), the model's is (300,8). Hint: the run was trained with "
        "'learned'; 'learned:capacity=300' can replace it only if it has the same parameters");
}

TEST_CASE("checkpoint: settings and steps that make no sense are refused, never cut to size") {
  const Saved saved;
  const auto error_with = [&](const std::string& key, const Json& value) {
    return saved.error_when([&](auto&, Metadata& metadata) {
      Json settings = parse_json(metadata["settings"], "");
      settings.set(key, value);
      metadata["settings"] = to_string(settings);
    });
  };
  CHECK(error_with("layers", 4294967297) ==
        "[FILE] 'layers' 4294967297 is out of range. Hint: give a whole number from 1 to 1000");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["vocabulary"] = "[]"; }) ==
        "[FILE] 'vocabulary' is empty");
  CHECK(error_with("heads", 3) ==
        "[FILE] its settings make no sense: [model] --d-model 8 is not a multiple of --heads 3. Hint: each "
        "head takes an "
        "equal share of the width: try --d-model 9");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["settings"] = "{"; }).starts_with("[FILE] byte 2: "));
  CHECK(saved.error_when([](auto&, Metadata& m) { m["settings"] = "[]"; }).starts_with("[FILE] "));
  CHECK(saved.error_when([](auto&, Metadata& m) { m.erase("step"); })
            .starts_with("[FILE] its metadata has no 'step'"));
  CHECK(saved.error_when([](auto&, Metadata& m) { m["step"] = "13"; }) ==
        "[FILE] 'step' should be from 0 to 12, is 13");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["step"] = "1e300"; }) ==
        "[FILE] 'step' should be a whole number, is 1e+300");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["steps_to_solve"] = "4"; }) ==
        "[FILE] 'steps_to_solve' should be from 0 to 3, is 4");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["loss"] = "nan"; }).starts_with("[FILE] byte 1: "));
  CHECK(
      saved.error_when([](auto&, Metadata& m) { m["status"] = "happy"; }) ==
      "[FILE] a run cannot have the status 'happy'. Hint: running, finished, solved, memorised or diverged");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["curve"] = "[[3,0.5]]"; })
            .starts_with("[FILE] a validation in 'curve' holds 2 numbers"));
  CHECK(saved.error_when([](auto&, Metadata& m) { m["curve"] = "[[4,0.5,1]]"; }) ==
        "[FILE] 'curve' goes on to step 4, and 'step' is 3");
  CHECK(saved.error_when([](auto&, Metadata& m) { m["step"] = "12"; }) ==
        "[FILE] 'status' is running, but all 12 steps are done");
}

TEST_CASE("checkpoint: a save that fails leaves the old one, whole") {
  Saved saved;
  const auto before = contents(saved.folder.path);
  saved.training.steps(1);
  {
    const FullDisk full(1000);
    CHECK(error_of([&] {
            save_checkpoint(saved.folder.path, saved.training.run, saved.training.trainer.state());
          }) == str("[", saved.path(), "] could not be written: File too large"));
  }
  CHECK(contents(saved.folder.path) == before);
  save_checkpoint(saved.folder.path, saved.training.run, saved.training.trainer.state());
  CHECK(contents(saved.folder.path) != before);
}

TEST_CASE("checkpoint: no word is the name of a mark, but a model that was trained on one is still read") {
  const TemporaryFolder folder;
  const auto settings_on = [&](const std::string& word, ModelKind kind) {
    std::string rows;
    for (int i = 0; i < 60; ++i) rows += str("w", i, " ", word, "\tyes\n");
    write_file_atomically(folder / "words.tsv", rows);
    RunSettings settings = tiny_settings("before", "none", kind);
    settings.dataset = folder / "words.tsv";
    settings.train.lengths = {};
    settings.test_lengths.clear();
    return complete(settings);
  };
  // Tables are kept once they are read, so each word has a file of its own.
  const RunSettings decoder = settings_on("SEP", ModelKind::decoder);
  CHECK(error_of([&] { Run{decoder}; }).starts_with("[words] it has the word 'SEP', the name of a mark"));
  CHECK(error_of([&] { Run{settings_on("SEP", ModelKind::encoder)}; }) == "no error");

  const Task& task = task_of(decoder);
  const Run old(decoder, task.alphabet);  // as run_of makes it
  Pool pool(1);
  const Trainer trainer(old.model(), old.batcher(), decoder.train, pool);
  save_checkpoint(folder.path, old, trainer.state());
  const Checkpoint checkpoint = read_checkpoint(folder.path);
  CHECK(checkpoint.alphabet == task.alphabet);
  CHECK(run_of(checkpoint, checkpoint.settings).model().parameters().count() ==
        old.model().parameters().count());
}
