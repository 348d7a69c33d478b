#include "train/settings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "base/random.h"
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
  const char* const tasks[] = {"before", "sort", "majority"};
  const char* const schemes[] = {"none", "sinusoidal", "rope:base=100,layout=half", "learned+alibi",
                                 "rope none"};
  if (random.below(4) == 0)
    s.dataset = "datasets/before_after.tsv";
  else
    s.task = pick(tasks);
  s.model.scheme = pick(schemes);
  s.model.layers = 1 + random.below(5);
  const int heads = 1 + random.below(4);
  s.model.d_model = heads * 2 * (1 + random.below(9));
  if (!is_recurrent(s.model.kind)) {
    s.model.heads = heads;
    s.model.d_ff = random.below(2) * 17;
  }
  if (random.below(2) == 0) s.from = "runs/another one";
  if (random.below(2) == 0) s.trained_as = "rope:base=100";
  if (!is_recurrent(s.model.kind) && random.below(2) == 0) s.model.score_scale = "log";
  if (!is_recurrent(s.model.kind) && random.below(2) == 0) s.model.window_by_layer = "4";
  if (s.model.kind == ModelKind::decoder && s.model.layers > 1 && random.below(2) == 0)
    s.model.mixer_by_layer = "attention delta";
  s.model.qk_norm = !is_recurrent(s.model.kind) && random.below(2) == 0;
  s.train.batch = 1 + random.below(100);
  s.train.steps = random.below(2) * (1 + random.below(5000));
  s.train.seed = static_cast<std::uint64_t>(random.below(limits::seed));
  s.train.optimizer.learning_rate = random.below(2) * (random.uniform() + 1e-6);
  s.train.optimizer.warmup = random.below(200);
  s.train.optimizer.weight_decay = random.uniform();
  s.train.optimizer.clip = 10 * random.uniform() + 1e-6;
  s.train.stop_when_solved = random.below(2) == 0;
  if (s.dataset.empty() && random.below(2) == 0) s.train.lengths = {3 + random.below(3), 6 + random.below(9)};
  if (s.dataset.empty() && random.below(3) == 0) s.train.lengths = lengths_of({3 + random.below(3), 6, 9});
  if (s.dataset.empty() && random.below(2) == 0) s.test_lengths = {4 + random.below(9), 30};
  s.test_examples = 1 + random.below(5000);
  return s;
}

}  // namespace

TEST_CASE("settings: the table names each setting and each option once, and reaches all members") {
  std::set<std::string> names, options;
  for (const Setting& setting : all_settings()) {
    CAPTURE(std::string(setting.name));
    CHECK(names.insert(setting.name).second);
    CHECK(options.insert(setting.option).second);
    CHECK(std::string_view(setting.option).starts_with("--"));
    CHECK(&find_setting(setting.option) == &setting);
    CHECK_FALSE((setting.role.axis && setting.role.in_every_row));
  }
  CHECK(error_of([] { find_setting("--stesp"); }) == "[settings] no setting has the option '--stesp'");

  RunSettings complete_settings = complete(tiny_settings("sort", "rope")), copy;
  CHECK_FALSE(to_json(complete_settings).find("score_scale"));  // so that older results keep their bytes
  complete_settings.from = "runs/a b";
  complete_settings.trained_as = "rope:base=9";
  complete_settings.model.score_scale = "log";
  complete_settings.model.window_by_layer = "4 none";
  complete_settings.model.qk_norm = true;
  complete_settings.model.mixer_by_layer = "delta attention";
  complete_settings.train.stop_when_solved = false;
  for (const Setting& setting : all_settings()) setting.copy(complete_settings, copy);
  CHECK(settings_key(copy) == settings_key(complete_settings));
  CHECK(to_json(copy) == to_json(complete_settings));
}

TEST_CASE("settings: as they are typed") {
  RunSettings s = tiny_settings("sort", "rope none");
  s.from = "runs/a b";
  const auto words = [&](const char* option) { return typed(find_setting(option), s); };
  CHECK(words("--steps") == "--steps 12");
  CHECK(words("--lr") == "--lr 0.003");
  CHECK(words("--scheme") == "--scheme-by-layer 'rope none'");
  CHECK(words("--train-lengths") == "--train-lengths 6");
  CHECK(words("--test-lengths") == "--test-lengths 6,9");
  CHECK(words("--from") == "--from 'runs/a b'");
  CHECK(words("--trained-as") == "");
  CHECK(words("--full") == "");
  s.train.stop_when_solved = false;
  s.train.lengths = {2, 6};
  CHECK(words("--full") == "--full");
  CHECK(words("--train-lengths") == "--train-lengths 2-6");
  s.train.lengths = lengths_of({6, 2});
  CHECK(words("--train-lengths") == "--train-lengths 2,6");
  s.model.kind = ModelKind::gru;
  CHECK(words("--heads") == "");
}

TEST_CASE("settings: every value is read as it is printed, and no other setting with it") {
  Random random(6, Purpose::testing);
  for (int i = 0; i < 100; ++i) {
    const RunSettings settings = complete(random_settings(random));
    for (const Setting& setting : all_settings()) {
      if (is_default(setting, settings)) continue;
      CAPTURE(std::string(setting.name));
      const std::string value = setting.print(settings);
      RunSettings read, copied;
      setting.parse(read, {value, "test", setting.option, setting.limits});
      setting.copy(settings, copied);
      CHECK(setting.print(read) == value);
      CHECK(setting.print(copied) == value);
      for (const Setting& other : all_settings())
        if (&other != &setting) CHECK((is_default(other, read) && is_default(other, copied)));
    }
  }
}

TEST_CASE("settings: a range of lengths is two rising numbers, or one, or a list") {
  const Setting& setting = find_setting("--train-lengths");
  RunSettings s;
  const auto read = [&](const std::string& value) {
    setting.parse(s, {value, "do", setting.option, setting.limits});
    return setting.print(s);
  };
  CHECK(read("2-12") == "2-12");
  CHECK(s.train.lengths.low == 2);
  CHECK(s.train.lengths.high == 12);
  CHECK(read("7") == "7");
  CHECK(s.train.lengths.high == 7);
  CHECK(read("1000000") == "1000000");
  CHECK(read("9,3,9") == "3,9");
  CHECK(s.train.lengths.only == std::vector{3, 9});
  CHECK(read("4-5") == "4-5");
  CHECK(s.train.lengths.only.empty());
  for (const char* bad :
       {"-", "2-", "-2", "0-5", "a-b", "2-12-13", "2..12", "2 - 12", "1000001", "2-1000001", "2-99999999999"})
    CHECK(error_of([&] { read(bad); }) ==
          str("[do] --train-lengths '", bad,
              "' is not a range of lengths from 1 to 1000000. Hint: for example 12 or 2-12"));
  CHECK(error_of([&] { read("12-2"); }) ==
        "[do] --train-lengths '12-2': 12 is larger than 2. Hint: the smaller one first: 2-12");
  CHECK(read("2-4,8") == "2,3,4,8");
  CHECK(error_of([&] { read("4,x"); }).starts_with("[do] --train-lengths 'x' is not a whole number. Hint: "));
}

TEST_CASE("settings: listed training lengths are trained, and none between them") {
  RunSettings s = tiny_settings("sort", "rope");
  s.train.lengths = lengths_of({8, 4, 8});
  CHECK(s.train.lengths.only == std::vector{4, 8});
  CHECK(s.trains_at(4));
  CHECK_FALSE(s.trains_at(6));
  CHECK(s.trains_at(8));
  RunSettings range = s;
  range.train.lengths = {4, 8};
  CHECK(range.trains_at(6));
  CHECK(settings_key(s) != settings_key(range));
  CHECK(to_string(*to_json(s).find("train_lengths")) == R"({"only":[4,8]})");
  CHECK(to_string(*to_json(range).find("train_lengths")) == "[4,8]");
  CHECK(lengths_of({5, 5}).only.empty());  // is that length, as if it had been typed alone

  Json damaged = to_json(s);
  const auto error_with = [&](const char* lengths) {
    damaged.set("train_lengths", parse_json(lengths, ""));
    return error_of([&] { settings_from_json(damaged, "file"); });
  };
  CHECK(
      error_with(R"({"only":[]})") ==
      "[file] 'train_lengths' '' is not a range of lengths from 1 to 1000000. Hint: for example 12 or 2-12");
  CHECK(error_with(R"({"only":[4,0]})") ==
        "[file] 'train_lengths' 0 is out of range. Hint: give a whole number from 1 to 1000000");
  CHECK(error_with(R"({"other":[4]})") != "no error");
  CHECK(error_with("[9,4]") ==
        "[file] 'train_lengths' '9-4': 9 is larger than 4. Hint: the smaller one first: 4-9");
}

TEST_CASE("settings: seeds of one row have equal group keys, and differ in nothing but the seed") {
  const RunSettings one = tiny_settings("sort", "rope");
  RunSettings other = one;
  other.train.seed = 7;
  CHECK(group_key(one) == group_key(other));
  CHECK(settings_key(one) != settings_key(other));
  other.train.optimizer.clip = 2;
  CHECK(group_key(one) != group_key(other));
}

TEST_CASE("settings: settings written as JSON come back as they were, whatever they are") {
  Random random(5, Purpose::testing);
  for (int i = 0; i < 300; ++i) {
    const RunSettings settings = complete(random_settings(random));
    const Json json = to_json(settings);
    CAPTURE(to_string(json));
    const RunSettings back = settings_from_json(parse_json(to_string(json), ""), "");
    CHECK(to_json(back) == json);
    for (const Setting& setting : all_settings()) {
      CAPTURE(std::string(setting.name));
      CHECK(value_text(setting, back) == value_text(setting, settings));
    }
    CHECK(json.member("heads", "").is_null() == is_recurrent(settings.model.kind));
    CHECK(json.member("d_ff", "").is_null() == is_recurrent(settings.model.kind));
    CHECK(back.model.d_model == settings.model.d_model);
    CHECK(back.train.seed == settings.train.seed);
    CHECK(back.train.lengths.high == settings.train.lengths.high);
    CHECK(back.train.optimizer.clip == settings.train.optimizer.clip);
    CHECK(back.test_lengths == settings.test_lengths);
  }
}

// A number that is not a whole one, of transformers only, made every recurrent run die.
TEST_CASE("settings: a setting of any kind can have any role") {
  auto& table = const_cast<std::vector<Setting>&>(all_settings());  // restored below
  for (Setting& setting : table) {
    CAPTURE(std::string(setting.name));
    const Role role = setting.role;
    for (bool Role::*flag : {&Role::axis, &Role::transformers_only, &Role::fixed_by_training, &Role::is_seed,
                             &Role::in_every_row, &Role::omitted_at_default}) {
      const std::string_view name = setting.name;
      if (flag == &Role::transformers_only && (name == "task" || name == "scheme" || name == "model"))
        continue;
      setting.role = role;
      setting.role.*flag = true;
      for (const ModelKind kind : {ModelKind::encoder, ModelKind::gru}) {
        RunSettings settings;
        const std::string refused = error_of([&] { settings = tiny_settings("sort", "none", kind); });
        if (refused != "no error") {
          CHECK((refused.find("is for transformers") != refused.npos ||
                 refused.find("says how a text is read") != refused.npos));
          continue;
        }
        const Json json = to_json(settings);
        const RunSettings back = settings_from_json(json, "");
        CHECK(to_json(back) == json);
        CHECK(settings_key(back) == settings_key(settings));
        CHECK_FALSE(difference(back, settings).has_value());
        typed(setting, settings);
      }
    }
    setting.role = role;
  }
}

TEST_CASE("settings: what is left out suits the task and the model") {
  RunSettings encoder;
  encoder.task = "sort";
  encoder.model.scheme = "none";
  encoder = complete(encoder);
  CHECK(encoder.train.lengths.low == 12);
  CHECK(encoder.train.lengths.high == 12);
  CHECK(encoder.test_lengths == std::vector{12, 18, 24});
  CHECK(encoder.train.steps == 1000);
  CHECK(encoder.train.optimizer.learning_rate == 3e-3);
  CHECK(encoder.model.heads == 2);
  CHECK(encoder.model.d_model == 32);
  CHECK(encoder.model.d_ff == 128);

  RunSettings decoder;
  decoder.task = "sort";
  decoder.model.scheme = "none";
  decoder.model.kind = ModelKind::decoder;
  decoder = complete(decoder);
  CHECK(decoder.train.lengths.low == 2);
  CHECK(decoder.train.lengths.high == 12);
  CHECK(decoder.test_lengths == std::vector{12, 18, 24});
  CHECK(decoder.train.steps == 2500);
  CHECK(decoder.train.optimizer.learning_rate == 1e-3);
  CHECK(decoder.model.heads == 4);
  CHECK(decoder.model.d_model == 64);
  CHECK(decoder.model.d_ff == 256);

  RunSettings recurrent;
  recurrent.task = "unique";
  recurrent.model.kind = ModelKind::gru;
  recurrent = complete(recurrent);  // it generates, as a decoder does
  CHECK(recurrent.train.lengths.low == 2);
  CHECK(recurrent.model.d_model == 32);
  CHECK(recurrent.model.scheme == "none");
  CHECK(recurrent.train.steps == 2500);
  recurrent.task = "sort";
  recurrent.train.lengths = {};
  CHECK(complete(recurrent).train.lengths.low == 12);

  RunSettings table;
  table.model.scheme = "none";
  table.dataset = "datasets/before_after.tsv";
  table = complete(table);
  CHECK(table.task == "before_after");
  CHECK(table.test_lengths == task_of(table).fixed_lengths());
  CHECK(table.train.lengths.low == table.test_lengths.front());
  CHECK(table.train.lengths.high == table.test_lengths.back());

  RunSettings given = tiny_settings("sort", "none");
  CHECK(to_json(complete(given)) == to_json(given));
}

TEST_CASE("settings: every task has lengths to begin with, for each model that can do it") {
  for (const Task* task : all_tasks())
    for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
      if (kind == ModelKind::encoder && task->form == Form::generation) continue;
      RunSettings settings;
      settings.task = task->name;
      settings.model.kind = kind;
      settings.model.scheme = "none";
      settings = complete(settings);
      const LengthRange lengths = settings.train.lengths, usual = task->usual_lengths;
      CAPTURE(task->name);
      CHECK(lengths.low == (kind == ModelKind::encoder ? usual.low : *task->length_from(2)));
      CHECK(lengths.high == usual.high);
      CHECK(settings.test_lengths == usual_test_lengths(*task, usual.high));
      CHECK(settings.test_lengths.size() >= 2);  // no task ends before 1.5 times its usual length
      for (const int length : settings.test_lengths) CHECK_FALSE(task->test_set(length, 10).empty());
      Random random(1, Purpose::testing);
      for (auto length = task->length_from(lengths.low); *length < lengths.high;
           length = task->length_from(*length + 1))
        CHECK(std::ssize(task->sample(random, *length, Split::train).input) == *length);
    }
}

TEST_CASE("settings: lengths to test at are those that exist") {
  CHECK(usual_test_lengths(find_task("sort"), 10) == std::vector{10, 15, 20});
  CHECK(usual_test_lengths(find_task("addition"), 10) == std::vector{10, 16, 20});
  CHECK(usual_test_lengths(find_task("argsort"), 40) == std::vector{40, 60});
}

TEST_CASE("settings: settings that make no sense are refused before anything is built") {
  const auto error_with = [](auto change, const char* task = "before") {
    RunSettings settings;
    settings.model.scheme = "none";
    (std::string_view(task).ends_with(".tsv") ? settings.dataset : settings.task) = task;
    change(settings);
    try {
      complete(settings);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("no usage error");
  };
  CHECK(error_with([](RunSettings&) {}) == "no usage error");
  CHECK(error_with([](RunSettings& s) {
          s.model.scheme = "";
        }).starts_with("[train] --scheme SPEC is missing. Hint: "));
  CHECK(error_with([](RunSettings& s) { s.model.heads = -2; }) ==
        "[model] --heads is -2. Hint: give 1 or more");
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
        }) == "[before] an input of 1 tokens. Hint: the shortest has 2 (one A, one B, and digits)");
  CHECK(error_with([](RunSettings& s) {
          s.test_lengths = {12, 1};
        }) == "[before] an input of 1 tokens. Hint: the shortest has 2 (one A, one B, and digits)");
  CHECK(error_with([](RunSettings& s) {
          s.task = "brackets";
          s.train.lengths = lengths_of({4, 7, 8});
        }).starts_with("[brackets] an input of 7 tokens. Hint: the shortest has 2, the next 4"));
  const char* table = "datasets/before_after.tsv";
  CHECK(error_with(
            [](RunSettings& s) {
              s.train.lengths = lengths_of({6, 8, 9});
            },
            table) == "[before_after] no train row has an input of 8 tokens. Hint: the lengths are 6, 7, 9");
  CHECK(error_with([](RunSettings& s) { s.test_lengths = {99}; }, table) ==
        "[before_after] no test row has an input of 99 tokens. Hint: the lengths are 6, 7, 9");
  CHECK(error_with(
            [](RunSettings& s) {
              s.train.lengths = {98, 99};
            },
            table) ==
        "[before_after] no train row has an input of 98 to 99 tokens. Hint: the lengths are 6, 7, 9");
  CHECK(error_with([](RunSettings& s) {
          s.model.kind = ModelKind::rnn;
          s.model.heads = 2;
        }) == "[model] --heads is for transformers: a rnn has no attention. Hint: leave it out");
  CHECK(
      error_with([](RunSettings& s) { s.dataset = "notes.csv"; }) ==
      "[task] the dataset 'notes.csv' does not end in .tsv or .txt. Hint: a table ends in .tsv, a text in .txt; "
      "toy tasks are chosen with --task or --tasks");
  CHECK(error_with([](RunSettings&) {}, "befor") ==
        "[task] there is no task 'befor'. Hint: did you mean 'before'?");
}

TEST_CASE("settings: settings of a file that are missing, of another type or out of range are named") {
  const Json good = to_json(tiny_settings("before", "none"));
  const auto error_with = [&](const std::string& key, const Json& value) {
    Json json = good;
    json.set(key, value);
    return error_of([&] { settings_from_json(json, "results.jsonl:3"); });
  };
  for (const auto& entry : good.as_object("", "")) {
    const auto& key = entry.first;
    CAPTURE(key);
    Json::Object without;
    for (const auto& member : good.as_object("", ""))
      if (member.first != key) without.push_back(member);
    CHECK(error_of([&] { settings_from_json(Json(without), "f:3"); }) ==
          "[f:3] the key '" + key + "' is missing");
    const std::string error =
        error_with(key, entry.second.type() == Json::Type::boolean ? Json("x") : Json(false));
    CHECK(error.starts_with("[results.jsonl:3] '" + key + "' should be "));
  }
  CHECK(error_with("seed", -1) ==
        "[results.jsonl:3] 'seed' -1 is out of range. Hint: give a whole number from 0 to 1073741824");
  CHECK(error_with("model", "cnn").starts_with("[results.jsonl:3] there is no model 'cnn'. Hint: "));
  CHECK(error_with("scheme", nullptr) == "[results.jsonl:3] 'scheme' should be a string, is null");
  CHECK(
      error_with("d_model", 1LL << 40) ==
      "[results.jsonl:3] 'd_model' 1099511627776 is out of range. Hint: give a whole number from 1 to 1048576");
  CHECK(error_with("max_steps", 0) ==
        "[results.jsonl:3] 'max_steps' 0 is out of range. Hint: give a whole number from 1 to 1073741824");
  CHECK(error_with("model", "gru") == "[results.jsonl:3] 'heads' should be null: the model is a gru");
  CHECK(error_with("from", 3) == "[results.jsonl:3] 'from' should be a string, is a number");
  CHECK(error_with("clip", -1) ==
        "[results.jsonl:3] 'clip' -1 is out of range. Hint: give a number from 1e-09 to 1e+09");
  CHECK(error_with("train_lengths", Json::Array{6}) ==
        "[results.jsonl:3] 'train_lengths' should hold two numbers, the shortest and the longest");
  CHECK(error_with("test_lengths", Json::Array{6, "7"}) ==
        "[results.jsonl:3] 'test_lengths' should be a number, is a string");
}

TEST_CASE("settings: a table is opened once, by path; a file that is none is refused each time") {
  CHECK(&open_task("datasets/before_after.tsv") == &open_task("datasets/before_after.tsv"));
  CHECK(&open_task("sort") == &find_task("sort"));
  const TemporaryFolder folder;
  const std::string path = folder / "later.tsv",
                    expected = str("[", path,
                                   "] could not be read: No such file or directory. Hint: check the path");
  CHECK(error_of([&] { open_task(path); }) == expected);
  CHECK(error_of([&] { open_task(path); }) == expected);
  std::string rows;
  for (int i = 0; i < 40; ++i) rows += str("w", i, "\tyes\n");
  write_file_atomically(path, rows);
  CHECK(open_task(path).name == "later");
}
