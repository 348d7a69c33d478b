#include "train/run.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "tasks/support/registry.h"

using namespace locus;

namespace {

// Any settings that someone could ask for.
RunSettings random_settings(Random& random) {
  const auto pick = [&](const auto& choices) {
    return choices[static_cast<std::size_t>(random.below(static_cast<int>(std::size(choices))))];
  };
  RunSettings s;
  s.model.kind = pick(all_model_kinds);
  const char* const tasks[] = {"before", "sort", "majority", "datasets/before_after.tsv"};
  const char* const schemes[] = {"none", "sinusoidal", "rope:base=100,layout=half", "learned+alibi",
                                 "rope none"};
  s.task = pick(tasks);
  s.model.scheme = pick(schemes);
  s.model.layers = 1 + random.below(5);
  s.model.heads = 1 + random.below(4);
  s.model.d_model = s.model.heads * 2 * (1 + random.below(9));
  s.model.d_ff = is_recurrent(s.model.kind) ? 0 : random.below(2) * 17;
  if (random.below(2) == 0) s.from = "runs/another one";
  s.train.batch = 1 + random.below(100);
  s.train.steps = random.below(2) * (1 + random.below(5000));
  s.train.seed = static_cast<std::uint64_t>(random.bits()) << random.below(20);
  s.train.optimizer.learning_rate = random.below(2) * random.uniform();
  s.train.optimizer.warmup = random.below(200);
  s.train.optimizer.weight_decay = random.uniform();
  s.train.optimizer.clip = 10 * random.uniform();
  s.train.stop_when_solved = random.below(2) == 0;
  if (s.task != tasks[3] && random.below(2) == 0)
    s.train.lengths = {3 + random.below(3), 6 + random.below(9)};
  if (s.task != tasks[3] && random.below(2) == 0) s.test_lengths = {4 + random.below(9), 30};
  s.test_examples = 1 + random.below(5000);
  return s;
}

}  // namespace

TEST_CASE("run: settings written as JSON come back as they were, whatever they are") {
  Random random(5, Purpose::testing);
  for (int i = 0; i < 300; ++i) {
    const RunSettings settings = complete(random_settings(random));
    const Json json = to_json(settings);
    CAPTURE(to_string(json));
    const RunSettings back = run_settings(parse_json(to_string(json), ""), "");
    CHECK(to_json(back) == json);
    CHECK(back.task == settings.task);
    CHECK(back.from == settings.from);
    CHECK(json.member("heads", "").is_null() == is_recurrent(settings.model.kind));
    CHECK(json.member("d_ff", "").is_null() == is_recurrent(settings.model.kind));
    CHECK(back.model.kind == settings.model.kind);
    CHECK(back.model.scheme == settings.model.scheme);
    CHECK(back.model.layers == settings.model.layers);
    if (!is_recurrent(settings.model.kind)) CHECK(back.model.heads == settings.model.heads);
    CHECK(back.model.d_model == settings.model.d_model);
    CHECK(back.model.d_ff == settings.model.d_ff);
    CHECK(back.train.batch == settings.train.batch);
    CHECK(back.train.steps == settings.train.steps);
    CHECK(back.train.seed == settings.train.seed);
    CHECK(back.train.lengths.low == settings.train.lengths.low);
    CHECK(back.train.lengths.high == settings.train.lengths.high);
    CHECK(back.train.stop_when_solved == settings.train.stop_when_solved);
    CHECK(back.train.optimizer.learning_rate == settings.train.optimizer.learning_rate);
    CHECK(back.train.optimizer.warmup == settings.train.optimizer.warmup);
    CHECK(back.train.optimizer.weight_decay == settings.train.optimizer.weight_decay);
    CHECK(back.train.optimizer.clip == settings.train.optimizer.clip);
    CHECK(back.test_lengths == settings.test_lengths);
    CHECK(back.test_examples == settings.test_examples);
  }
}

TEST_CASE("run: what is left out suits the task and the model") {
  RunSettings encoder;
  encoder.task = "sort";
  encoder = complete(encoder);
  CHECK(encoder.train.lengths.low == 12);
  CHECK(encoder.train.lengths.high == 12);
  CHECK(encoder.test_lengths == std::vector{12, 18, 24});
  CHECK(encoder.train.steps == 1000);
  CHECK(encoder.train.optimizer.learning_rate == 3e-3);
  CHECK(encoder.model.d_ff == 4 * encoder.model.d_model);

  RunSettings decoder;
  decoder.task = "sort";
  decoder.model.kind = ModelKind::decoder;
  decoder = complete(decoder);
  CHECK(decoder.train.lengths.low == 2);
  CHECK(decoder.train.lengths.high == 12);
  CHECK(decoder.test_lengths == std::vector{12, 18, 24});
  CHECK(decoder.train.steps == 2500);
  CHECK(decoder.train.optimizer.learning_rate == 1e-3);

  RunSettings recurrent;
  recurrent.task = "unique";
  recurrent.model.kind = ModelKind::gru;
  recurrent = complete(recurrent);  // it generates, as a decoder does
  CHECK(recurrent.train.lengths.low == 2);
  CHECK(recurrent.train.steps == 2500);
  recurrent.task = "sort";
  recurrent.train.lengths = {};
  CHECK(complete(recurrent).train.lengths.low == 12);

  RunSettings table;
  table.task = "datasets/before_after.tsv";
  table = complete(table);
  CHECK(table.test_lengths == open_task(table.task).fixed_lengths());
  CHECK(table.train.lengths.low == table.test_lengths.front());
  CHECK(table.train.lengths.high == table.test_lengths.back());

  RunSettings given = tiny_settings("sort", "none");
  CHECK(to_json(complete(given)) == to_json(given));
}

TEST_CASE("run: every task has lengths to begin with, for each model that can do it") {
  for (const Task* task : all_tasks())
    for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
      if (kind == ModelKind::encoder && task->form == Form::generation) continue;
      RunSettings settings;
      settings.task = task->name;
      settings.model.kind = kind;
      settings = complete(settings);
      const LengthRange lengths = settings.train.lengths, usual = task->usual_lengths;
      CAPTURE(task->name);
      CHECK(lengths.low == (kind == ModelKind::encoder ? usual.low : *task->length_from(2)));
      CHECK(lengths.high == usual.high);
      CHECK(settings.test_lengths == usual_test_lengths(*task, usual.high));
      CHECK(settings.test_lengths.size() == 3);
      for (const int length : settings.test_lengths) CHECK_FALSE(task->test_set(length, 10).empty());
      Random random(1, Purpose::testing);
      for (auto length = task->length_from(lengths.low); *length < lengths.high;
           length = task->length_from(*length + 1))
        CHECK(std::ssize(task->draw(random, *length, Split::train).input) == *length);
    }
}

TEST_CASE("run: lengths to test at are those that exist") {
  CHECK(usual_test_lengths(find_task("sort"), 10) == std::vector{10, 15, 20});
  CHECK(usual_test_lengths(find_task("addition"), 10) == std::vector{10, 16, 20});
  CHECK(usual_test_lengths(find_task("argsort"), 40) == std::vector{40, 60});
}

TEST_CASE("run: settings that make no sense are refused before anything is built") {
  const auto error_with = [](auto change, const char* task = "before") {
    RunSettings settings;
    settings.task = task;
    change(settings);
    try {
      complete(settings);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no usage error");
  };
  CHECK(error_with([](RunSettings&) {}) == "no usage error");
  CHECK(error_with([](RunSettings& s) { s.model.heads = 0; }) ==
        "[model] --heads is 0. Hint: give 1 or more");
  CHECK(error_with([](RunSettings& s) { s.model.layers = -1; }) ==
        "[model] --layers is -1. Hint: give 1 or more");
  CHECK(error_with([](RunSettings& s) { s.model.heads = 5; }) ==
        "[model] --d-model 32 is not a multiple of --heads 5. Hint: each head takes an equal share of the "
        "width: try --d-model 35");
  const std::string no_range = " is not a range of lengths from 1 to 1000000. Hint: for example 2-12";
  CHECK(error_with([](RunSettings& s) {
          s.train.lengths = {5, 4};
        }) == "[train] --train-lengths 5-4" + no_range);
  CHECK(error_with([](RunSettings& s) {
          s.train.lengths = {0, 4};
        }) == "[train] --train-lengths 0-4" + no_range);
  CHECK(error_with([](RunSettings& s) {
          s.train.lengths = {2, 2'000'000'000};
        }) == "[train] --train-lengths 2-2000000000" + no_range);
  CHECK(error_with([](RunSettings& s) {
          s.test_lengths = {12, 0};
        }) == "[train] --test-lengths holds 0. Hint: lengths are 1 or more");
  CHECK(error_with([](RunSettings& s) {
          s.train.lengths = {1, 4};
        }) == "[before] an input of 1 tokens. Hint: the shortest has 2");
  CHECK(error_with([](RunSettings& s) {
          s.test_lengths = {12, 1};
        }) == "[before] an input of 1 tokens. Hint: the shortest has 2");
  const char* table = "datasets/before_after.tsv";
  CHECK(error_with([](RunSettings& s) { s.test_lengths = {99}; }, table) ==
        "[before_after] no test row has an input of 99 tokens. Hint: the lengths are 6, 7, 9");
  CHECK(error_with(
            [](RunSettings& s) {
              s.train.lengths = {98, 99};
            },
            table) ==
        "[before_after] no train row has an input of 98 to 99 tokens. Hint: the lengths are 6, 7, 9");
  CHECK(error_with([](RunSettings&) {}, "befor")
            .starts_with("[task] no task is called 'befor'. Hint: did you mean 'before'? valid: "));
}

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

TEST_CASE("run: settings of a file that are missing, of another type or out of range are named") {
  const Json good = to_json(tiny_settings("before", "none"));
  const auto error_with = [&](const std::string& key, const Json& value) {
    Json json = good;
    json.set(key, value);
    return error_of([&] { run_settings(json, "results.jsonl:3"); });
  };
  for (const auto& entry : good.as_object("", "")) {
    const auto& key = entry.first;
    CAPTURE(key);
    Json::Object without;
    for (const auto& member : good.as_object("", ""))
      if (member.first != key) without.push_back(member);
    CHECK(error_of([&] { run_settings(Json(without), "f:3"); }) == "[f:3] the key '" + key + "' is missing");
    const std::string error =
        error_with(key, entry.second.type() == Json::Type::boolean ? Json("x") : Json(false));
    CHECK(error.starts_with("[results.jsonl:3] '" + key + "' should be "));
  }
  CHECK(error_with("seed", -1) == "[results.jsonl:3] 'seed' should not be negative, is -1");
  CHECK(error_with("d_model", 1LL << 40) ==
        "[results.jsonl:3] 'd_model' should be from 1 to 1048576, is 1099511627776");
  CHECK(error_with("max_steps", 0) == "[results.jsonl:3] 'max_steps' should be from 1 to 1073741824, is 0");
  CHECK(error_with("model", "gru") ==
        "[results.jsonl:3] 'heads' should be null: the model is no transformer, but gru");
  CHECK(error_with("from", 3) == "[results.jsonl:3] 'from' should be a string, is a number");
  CHECK(error_with("clip", -1) == "[results.jsonl:3] 'clip' should not be negative, is -1");
  CHECK(error_with("train_lengths", Json::Array{6}) ==
        "[results.jsonl:3] 'train_lengths' should hold two numbers, the shortest and the longest");
  CHECK(error_with("test_lengths", Json::Array{6, "7"}) ==
        "[results.jsonl:3] 'test_lengths' should be a number, is a string");
}

TEST_CASE("run: a table is opened once, by path; a file that is none is refused each time") {
  CHECK(&open_task("datasets/before_after.tsv") == &open_task("datasets/before_after.tsv"));
  CHECK(&open_task("sort") == &find_task("sort"));
  const TemporaryFolder folder;
  const std::string path = folder / "later.tsv",
                    expected = text("[", path, "] could not be read: No such file or directory");
  CHECK(error_of([&] { open_task(path); }) == expected);
  CHECK(error_of([&] { open_task(path); }) == expected);
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += text("w", i, "\tyes\n");
  write_file_atomically(path, rows);
  CHECK(open_task(path).name == "later");
}

TEST_CASE("run: the model is told which tokens are digits") {
  const auto digits_in = [](const std::string& task, ModelKind kind) {
    const Run run(tiny_settings(task, "none", kind));
    std::vector<std::string> names;
    for (const int token : run.model().settings().digits)
      names.push_back(run.batcher().names()[static_cast<std::size_t>(token)]);
    return join(names, " ");
  };
  for (const ModelKind kind : all_model_kinds) CHECK(digits_in("sort", kind) == "0 1 2 3 4 5 6 7 8 9");
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 200; ++i) rows += text(i % 10, " + ", i / 10 % 10, " 10 w", i, " x\ty\n");
  write_file_atomically(folder / "sums.tsv", rows);
  RunSettings settings;
  settings.task = folder / "sums.tsv";
  settings = complete(settings);
  const Run run(settings);
  std::vector<std::string> names;
  for (const int token : run.model().settings().digits)
    names.push_back(run.task().alphabet[static_cast<std::size_t>(token)]);
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  settings.task = "datasets/before_after.tsv";
  settings.train.lengths = {};
  settings.test_lengths = {};
  CHECK(Run(complete(settings)).model().settings().digits.empty());
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
    const Json json = result_json(training.run, training.trainer, scores);
    const Json& first = json.array("by_length", "").front();
    CHECK(first.integer("length", "") == 6);
    CHECK(first.member("order_blind_ceiling", "").is_null() == (kind == ModelKind::decoder));
    CHECK(first.number("no_input_baseline", "") == training.run.task().no_input_baseline(6));
    CHECK(json.member("steps_to_solve", "").is_null());
    CHECK(json.integer("parameters", "") ==
          static_cast<long long>(training.run.model().parameters().count()));
  }
}
