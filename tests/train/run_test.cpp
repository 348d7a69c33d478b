#include <doctest/doctest.h>

#include <algorithm>
#include <tuple>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "train/result.h"

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
  for (int i = 0; i < 200; ++i) rows += str(i % 10, " + ", i / 10 % 10, " 10 w", i, " x\ty\n");
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

TEST_CASE("run: a scheme that counts digits is refused where a task has none") {
  const auto trained_on = [](const std::string& task) {
    RunSettings settings;
    settings.task = task;
    settings.model.scheme = Spec("coupled+rope");
    return complete(settings).task;
  };
  CHECK(trained_on("sort") == "sort");
  CHECK(
      error_of([&] { trained_on("parity"); }) ==
      "[coupled] it counts digits within their numbers, and 'parity' has no digits. Hint: a task of numbers, such as "
      "addition");
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
    CHECK(json.array("exact_match", "").size() == 2);
    CHECK((json.find("order_blind_ceiling") == nullptr) == (kind == ModelKind::decoder));
    CHECK(json.array("no_input_baseline", "").front() == Json(training.run.task().no_input_baseline(6)));
    CHECK_FALSE(json.find("steps_to_solve"));
    CHECK(json.integer("parameters", "") ==
          static_cast<long long>(training.run.model().parameters().count()));
    const Result back = read_result(json, "");
    CHECK(to_json(back) == json);
    CHECK(back.outcome.generates == result.outcome.generates);
  }
}

TEST_CASE(
    "run: scores of a decoder with windows in all layers stand beside the ceiling of what these reach") {
  const auto ceiling_of = [](const char* windows, const char* scheme, ModelKind kind, const char* task) {
    RunSettings settings = tiny_settings(task, scheme, kind);
    settings.model.layers = 2;
    settings.model.window_by_layer = windows;
    Training training(settings);
    return training.run.test(training.trainer.parameters().data(), training.pool).front().window_ceiling;
  };
  const Task& previous = open_task("previous");
  CHECK(ceiling_of("1", "rope", ModelKind::decoder, "previous") == previous.window_ceiling(6, 2));
  CHECK(ceiling_of("3 4", "none", ModelKind::decoder, "previous") == previous.window_ceiling(6, 7));
  CHECK(previous.window_ceiling(6, 7) == 1);
  CHECK_FALSE(ceiling_of("1 none", "rope", ModelKind::decoder, "previous"));
  CHECK_FALSE(ceiling_of("1", "rope", ModelKind::encoder, "previous"));
  CHECK_FALSE(
      ceiling_of("1", "abacus", ModelKind::decoder, "previous"));    // counts digits that it does not see
  CHECK_FALSE(ceiling_of("1", "rope", ModelKind::decoder, "sort"));  // a task that does not count it
}

TEST_CASE("run: scores of a model that cannot tell left from right stand beside the mirror-blind ceiling") {
  const auto ceiling_of = [](const char* scheme, ModelKind kind) {
    RunSettings settings = tiny_settings("sort", scheme, kind);
    settings.model.layers = 2;
    Training training(settings);
    const auto score = training.run.test(training.trainer.parameters().data(), training.pool).front();
    CHECK_FALSE(to_json(result_of(training.run, training.trainer, {score})).find("mirror_blind_ceiling"));
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

// A line of results.jsonl in which nothing is in common with others.
const std::string a_line =
    R"({"task":"sort","dataset":null,"scheme":"none","model":"encoder","seed":1,"layers":2,"heads":2,"d_model":32,)"
    R"("d_ff":128,"batch":64,"max_steps":1000,"learning_rate":0.003,"warmup":100,"weight_decay":0.01,"clip":1,)"
    R"("stop_when_solved":true,"train_lengths":[12,12],"test_lengths":[12,24],"test_examples":500,)"
    R"("parameters":26122,"examples":[500,400],"no_input_baseline":[0.1,0.1],"order_blind_ceiling":[0.25,null],)"
    R"("steps":1000,"loss":0.5,"token_accuracy":[0.25,0.125],"exact_match":[0,0],"answers":[["1 2"],["2 1"]],)"
    R"("curve":[[50,0.75,0.125],[100,0.5,0.25]]})";

// What reading the line says when this key has this value.
std::string error_with(const std::string& key, const Json& value) {
  Json json = parse_json(a_line, "");
  json.set(key, value);
  return error_of([&] { read_result(json, "f:2"); });
}

}  // namespace

TEST_CASE("run: a result is read, and written as it was") {
  const Result result = read_result(parse_json(a_line, ""), "f:1");
  CHECK(result.where == "f:1");
  CHECK(result.outcome.curve.accuracy == std::vector{0.125, 0.25});
  CHECK(result.outcome.by_length[1].answers == std::vector<std::string>{"2 1"});
  CHECK_FALSE(result.outcome.by_length[1].order_blind_ceiling);
  CHECK(to_string(to_json(result)) == a_line);
}

TEST_CASE("run: a status that follows from the steps to solve is not written") {
  Result result = read_result(parse_json(a_line, ""), "f:1");
  CHECK(result.outcome.status == TrainStatus::finished);
  result.outcome.steps_to_solve = 100;
  for (const TrainStatus status : {TrainStatus::solved, TrainStatus::diverged, TrainStatus::finished}) {
    result.outcome.status = status;
    const Json json = to_json(result);
    CHECK((json.find("status") == nullptr) == (status == TrainStatus::solved));
    CHECK(read_result(json, "f:1").outcome.status == status);
  }
}

TEST_CASE("run: what is right of a table's rows is written where it is known, and read again") {
  Result result = read_result(parse_json(a_line, ""), "");
  CHECK_FALSE(result.outcome.rows);
  result.outcome.status = TrainStatus::memorised;
  result.outcome.rows = TableValidation{1, 0.375};
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
    Json json = parse_json(a_line, "");
    json.set("order_blind_ceiling", Json::Array{ceiling, nullptr});
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

TEST_CASE("run: what a result lacks, or has of another type or out of range, is named") {
  CHECK(error_with("seed", 2) == "no error");
  CHECK(error_with("status", nullptr) == "[f:2] 'status' should be a string, is null");
  CHECK(error_with("status", "done").starts_with("[f:2] a run cannot have the status 'done'"));
  CHECK(error_with("steps_to_solve", "soon") == "[f:2] 'steps_to_solve' should be a number, is a string");
  CHECK(error_with("parameters", 0) == "[f:2] 'parameters' should be from 1 to 2147483647, is 0");
  for (const auto& [key, value, complaint] :
       {std::tuple<const char*, Json, const char*>{"token_accuracy", 1.5, "should be from 0 to 1, is 1.5"},
        {"exact_match", -0.5, "should be from 0 to 1, is -0.5"},
        {"exact_match", nullptr, "should be a number, is null"},
        {"order_blind_ceiling", 2, "should be from 0 to 1, is 2"},
        {"no_input_baseline", 7, "should be from 0 to 1, is 7"},
        {"answers", 3, "should be an array, is a number"},
        {"examples", 0, "should be from 1 to 1000000, is 0"}})
    CHECK(error_with(key, Json::Array{value, value}) == str("[f:2] '", key, "' ", complaint));
  CHECK(error_with("token_accuracy", Json::Array{0.5, nullptr}) ==
        "[f:2] 'token_accuracy' should be a number, is null");
  CHECK(error_with("exact_match", Json::Array{1}) == "[f:2] 'exact_match' holds 1 values, 'test_lengths' 2");
  CHECK(error_with("exact_match", 3) == "[f:2] 'exact_match' should be an array, is a number");
  CHECK(error_with("test_lengths", Json::Array{}) == "[f:2] 'test_lengths' is empty");
  const auto error_of_curve = [](const Json& validation) {
    return error_with("curve", Json::Array{Json::Array{50, 1, 0.5}, validation});
  };
  CHECK(error_of_curve(Json::Array{100, 1, 0.5}) == "no error");
  CHECK(error_of_curve(Json::Array{50, 1, 0.5}) == "[f:2] 'curve' should be from 51 to 2147483647, is 50");
  CHECK(error_of_curve(Json::Array{100, 1, 1.5}) == "[f:2] 'curve' should be from 0 to 1, is 1.5");
  CHECK(error_of_curve(Json::Array{100, 1}) ==
        "[f:2] a validation in 'curve' holds 2 numbers, should hold 3: step, loss and accuracy");
}
