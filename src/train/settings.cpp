#include "train/settings.h"

#include <algorithm>
#include <concepts>
#include <type_traits>

#include "base/error.h"
#include "base/named.h"
#include "base/numbers.h"

namespace locus {

namespace {

using Command = Role::Command;

// The text of a value of any type ...
std::string print_value(const auto& value) { return str(value); }
std::string print_value(bool value) { return value ? "yes" : "no"; }
std::string print_value(const std::vector<int>& lengths) { return join(lengths, ","); }

// ... and the value of a text.
void parse_value(const Given& given, auto& word) { word = given.value; }
void parse_value(const Given& given, ModelKind& kind) {
  kind = get_named(given.where, "model", all_model_kinds, given.value,
                   [](ModelKind one) { return to_string(one); });
}
void parse_value(const Given& given, bool& value) { value = given.value == "yes"; }
void parse_value(const Given& given, std::integral auto& value) {
  value = static_cast<std::remove_reference_t<decltype(value)>>(
      read_integer(given.where, given.name, given.value, static_cast<int>(given.limits.low),
                   static_cast<int>(given.limits.high)));
}
void parse_value(const Given& given, double& value) {
  value = read_number(given.where, given.name, given.value, given.limits.low, given.limits.high);
}
void parse_value(const Given& given, std::vector<int>& lengths) {
  lengths = given.value.empty() ? std::vector<int>()
                                : read_lengths(given.where, given.name, given.value, limits::length);
}
void parse_value(const Given& given, LengthRange& range) {
  if (given.value.find(',') != std::string::npos) {
    range = lengths_of(read_lengths(given.where, given.name, given.value, limits::length));
  } else {
    const auto [low, high] = read_range(given.where, given.name, given.value, limits::length);
    range = {low, high};
  }
}

template <class Value>
constexpr ValueType type_of = std::same_as<Value, bool>               ? ValueType::yes_no
                              : std::integral<Value>                  ? ValueType::whole
                              : std::floating_point<Value>            ? ValueType::number
                              : std::same_as<Value, std::vector<int>> ? ValueType::lengths
                              : std::same_as<Value, LengthRange>      ? ValueType::range
                                                                      : ValueType::word;

// `Member`: a function that gives the member of RunSettings which keeps the value.
template <class Member>
Setting row(const char* name, const char* option, const char* value, const char* help, Member,
            Limits limits = {}, Role role = {}, const char* when_given = "") {
  return {.name = name,
          .option = option,
          .value = value,
          .help = help,
          .type = type_of<std::remove_reference_t<decltype(Member{}(std::declval<RunSettings&>()))>>,
          .print = [](const RunSettings& s) { return print_value(Member{}(s)); },
          .parse = [](RunSettings& s, const Given& given) { parse_value(given, Member{}(s)); },
          .copy = [](const RunSettings& from, RunSettings& to) { Member{}(to) = Member{}(from); },
          .limits = limits,
          .role = role,
          .when_given = when_given};
}

}  // namespace

char separator_of(const Setting& setting) { return setting.type == ValueType::range ? ';' : ','; }

LengthRange lengths_of(std::vector<int> lengths) {
  std::ranges::sort(lengths);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  if (lengths.size() == 1) return {lengths.front(), lengths.front()};
  return {lengths.front(), lengths.back(), lengths};
}

const std::vector<Setting>& all_settings() {
  static std::vector<Setting> table = {
      row("task", "--task", "NAME", "a toy task: `locus tasks`", [](auto& s) -> auto& { return s.task; }, {},
          {.command = Command::train, .in_every_row = true, .group = "what is trained"}),
      row("dataset", "--dataset", "FILE.tsv", "a table of examples, or a text (FILE.txt): datasets/README.md",
          [](auto& s) -> auto& { return s.dataset; }, {},
          {.command = Command::train, .in_every_row = true, .group = "what is trained"}),
      row("tokens", "--tokens", "KIND", "what a token is: char or word (char)",
          [](auto& s) -> auto& { return s.text.tokens; }, {},
          {.fixed_by_training = true, .omitted_at_default = true, .group = "a text"}),
      row("min_count", "--min-count", "N",
          "tokens that occur less often in the part trained on are unknown (1)",
          [](auto& s) -> auto& { return s.text.min_count; }, {1, limits::steps},
          {.fixed_by_training = true, .omitted_at_default = true, .group = "a text"}),
      row("scheme", "--scheme", "SPEC", "a positional scheme: `locus schemes` (rnn and gru: none)",
          [](auto& s) -> auto& { return s.model.scheme; }, {},
          {.command = Command::train, .in_every_row = true, .group = "what is trained"}),
      row("model", "--model", "KIND", "encoder, decoder, rnn or gru (encoder)",
          [](auto& s) -> auto& { return s.model.kind; }, {},
          {.axis = true, .fixed_by_training = true, .group = "the model"}),
      row("seed", "--seed", "N", "of the initial parameters and the training data (1)",
          [](auto& s) -> auto& { return s.train.seed; }, {0, limits::seed},
          {.command = Command::train, .is_seed = true, .in_every_row = true, .group = "what is trained"}),
      row("layers", "--layers", "N", "blocks of attention and feed-forward; of an rnn or gru, layers (2)",
          [](auto& s) -> auto& { return s.model.layers; }, {1, limits::layers},
          {.axis = true, .fixed_by_training = true, .group = "the model"}),
      row("heads", "--heads", "N", "attention heads; d-model must be a multiple (2; decoder 4)",
          [](auto& s) -> auto& { return s.model.heads; }, {1, limits::heads},
          {.axis = true, .transformers_only = true, .fixed_by_training = true, .group = "the model"}),
      row("d_model", "--d-model", "N", "width of the model (32; decoder 64)",
          [](auto& s) -> auto& { return s.model.d_model; }, {1, limits::d_model},
          {.axis = true, .fixed_by_training = true, .group = "the model"}),
      row("d_ff", "--d-ff", "N", "inner width of the feed-forward layer (4 x d-model)",
          [](auto& s) -> auto& { return s.model.d_ff; }, {1, limits::d_ff},
          {.axis = true, .transformers_only = true, .fixed_by_training = true, .group = "the model"}),
      row("score_scale", "--score-scale", "NAME",
          "none, or log: scores times ln(keys that a query sees), \"scalable softmax\" (none)",
          [](auto& s) -> auto& { return s.model.score_scale; }, {},
          {.axis = true, .transformers_only = true, .omitted_at_default = true, .group = "the model"}),
      row("window_by_layer", "--window-by-layer", "W",
          "tokens that a query sees on each side, or none, for each layer in turn: \"4 none\" (none)",
          [](auto& s) -> auto& { return s.model.window_by_layer; }, {},
          {.axis = true,
           .transformers_only = true,
           .fixed_by_training = true,
           .omitted_at_default = true,
           .group = "the model"}),
      row(
          "qk_norm", "--qk-norm", "", "divide queries and keys by their root mean square, times a gain",
          [](auto& s) -> auto& { return s.model.qk_norm; }, {},
          {.transformers_only = true,
           .fixed_by_training = true,
           .omitted_at_default = true,
           .group = "the model"},
          "yes"),
      row("mixer_by_layer", "--mixer-by-layer", "KIND",
          "attention, or delta (the gated delta rule), for each layer of a decoder in turn (attention)",
          [](auto& s) -> auto& { return s.model.mixer_by_layer; }, {},
          {.axis = true,
           .transformers_only = true,
           .fixed_by_training = true,
           .omitted_at_default = true,
           .group = "the model"}),
      row("batch", "--batch", "N", "examples per step (64)", [](auto& s) -> auto& { return s.train.batch; },
          {1, limits::batch}, {.axis = true}),
      row("max_steps", "--steps", "N", "steps at most (1000; generating, and of texts, 2500)",
          [](auto& s) -> auto& { return s.train.steps; }, {1, limits::steps}, {.axis = true}),
      row("learning_rate", "--lr", "X", "peak learning rate (0.003; generating 0.001)",
          [](auto& s) -> auto& { return s.train.optimizer.learning_rate; }, {1e-9, 1e3},
          {.axis = true, .is_rate = true}),
      row("warmup", "--warmup", "N",
          "steps in which the learning rate rises (100; at most a tenth of --steps)",
          [](auto& s) -> auto& { return s.train.optimizer.warmup; }, {0, limits::steps}),
      row("weight_decay", "--weight-decay", "X", "decoupled weight decay of AdamW (0.01)",
          [](auto& s) -> auto& { return s.train.optimizer.weight_decay; }, {0, 1e3}),
      row("clip", "--clip", "X", "largest global norm of a gradient (1)",
          [](auto& s) -> auto& { return s.train.optimizer.clip; }, {1e-9, 1e9}),
      row(
          "stop_when_solved", "--full", "", "use all steps, even when the task is solved earlier",
          [](auto& s) -> auto& { return s.train.stop_when_solved; }, {}, {}, "no"),
      row("train_lengths", "--train-lengths", "LO-HI",
          "lengths of training inputs, also as a list: 4,8,16 (12; generating 2-12; some tasks and all "
          "datasets: their own)",
          [](auto& s) -> auto& { return s.train.lengths; }, {}, {.axis = true}),
      row("test_lengths", "--test-lengths", "A,B,C",
          "lengths to test at, also 2-12 (1, 1.5 and 2 times the longest; of texts 1, 2, 4 and 8 times; a table's own)",
          [](auto& s) -> auto& { return s.test_lengths; }, {}, {.group = "the test"}),
      row("test_examples", "--test-examples", "N", "test inputs per length (4000)",
          [](auto& s) -> auto& { return s.test_examples; }, {1, limits::test_examples},
          {.group = "the test"}),
      row("from", "--from", "DIR", "a trained run to go on from", [](auto& s) -> auto& { return s.from; }, {},
          {.command = Command::train, .omitted_at_default = true, .group = "what is trained"}),
      row("trained_as", "--trained-as", "SPEC",
          "train every model with this scheme, and test it with those of --schemes",
          [](auto& s) -> auto& { return s.trained_as; }, {},
          {.command = Command::ablate,
           .omitted_at_default = true,
           .group = "one training, read with several schemes"}),
      row("recalibrate", "--recalibrate", "N",
          "with --trained-as: go on with each scheme for N steps before the test (0)",
          [](auto& s) -> auto& { return s.recalibrate; }, {0, limits::steps - 1},
          {.command = Command::ablate,
           .axis = true,
           .omitted_at_default = true,
           .group = "one training, read with several schemes"}),
      row("recalibrate_lr", "--recalibrate-lr", "X", "peak learning rate of these steps (as --lr)",
          [](auto& s) -> auto& { return s.recalibrate_rate; }, {1e-9, 1e3},
          {.command = Command::ablate,
           .axis = true,
           .is_rate = true,
           .omitted_at_default = true,
           .group = "one training, read with several schemes"})};
  return table;
}

const Setting& find_setting(std::string_view option) {
  const auto found = std::ranges::find(all_settings(), option, &Setting::option);
  if (found == all_settings().end()) fail("settings", str("no setting has the option '", option, "'"));
  return *found;
}

bool applies(const Setting& setting, const RunSettings& settings) {
  return !(setting.role.transformers_only && is_recurrent(settings.model.kind));
}

bool is_default(const Setting& setting, const RunSettings& settings) {
  static const RunSettings usual;
  return setting.print(settings) == setting.print(usual);
}

std::string value_text(const Setting& setting, const RunSettings& settings) {
  return applies(setting, settings) ? setting.print(settings) : "";
}

std::string typed(const Setting& setting, const RunSettings& settings) {
  const std::string value = value_text(setting, settings);
  if (!*setting.value) return value == setting.when_given ? setting.option : "";
  if (value.empty()) return "";
  const bool by_layer = std::string_view(setting.name) == "scheme" && settings.model.scheme.is_by_layer();
  return str(by_layer ? "--scheme-by-layer" : setting.option, ' ', shell_word(value));
}

std::optional<SettingDifference> difference(const RunSettings& first, const RunSettings& second,
                                            Compared compared) {
  const auto words = [](const Setting& setting, const RunSettings& settings) {
    const std::string typed_words = typed(setting, settings);
    return typed_words.empty() ? str("no ", setting.option) : typed_words;
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

}  // namespace locus
