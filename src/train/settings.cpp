#include "train/settings.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/random.h"
#include "tasks/support/registry.h"
#include "tasks/support/table.h"

namespace locus {

namespace {

using Command = Role::Command;
using Whole = NumberMember<int>;
using Number = NumberMember<double>;
using Seed = NumberMember<std::uint64_t>;

// For every type of value: as text ...
std::string text_of(const auto& value) { return text(value); }
std::string text_of(bool value) { return value ? "yes" : "no"; }
std::string text_of(const std::vector<int>& lengths) {
  std::vector<std::string> words;
  for (const int length : lengths) words.push_back(text(length));
  return join(words, ",");
}

// ... as JSON ...
Json json_of(const auto& value) { return value; }
Json json_of(const std::string& value) { return value.empty() ? Json() : Json(value); }
Json json_of(ModelKind kind) { return to_string(kind); }
Json json_of(const LengthRange& range) {
  if (range.only.empty()) return Json::Array{range.low, range.high};
  Json json;
  json.set("only", Json::Array(range.only.begin(), range.only.end()));
  return json;
}
Json json_of(const std::vector<int>& lengths) { return Json::Array(lengths.begin(), lengths.end()); }

// ... and read from JSON.
template <class T>
T number_in(const Json& json, std::string_view where, std::string_view name, T low, T high) {
  const double number =
      std::is_integral_v<T> ? static_cast<double>(json.as_integer(where, name)) : json.as_number(where, name);
  if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)))
    fail(where, text("'", name, "' should be from ", low, " to ", high, ", is ", to_string(json)));
  return static_cast<T>(number);
}
template <class T>
void read(const NumberMember<T>& member, T& value, const Json& json, std::string_view where,
          std::string_view name) {
  value = number_in(json, where, name, member.low, member.high);
}
void read(const TextMember&, std::string& value, const Json& json, std::string_view where,
          std::string_view name) {
  value = json.is_null() ? "" : json.as_string(where, name);
}
void read(const KindMember&, ModelKind& kind, const Json& json, std::string_view where,
          std::string_view name) {
  try {
    kind = parse_model_kind(json.as_string(where, name));
  } catch (const UsageError& error) {
    fail(where, text("'", name, "' makes no sense: ", error.what()));  // a damaged file, not bad usage
  }
}
void read(const SwitchMember&, bool& value, const Json& json, std::string_view where, std::string_view name) {
  value = json.as_boolean(where, name);
}
void read(const LengthsMember&, std::vector<int>& lengths, const Json& json, std::string_view where,
          std::string_view name) {
  for (const Json& item : json.as_array(where, name))
    lengths.push_back(integer_in(item, where, name, 1, most::length));
  if (std::ssize(lengths) > most::test_lengths)
    fail(where, text("'", name, "' holds ", lengths.size(), " lengths; the most is ", most::test_lengths));
}
void read(const RangeMember&, LengthRange& range, const Json& json, std::string_view where,
          std::string_view name) {
  std::vector<int> ends;
  if (json.type() == Json::Type::object) {
    read(LengthsMember{}, ends, json.member("only", where), where, name);
    if (ends.empty()) fail(where, text("'", name, "' holds no length"));
    range = lengths_of(ends);
    return;
  }
  read(LengthsMember{}, ends, json, where, name);
  if (ends.size() != 2)
    fail(where, text("'", name, "' should hold two numbers, the shortest and the longest"));
  range = {ends[0], ends[1]};
}

// Calls `action` with the value of a setting. (The table has one accessor per member, for reading and
// writing.)
auto visit_value(const Setting& setting, const RunSettings& settings, const auto& action) {
  return std::visit(
      [&](const auto& member) { return action(*member.value_of(const_cast<RunSettings&>(settings))); },
      setting.member);
}

bool applies(const Setting& setting, const RunSettings& settings) {
  return !(setting.role.transformers_only && is_recurrent(settings.model.kind));
}

// The value in words, whether the model has such a setting or not.
std::string any_value_text(const Setting& setting, const RunSettings& settings) {
  return visit_value(setting, settings, [](const auto& value) { return text_of(value); });
}

bool is_default(const Setting& setting, const RunSettings& settings) {
  return value_text(setting, settings) == value_text(setting, RunSettings());
}

Setting row(const char* name, const char* option, const char* value, const char* help, Member member,
            Role role = {}) {
  return {name, option, value, help, member, role};
}

// The lengths must exist before anyone trains at them.
void check_lengths(const Task& task, const RunSettings& s) {
  const LengthRange& lengths = s.train.lengths;
  if (lengths.low < 1 || lengths.high < lengths.low || lengths.high > most::length)
    fail_usage("train",
               text("--train-lengths ", lengths.low, "-", lengths.high,
                    " is not a range of lengths from 1 to ", most::length),
               "for example 2-12");
  if (std::ssize(s.test_lengths) > most::test_lengths)
    fail_usage(
        "train",
        text("--test-lengths holds ", s.test_lengths.size(), " lengths; the most is ", most::test_lengths),
        "name fewer");
  for (const int length : s.test_lengths)
    if (length < 1) fail_usage("train", text("--test-lengths holds ", length), "lengths are 1 or more");
  Random random(s.train.seed, Purpose::training_data);
  for (const int length : lengths.only) task.draw(random, length, Split::train);
  if (task.fixed_lengths().empty())
    for (const int end : {lengths.low, lengths.high}) task.draw(random, end, Split::train);
  else
    task.draw(random, task.draw_length(random, lengths), Split::train);
  for (const int length : s.test_lengths) task.test_set(length, 1);
}

}  // namespace

char separator_of(const Setting& setting) {
  return std::holds_alternative<RangeMember>(setting.member) ? ';' : ',';
}

LengthRange lengths_of(std::vector<int> lengths) {
  std::ranges::sort(lengths);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  if (lengths.size() == 1) return {lengths.front(), lengths.front()};
  return {lengths.front(), lengths.back(), lengths};
}

const std::vector<Setting>& all_settings() {
  static std::vector<Setting> table = {
      row("task", "--task", "NAME", "a toy task: `locus tasks`",
          TextMember{[](RunSettings& s) { return &s.task; }},
          {.command = Command::train, .in_every_row = true}),
      row("dataset", "--dataset", "FILE.tsv", "a table of examples, or a text (FILE.txt): datasets/README.md",
          TextMember{[](RunSettings& s) { return &s.dataset; }},
          {.command = Command::train, .in_every_row = true}),
      row("tokens", "--tokens", "KIND", "of a text: char or word (char)",
          TextMember{[](RunSettings& s) { return &s.text.tokens; }},
          {.fixed_by_training = true, .left_out = true}),
      row("min_count", "--min-count", "N",
          "of a text: tokens that occur less often where it is trained on are unknown (1)",
          Whole{[](RunSettings& s) { return &s.text.min_count; }, 1, most::steps},
          {.fixed_by_training = true, .left_out = true}),
      row("scheme", "--scheme", "SPEC", "a positional scheme: `locus schemes` (rnn and gru: none)",
          TextMember{[](RunSettings& s) { return &s.model.scheme; }},
          {.command = Command::train, .in_every_row = true}),
      row("model", "--model", "KIND", "encoder, decoder, rnn or gru (encoder)",
          KindMember{[](RunSettings& s) { return &s.model.kind; }},
          {.axis = true, .fixed_by_training = true}),
      row("seed", "--seed", "N", "of the initial parameters and the training data (1)",
          Seed{[](RunSettings& s) { return &s.train.seed; }, 0, most::seed},
          {.command = Command::train, .is_seed = true, .in_every_row = true}),
      row("layers", "--layers", "N", "blocks of attention and feed-forward; of an rnn or gru, layers (2)",
          Whole{[](RunSettings& s) { return &s.model.layers; }, 1, most::layers},
          {.axis = true, .fixed_by_training = true}),
      row("heads", "--heads", "N", "attention heads; d-model must be a multiple (2; decoder 4)",
          Whole{[](RunSettings& s) { return &s.model.heads; }, 1, most::heads},
          {.axis = true, .transformers_only = true, .fixed_by_training = true}),
      row("d_model", "--d-model", "N", "width of the model (32; decoder 64)",
          Whole{[](RunSettings& s) { return &s.model.d_model; }, 1, most::d_model},
          {.axis = true, .fixed_by_training = true}),
      row("d_ff", "--d-ff", "N", "inner width of the feed-forward layer (4 x d-model)",
          Whole{[](RunSettings& s) { return &s.model.d_ff; }, 1, most::d_ff},
          {.axis = true, .transformers_only = true, .fixed_by_training = true}),
      row("score_scale", "--score-scale", "NAME",
          "none, or log: scores times ln(keys that a query sees), \"scalable softmax\" (none)",
          TextMember{[](RunSettings& s) { return &s.model.score_scale; }},
          {.axis = true, .transformers_only = true, .left_out = true}),
      row("batch", "--batch", "N", "examples per step (64)",
          Whole{[](RunSettings& s) { return &s.train.batch; }, 1, most::batch}, {.axis = true}),
      row("max_steps", "--steps", "N", "steps at most (1000; generating 2500)",
          Whole{[](RunSettings& s) { return &s.train.steps; }, 1, most::steps}, {.axis = true}),
      row("learning_rate", "--lr", "X", "peak learning rate (0.003; generating 0.001)",
          Number{[](RunSettings& s) { return &s.train.optimizer.learning_rate; }, 1e-9, 1e3}, {.axis = true}),
      row("warmup", "--warmup", "N",
          "steps in which the learning rate rises (100; at most a tenth of --steps)",
          Whole{[](RunSettings& s) { return &s.train.optimizer.warmup; }, 0, most::steps}),
      row("weight_decay", "--weight-decay", "X", "decoupled weight decay of AdamW (0.01)",
          Number{[](RunSettings& s) { return &s.train.optimizer.weight_decay; }, 0, 1e3}),
      row("clip", "--clip", "X", "largest global norm of a gradient (1)",
          Number{[](RunSettings& s) { return &s.train.optimizer.clip; }, 1e-9, 1e9}),
      row("stop_when_solved", "--full", "", "use all steps, even when the task is solved earlier",
          SwitchMember{[](RunSettings& s) { return &s.train.stop_when_solved; }, false}),
      row("train_lengths", "--train-lengths", "LO-HI",
          "lengths of training inputs, also as a list: 4,8,16 (12; generating 2-12; some tasks and all "
          "datasets: their own)",
          RangeMember{[](RunSettings& s) { return &s.train.lengths; }}, {.axis = true}),
      row("test_lengths", "--test-lengths", "A,B,C",
          "lengths to test at (1, 1.5 and 2 times the longest; a dataset's own)",
          LengthsMember{[](RunSettings& s) { return &s.test_lengths; }}),
      row("test_examples", "--test-examples", "N", "test inputs per length (4000)",
          Whole{[](RunSettings& s) { return &s.test_examples; }, 1, most::test_examples}),
      row("from", "--from", "DIR", "a trained run to go on from",
          TextMember{[](RunSettings& s) { return &s.from; }}, {.command = Command::train, .left_out = true}),
      row("trained_as", "--trained-as", "SPEC",
          "train every model with this scheme, and test it with those of --schemes",
          TextMember{[](RunSettings& s) { return &s.trained_as; }},
          {.command = Command::ablate, .left_out = true}),
      row("recalibrate", "--recalibrate", "N",
          "with --trained-as: go on with each scheme for N steps before the test (0)",
          Whole{[](RunSettings& s) { return &s.recalibrate; }, 0, most::steps - 1},
          {.command = Command::ablate, .axis = true, .left_out = true}),
      row("recalibrate_lr", "--recalibrate-lr", "X", "peak learning rate of these steps (as --lr)",
          Number{[](RunSettings& s) { return &s.recalibrate_rate; }, 1e-9, 1e3},
          {.command = Command::ablate, .axis = true, .left_out = true})};
  return table;
}

const Setting& find_setting(std::string_view option) {
  const auto found = std::ranges::find(all_settings(), option, &Setting::option);
  if (found == all_settings().end()) fail("settings", text("no setting has the option '", option, "'"));
  return *found;
}

std::string value_text(const Setting& setting, const RunSettings& settings) {
  return applies(setting, settings) ? any_value_text(setting, settings) : "";
}

std::string typed(const Setting& setting, const RunSettings& settings) {
  const std::string value = value_text(setting, settings);
  if (const auto* member = std::get_if<SwitchMember>(&setting.member))
    return value == text_of(member->when_given) ? setting.option : "";
  if (value.empty()) return "";
  const bool by_layer = std::string_view(setting.name) == "scheme" && value.find(' ') != value.npos;
  return text(by_layer ? "--scheme-by-layer" : setting.option, ' ', shell_word(value));
}

void copy_value(const Setting& setting, const RunSettings& from, RunSettings& to) {
  std::visit(
      [&](const auto& member) { *member.value_of(to) = *member.value_of(const_cast<RunSettings&>(from)); },
      setting.member);
}

std::optional<SettingDifference> difference(const RunSettings& first, const RunSettings& second,
                                            Compared compared) {
  const auto words = [](const Setting& setting, const RunSettings& settings) {
    const std::string typed_words = typed(setting, settings);
    return typed_words.empty() ? text("no ", setting.option) : typed_words;
  };
  for (const Setting& setting : all_settings())
    if ((compared == Compared::all || setting.role.fixed_by_training) &&
        value_text(setting, first) != value_text(setting, second))
      return SettingDifference{words(setting, first), words(setting, second)};
  return {};
}

SettingsKey settings_key(const RunSettings& settings) {
  SettingsKey key;
  for (const Setting& setting : all_settings()) key.push_back(value_text(setting, settings));
  return key;
}

SettingsKey group_key(const RunSettings& settings) {
  SettingsKey key;
  for (const Setting& setting : all_settings())
    if (!setting.role.is_seed) key.push_back(value_text(setting, settings));
  return key;
}

const Task& task_of(const RunSettings& settings, const Alphabet& known) {
  if (settings.dataset.empty()) {
    if (is_table_path(settings.task) || is_text_path(settings.task))
      fail_usage("task", text("'", settings.task, "' is a file"),
                 "give it with --dataset, or to ablate with --datasets");
    return open_task(settings.task, known);
  }
  if (!is_table_path(settings.dataset) && !is_text_path(settings.dataset))
    fail_usage("task", text("the dataset '", settings.dataset, "' does not end in .tsv or .txt"),
               "a table ends in .tsv, a text in .txt; toy tasks are chosen with --task or --tasks");
  return open_task(settings.dataset, known, settings.text);
}

const Task* task_if_there(const RunSettings& settings) {
  try {
    return &task_of(settings);
  } catch (const Error&) {
    return nullptr;
  }
}

std::vector<int> usual_test_lengths(const Task& task, int longest) {
  std::vector<int> lengths;
  longest = std::min(longest, 250'000'000);  // no overflow below; validation refuses such a length
  std::vector<int> all = {longest, longest / 2 * 3 + longest % 2, longest * 2};
  if (task.form == Form::text) all = {longest, longest * 2, longest * 4, longest * 8};
  for (const int wanted : all)
    if (const auto length = task.length_from(wanted)) lengths.push_back(*length);
  if (lengths.empty() && task.form == Form::text) lengths = {longest};  // too long: check_lengths says so
  return lengths;
}

namespace {

RunSettings with_defaults(RunSettings s, const Task& task) {
  s.task = task.name;
  const bool generates = locus::generates(s.model.kind, task.form),
             decoder = s.model.kind == ModelKind::decoder;
  if (s.model.d_model == 0) s.model.d_model = decoder ? 64 : 32;
  if (is_recurrent(s.model.kind)) {
    if (s.model.scheme.empty()) s.model.scheme = "none";  // they know order without
  } else {
    if (s.model.heads == 0) s.model.heads = decoder ? 4 : 2;
    if (s.model.d_ff == 0) s.model.d_ff = 4 * s.model.d_model;
  }
  const bool reads_text = task.form == Form::text;
  if (s.train.steps == 0) s.train.steps = generates || reads_text ? 2500 : 1000;
  if (s.train.optimizer.learning_rate == 0) s.train.optimizer.learning_rate = generates ? 1e-3 : 3e-3;
  if (s.recalibrate > 0 && s.recalibrate_rate == 0) s.recalibrate_rate = s.train.optimizer.learning_rate;

  const std::vector<int> fixed = task.fixed_lengths();
  LengthRange& lengths = s.train.lengths;
  if (lengths.high == 0 && !fixed.empty()) lengths = {fixed.front(), fixed.back()};
  if (lengths.high == 0)
    lengths = {generates ? task.length_from(2).value_or(2) : task.usual_lengths.low, task.usual_lengths.high};
  if (s.test_lengths.empty()) s.test_lengths = fixed;
  if (s.test_lengths.empty()) s.test_lengths = usual_test_lengths(task, lengths.high);
  return s;
}

}  // namespace

RunSettings with_defaults(const RunSettings& s) { return with_defaults(s, task_of(s)); }

RunSettings complete(RunSettings s) {
  if (is_recurrent(s.model.kind))
    for (const Setting& setting : all_settings())
      if (setting.role.transformers_only &&
          any_value_text(setting, s) != any_value_text(setting, RunSettings()))
        fail_usage("model",
                   text(setting.option, " is a size of transformers, and ", s.model.kind, " is none"),
                   "leave it out");
  const Task& task = task_of(s);
  if (task.form != Form::text)
    for (const char* option : {"--tokens", "--min-count"})
      if (const Setting& setting = find_setting(option); !is_default(setting, s))
        fail_usage("train", text(option, " says how a text is read, and '", task.name, "' is none"),
                   "leave it out");
  s = with_defaults(s, task);
  if (s.model.scheme.empty())
    fail_usage("train", "--scheme SPEC is missing", "`locus schemes` lists the schemes; none is one of them");
  check(s.model, Batcher(task, s.model.kind).task_shape());
  check_lengths(task, s);
  return s;
}

int integer_in(const Json& json, std::string_view where, std::string_view name, int low, int high) {
  return number_in(json, where, name, low, high);
}

Json to_json(const RunSettings& settings) {
  Json json;
  for (const Setting& setting : all_settings()) {
    if (setting.role.left_out && is_default(setting, settings)) continue;
    json.set(setting.name,
             applies(setting, settings)
                 ? visit_value(setting, settings, [](const auto& value) { return json_of(value); })
                 : Json());
  }
  return json;
}

RunSettings settings_from_json(const Json& json, std::string_view where) {
  RunSettings settings;
  for (const Setting& setting : all_settings()) {
    if (setting.role.left_out && !json.find(setting.name)) continue;
    const Json& value = json.member(setting.name, where);
    if (applies(setting, settings))
      std::visit(
          [&](const auto& member) { read(member, *member.value_of(settings), value, where, setting.name); },
          setting.member);
    else if (!value.is_null())
      fail(where, text("'", setting.name, "' should be null: the model is no transformer, but ",
                       settings.model.kind));
  }
  for (const char* name : {"task", "scheme"})
    if (json.member(name, where) == Json()) fail(where, text("'", name, "' should be a string, is null"));
  return settings;
}

}  // namespace locus
