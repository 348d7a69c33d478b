#include "train/run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"

using namespace locus;

TEST_CASE("run: a length past a learned table is refused, counting all that a decoder reads") {
  const auto error_for = [](const std::string& scheme, ModelKind kind) {
    return error_of([&] { const Run run(tiny_settings("sort", scheme, kind)); });
  };
  CHECK(error_for("learned:capacity=9", ModelKind::encoder) == "no error");
  CHECK(error_for("learned:capacity=8", ModelKind::encoder) ==
        "[scheme] 'learned:capacity=8' has 8 positions, but inputs of up to 9 tokens are asked for. Hint: "
        "raise its capacity to 9, "
        "or choose shorter lengths");
  CHECK(error_for("learned:capacity=20", ModelKind::decoder) == "no error");
  CHECK(error_for("learned:capacity=19", ModelKind::decoder) ==
        "[scheme] 'learned:capacity=19' has 19 positions, but inputs of up to 20 tokens are asked for. Hint: "
        "raise its capacity "
        "to 20, or choose shorter lengths");
  RunSettings trained_long = tiny_settings("sort", "learned:capacity=9");
  trained_long.train.lengths = {6, 10};
  CHECK_THROWS_AS(Run{trained_long}, UsageError);
}

TEST_CASE("run: the model is told which tokens are digits") {
  const auto digits_in = [](const std::string& task, ModelKind kind) {
    const Run run(tiny_settings(task, "none", kind));
    std::vector<std::string> names;
    for (const int token : run.model().task_shape().digits)
      names.push_back(run.batcher().names()[static_cast<std::size_t>(token)]);
    return join(names, " ");
  };
  for (const ModelKind kind : all_model_kinds) CHECK(digits_in("sort", kind) == "0 1 2 3 4 5 6 7 8 9");
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += text(i % 10, " + ", i / 10 % 10, " 10 w", i, " x\ty\n");
  write_file_atomically(folder / "sums.tsv", rows);
  RunSettings settings;
  settings.dataset = folder / "sums.tsv";
  settings.model.scheme = "none";
  settings = complete(settings);
  const Run run(settings);
  std::vector<std::string> names;
  for (const int token : run.model().task_shape().digits)
    names.push_back(run.task().alphabet[static_cast<std::size_t>(token)]);
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  settings.dataset = "datasets/before_after.tsv";
  settings.train.lengths = {};
  settings.test_lengths = {};
  CHECK(Run(complete(settings)).model().task_shape().digits.empty());
}

TEST_CASE("run: scores stand beside the ceiling for models that do not generate only") {
  for (const ModelKind kind : all_model_kinds) {
    Training training(tiny_settings("sort", "none", kind));
    const auto scores = training.run.test(training.trainer.parameters().data(), training.pool);
    REQUIRE(scores.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(scores[i].length == training.run.settings().test_lengths[i]);
      CHECK(scores[i].score.examples == 16);
      CHECK(scores[i].order_blind_ceiling.has_value() == (kind != ModelKind::decoder));
    }
    const Result result = result_of(training.run, training.trainer, scores);
    CHECK(result.outcome.generates == (kind == ModelKind::decoder));
    const Json json = to_json(result);
    const Json& first = json.array("by_length", "").front();
    CHECK(first.integer("length", "") == 6);
    CHECK(first.member("order_blind_ceiling", "").is_null() == (kind == ModelKind::decoder));
    CHECK(first.number("no_input_baseline", "") == training.run.task().no_input_baseline(6));
    CHECK(json.member("steps_to_solve", "").is_null());
    CHECK(json.integer("parameters", "") ==
          static_cast<long long>(training.run.model().parameters().count()));
    const Result back = read_result(json, "");
    CHECK(to_json(back) == json);
    CHECK(back.outcome.generates == result.outcome.generates);
  }
}

TEST_CASE("run: scores of a model that cannot tell left from right stand beside the mirror-blind ceiling") {
  const auto ceiling_of = [](const char* scheme, ModelKind kind) {
    RunSettings settings = tiny_settings("sort", scheme, kind);
    settings.model.layers = 2;
    Training training(settings);
    const auto score = training.run.test(training.trainer.parameters().data(), training.pool).front();
    CHECK_FALSE(to_json(result_of(training.run, training.trainer, {score}))
                    .array("by_length", "")
                    .front()
                    .find("mirror_blind_ceiling"));
    return score.mirror_blind_ceiling;
  };
  const double expected = open_task("sort").mirror_blind_ceiling(6)->value;
  CHECK(ceiling_of("alibi", ModelKind::encoder) == expected);
  CHECK(ceiling_of("alibi none", ModelKind::encoder) == expected);
  CHECK_FALSE(ceiling_of("alibi rope", ModelKind::encoder));
  CHECK_FALSE(ceiling_of("rope", ModelKind::encoder));
  CHECK_FALSE(ceiling_of("none", ModelKind::encoder));  // has a lower one
  CHECK_FALSE(ceiling_of("alibi", ModelKind::decoder));
  CHECK_FALSE(ceiling_of("none", ModelKind::gru));
}

namespace {

// A line of results.jsonl.
const std::string a_line =
    R"({"task":"sort","dataset":null,"scheme":"none","model":"encoder","seed":1,"layers":2,"heads":2,"d_model":32,)"
    R"("d_ff":128,"batch":64,"max_steps":1000,"learning_rate":0.003,"warmup":100,"weight_decay":0.01,"clip":1,)"
    R"("stop_when_solved":true,"train_lengths":[12,12],"test_lengths":[12],"test_examples":500,)"
    R"("parameters":26122,"steps":1000,"steps_to_solve":null,"loss":0.5,"status":"finished","by_length":)"
    R"([{"length":12,"token_accuracy":0.25,"exact_match":0,"order_blind_ceiling":0.25,"no_input_baseline":0.1,"examples":500}]})";

// What reading the line says when this key, of the outcome or of its only length, has this value.
std::string error_with(const std::string& key, const Json& value) {
  Json json = parse_json(a_line, ""), length = json.array("by_length", "")[0];
  if (length.find(key)) length.set(key, value);
  json.set("by_length", Json::Array{length});
  if (json.find(key)) json.set(key, value);
  return error_of([&] { read_result(json, "f:2"); });
}

}  // namespace

TEST_CASE("run: a result is read, and written as it was") {
  const Result result = read_result(parse_json(a_line, ""), "f:1");
  CHECK(result.where == "f:1");
  CHECK(to_string(to_json(result)) == a_line);
}

TEST_CASE("run: what is right of a table's rows is written where it is known, and read again") {
  Result result = read_result(parse_json(a_line, ""), "");
  CHECK_FALSE(result.outcome.rows);
  result.outcome.status = TrainStatus::memorised;
  result.outcome.rows = TableProbe{1, 0.375};
  const Json json = to_json(result);
  CHECK(json.string("status", "") == "memorised");
  const Result back = read_result(json, "");
  CHECK(back.outcome.status == TrainStatus::memorised);
  REQUIRE(back.outcome.rows);
  CHECK(back.outcome.rows->trained_on == 1);
  CHECK(back.outcome.rows->kept == 0.375);
  CHECK(to_json(back) == json);
}

TEST_CASE(
    "run: whether answers were generated follows from the settings, and only without the task from "
    "ceilings") {
  const auto generates = [](const char* model, const std::string& task, const Json& dataset,
                            const Json& ceiling) {
    Json json = parse_json(a_line, ""), length = json.array("by_length", "")[0];
    length.set("order_blind_ceiling", ceiling);
    json.set("by_length", Json::Array{length});
    json.set("model", model);
    json.set("task", task);
    json.set("dataset", dataset);
    if (is_recurrent(parse_model_kind(model)))
      for (const char* key : {"heads", "d_ff"}) json.set(key, nullptr);
    return read_result(json, "").outcome.generates;
  };
  CHECK(generates("decoder", "sort", nullptr, 0.5));
  CHECK_FALSE(generates("encoder", "sort", nullptr, nullptr));
  CHECK_FALSE(generates("gru", "sort", nullptr, nullptr));
  CHECK(generates("gru", "unique", nullptr, nullptr));
  CHECK_FALSE(generates("rnn", "gone", "gone.tsv", 0.5));
  CHECK(generates("rnn", "gone", "gone.tsv", nullptr));
}

TEST_CASE("run: the token accuracy of generated answers may be null, and stays so") {
  Json json = parse_json(a_line, ""), length = json.array("by_length", "")[0];
  length.set("token_accuracy", nullptr);
  length.set("order_blind_ceiling", nullptr);
  json.set("by_length", Json::Array{length});
  json.set("model", "decoder");
  const Result result = read_result(json, "f:2");
  CHECK(result.outcome.by_length[0].score.accuracy(true) == 0);
  CHECK(to_json(result).array("by_length", "")[0] == length);
}

TEST_CASE("run: what a result lacks, or has of another type or out of range, is named") {
  CHECK(error_with("seed", 2) == "no error");
  CHECK(error_with("status", nullptr) == "[f:2] 'status' should be a string, is null");
  CHECK(error_with("status", "done").starts_with("[f:2] 'done' is no status of a run"));
  CHECK(error_with("steps_to_solve", "soon") == "[f:2] 'steps_to_solve' should be a number, is a string");
  CHECK(error_with("parameters", 0) == "[f:2] 'parameters' should be from 1 to 2147483647, is 0");
  for (const auto& [key, value, complaint] :
       {std::tuple<const char*, Json, const char*>{"token_accuracy", 1.5, "from 0 to 1, is 1.5"},
        {"exact_match", -0.5, "from 0 to 1, is -0.5"},
        {"order_blind_ceiling", 2, "from 0 to 1, is 2"},
        {"examples", 0, "from 1 to 1000000, is 0"},
        {"length", 1e15, "from 1 to 1000000, is 1000000000000000"}})
    CHECK(error_with(key, value) == text("[f:2] '", key, "' should be ", complaint));
  CHECK(error_with("token_accuracy", nullptr) ==
        "[f:2] 'token_accuracy' at length 12 is null. Hint: only that of generated answers may be");
  Json json = parse_json(a_line, ""), length = json.array("by_length", "")[0];
  Json length_of_another = length;
  length_of_another.set("length", 7);
  length.set("no_input_baseline", 7);
  for (const auto& [by_length, complaint] :
       {std::pair<Json, const char*>{Json::Array{length}, "'no_input_baseline' should be from 0 to 1, is 7"},
        {Json::Array{}, "'by_length' holds no length"},
        {Json::Array{length_of_another}, "the lengths in 'by_length' are not those in 'test_lengths'"},
        {3, "'by_length' should be an array, is a number"}}) {
    json.set("by_length", by_length);
    CHECK(error_of([&, &line = json] { read_result(line, "f:2"); }) == text("[f:2] ", complaint));
  }
}
