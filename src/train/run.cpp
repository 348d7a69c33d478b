#include "train/run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "tasks/support/opened.h"
#include "tasks/support/text_task.h"

namespace locus {

namespace {

int read_count(const Json& json, std::string_view key, std::string_view where, int low,
               int high = std::numeric_limits<int>::max()) {
  return integer_in(json.member(key, where), where, key, low, high);
}

double read_fraction(const Json& json, std::string_view key, std::string_view where) {
  const double value = json.number(key, where);
  if (!(value >= 0 && value <= 1)) fail(where, text("'", key, "' should be from 0 to 1, is ", value));
  return value;
}

// Nats with six decimals: what is recorded does not depend on how a library rounds the last digits of exp and log.
double rounded(double nats) { return std::round(nats * 1e6) / 1e6; }

Json::Array rounded(const std::vector<double>& all) {
  Json::Array array;
  for (const double nats : all) array.emplace_back(rounded(nats));
  return array;
}

void set_text(const TextLoss& loss, const TextLevels& levels, Json& entry) {
  const auto number_or_null = [](const auto& value) { return value ? Json(rounded(*value)) : Json(); };
  entry.set("loss", rounded(loss.loss));
  entry.set("loss_sliding", rounded(loss.sliding));
  entry.set("unigram_loss", rounded(levels.unigram));
  entry.set("bigram_loss", number_or_null(levels.bigram));
  entry.set("floor", number_or_null(levels.floor));
  entry.set("loss_by_position", rounded(loss.by_position));
  if (levels.floor) entry.set("floor_by_position", rounded(levels.floor_by_position));
}

double read_nats(const Json& value, std::string_view where, std::string_view key) {
  const double nats = value.as_number(where, key);
  if (!(nats >= 0)) fail(where, text("'", key, "' should be 0 or more, is ", nats));
  return nats;
}

std::vector<double> read_all_nats(const Json& json, std::string_view where, std::string_view key) {
  std::vector<double> all;
  for (const Json& value : json.array(key, where)) all.push_back(read_nats(value, where, key));
  return all;
}

void read_text(const Json& json, std::string_view where, LengthScore& s) {
  const auto read = [&](std::string_view key) { return read_nats(json.member(key, where), where, key); };
  const auto read_optional = [&](std::string_view key) {
    return json.member(key, where).is_null() ? std::nullopt : std::optional(read(key));
  };
  s.score.text = {read("loss"), read("loss_sliding"), read_all_nats(json, where, "loss_by_position")};
  s.text = {read("unigram_loss"), read_optional("bigram_loss"), read_optional("floor")};
  if (s.text->floor) s.text->floor_by_position = read_all_nats(json, where, "floor_by_position");
}

LengthScore read_score(const Json& json, std::string_view where) {
  LengthScore s{.length = read_count(json, "length", where, 1, most::length),
                .score = {.token_accuracy = json.member("token_accuracy", where).is_null()
                                                ? std::numeric_limits<double>::quiet_NaN()
                                                : read_fraction(json, "token_accuracy", where),
                          .exact_match = read_fraction(json, "exact_match", where),
                          .examples = read_count(json, "examples", where, 1, most::test_examples)},
                .order_blind_ceiling = {},
                .no_input_baseline = read_fraction(json, "no_input_baseline", where),
                .answers = {}};
  if (!json.member("order_blind_ceiling", where).is_null())
    s.order_blind_ceiling = read_fraction(json, "order_blind_ceiling", where);
  if (json.find("loss")) read_text(json, where, s);
  if (json.find("answers"))
    for (const Json& answer : json.array("answers", where))
      s.answers.push_back(answer.as_string(where, "answers"));
  return s;
}

// A line of results does not say whether answers were generated, but its settings do, together with the form
// of the task. Only of a recurrent model on a task that is not here, such as a table that was moved, the form
// is not known: then its answers were generated if no length has a ceiling. Those to a text never are (batch.h).
bool generated(const RunSettings& settings, const std::vector<LengthScore>& by_length) {
  if (is_text_path(settings.dataset)) return false;
  if (!is_recurrent(settings.model.kind)) return settings.model.kind == ModelKind::decoder;
  if (const Task* task = task_if_there(settings)) return generates(settings.model.kind, task->form);
  return std::ranges::none_of(by_length,
                              [](const LengthScore& s) { return s.order_blind_ceiling.has_value(); });
}

// A reader of the vocabulary that looks for a mark by its name would find the word. (A model that is trained keeps its
// vocabulary.)
void refuse_marks_as_words(const Batcher& batcher) {
  const std::vector<std::string>& names = batcher.names();
  for (auto mark = names.end() - marks; mark != names.end(); ++mark)
    if (std::find(names.begin(), mark, *mark) != mark)
      fail(batcher.task().name,
           text("it has the word '", *mark,
                "', the name of a mark that a model reads beside the words when it generates"),
           "write the word in another way, such as in lower case");
}

}  // namespace

Run::Run(const RunSettings& settings, const Alphabet& known)
    : settings_(settings),
      task_(task_of(settings, known)),
      batcher_(task_, settings.model.kind),
      model_(make_model(settings.model, batcher_.task_shape())) {
  if (known.empty() && batcher_.generates()) refuse_marks_as_words(batcher_);
  const int longest =
      batcher_.model_length(std::max(std::ranges::max(settings_.test_lengths), settings_.train.lengths.high));
  const int capacity = model_->capacity();
  if (longest > capacity)
    fail_usage("scheme",
               text("'", settings_.model.scheme, "' has ", capacity, " positions, but inputs of up to ",
                    longest, " tokens are asked for"),
               text("raise its capacity to ", longest, ", or choose shorter lengths"));
  require_test_memory(1);
}

void Run::tell(const PositionChange& change) {
  model_->tell(change);
  change_ = change;
}

void Run::require_test_memory(int threads) const {
  const int longest = std::ranges::max(settings_.test_lengths);
  double bytes = evaluation_bytes(*model_, batcher_.model_length(longest), threads);
  if (task_.fingerprint.empty())  // the rows of a table are in memory already
    for (const int length : settings_.test_lengths)
      bytes += settings_.test_examples *
               (sizeof(int) * (double{1} * length + task_.longest_target(length)) + 2 * sizeof(Example));
  require_memory("test",
                 text("a model of ", model_->parameters().count(), " parameters, tested (--threads ", threads,
                      ") with ", settings_.test_examples, " inputs of each length up to ", longest, ","),
                 bytes, "make the model, --test-lengths, --test-examples or --threads smaller");
}

namespace {

// The mean over the tokens that an encoder answers.
double unigram_of_hidden(const Task& task, std::span<const Example> windows) {
  const CountingModels& counted = dynamic_cast<const TextTask&>(task).counted();
  double nats = 0;
  int hidden = 0;
  for (const int token : Batcher(task, ModelKind::encoder).batch(windows).targets)
    if (token != not_scored) nats += counted.unigram(token), ++hidden;
  return nats / hidden;
}

}  // namespace

Test test_at(const Task& task, const RunSettings& settings, int length) {
  Test test{task.test_set(length, settings.test_examples), {}, task.no_input_baseline(length)};
  if (!Batcher(task, settings.model.kind).generates())
    if (const auto ceiling = task.order_blind_ceiling(length)) test.order_blind_ceiling = ceiling->value;
  if (blindness_of(task, settings) == Blindness::mirror)
    if (const auto ceiling = task.mirror_blind_ceiling(length)) test.mirror_blind_ceiling = ceiling->value;
  test.text = task.text_levels(length, settings.test_examples);
  if (test.text && settings.model.kind == ModelKind::encoder)
    test.text = TextLevels{.unigram = unigram_of_hidden(task, test.examples)};
  return test;
}

Blindness blindness_of(const Task& task, const RunSettings& settings) {
  return make_model(settings.model, Batcher(task, settings.model.kind).task_shape())->blindness();
}

Draws Run::draws_at(int length) const { return {settings_.train.seed, Purpose::test_positions, length}; }

LengthScore Run::test(int length, const Real* parameters, Pool& pool) const {
  if (change_) check_length(*change_, batcher_.generates() ? length + 2 : length);  // of BOS input SEP
  const Test test = test_at(task_, settings_, length);
  return {length,
          evaluate(*model_, parameters, batcher_, test.examples, draws_at(length), pool),
          test.order_blind_ceiling,
          test.no_input_baseline,
          {},
          test.mirror_blind_ceiling,
          test.text};
}

std::vector<LengthScore> Run::test(const Real* parameters, Pool& pool) const {
  std::vector<LengthScore> scores;
  for (const int length : settings_.test_lengths) scores.push_back(test(length, parameters, pool));
  return scores;
}

std::string folder_name(std::string name) {
  constexpr std::size_t longest = 200, hash_digits = 20;
  if (name.size() > longest) name = text(name.substr(0, longest - hash_digits - 1), "_", hash(name));
  for (char& c : name)
    if (std::string_view(" /\\:*?\"<>|").find(c) != std::string_view::npos)
      c = '_';  // also Windows and exFAT
  return name;
}

std::string run_name(const RunSettings& s) {
  RunSettings named;  // the settings that the name holds so far
  for (const char* option : {"--task", "--dataset", "--model", "--scheme", "--seed"})
    find_setting(option).copy(s, named);
  std::string name = text(s.model.scheme, "-", s.model.kind, "-seed", s.train.seed);
  for (const Setting& setting : all_settings()) {
    const std::string option = setting.option;
    if (option == "--test-lengths" || option == "--test-examples") continue;  // the same model
    if (value_text(setting, s) == value_text(setting, with_defaults(named))) continue;
    setting.copy(s, named);
    name += "_" + option.substr(2) + (*setting.value ? "=" + value_text(setting, s) : "");
  }
  return text(s.task, "/", folder_name(name));
}

Result result_of(const Run& run, const Trainer& trainer, std::vector<LengthScore> scores) {
  Outcome outcome{.generates = run.batcher().generates(),
                  .parameters = static_cast<int>(run.model().parameters().count()),
                  .steps = trainer.step(),
                  .steps_to_solve = {},
                  .loss = trainer.loss(),
                  .status = trainer.status(),
                  .by_length = std::move(scores),
                  .table = run.task().fingerprint};
  if (trainer.steps_to_solve() > 0) outcome.steps_to_solve = trainer.steps_to_solve();
  if (trainer.status() != TrainStatus::diverged) outcome.rows = trainer.probed_rows();
  return {run.settings(), std::move(outcome)};
}

Json to_json(const Result& result) {
  const auto number_or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
  const Outcome& outcome = result.outcome;
  Json json = to_json(result.settings);
  if (!outcome.table.empty()) json.set("table", outcome.table);
  json.set("parameters", outcome.parameters);
  json.set("steps", outcome.steps);
  json.set("steps_to_solve", number_or_null(outcome.steps_to_solve));
  json.set("loss", outcome.loss);
  json.set("status", to_string(outcome.status));
  if (outcome.rows) {
    json.set("trained_rows_right", outcome.rows->trained_on);
    json.set("kept_rows_right", outcome.rows->kept);
  }
  Json::Array by_length;
  for (const LengthScore& s : outcome.by_length) {
    Json entry;
    entry.set("length", s.length);
    entry.set("token_accuracy", std::isnan(s.score.token_accuracy) ? Json() : Json(s.score.token_accuracy));
    entry.set("exact_match", s.score.exact_match);
    entry.set("order_blind_ceiling", number_or_null(s.order_blind_ceiling));
    entry.set("no_input_baseline", s.no_input_baseline);
    entry.set("examples", s.score.examples);
    if (s.score.text && s.text) set_text(*s.score.text, *s.text, entry);
    if (!s.answers.empty()) entry.set("answers", Json::Array(s.answers.begin(), s.answers.end()));
    by_length.push_back(entry);
  }
  json.set("by_length", by_length);
  return json;
}

Result read_result(const Json& json, const std::string& where) {
  Result result{settings_from_json(json, where), {}, where};
  Outcome& outcome = result.outcome;
  outcome.parameters = read_count(json, "parameters", where, 1);
  outcome.steps = read_count(json, "steps", where, 0);
  if (!json.member("steps_to_solve", where).is_null())
    outcome.steps_to_solve = read_count(json, "steps_to_solve", where, 1);
  if (outcome.steps_to_solve > outcome.steps)
    fail(where, text("'steps_to_solve' is ", *outcome.steps_to_solve, ", more than the ", outcome.steps,
                     " in 'steps'"));
  outcome.loss = json.number("loss", where);
  outcome.status = parse_train_status(json.string("status", where), where);
  for (const Json& entry : json.array("by_length", where))
    outcome.by_length.push_back(read_score(entry, where));
  if (outcome.by_length.empty()) fail(where, "'by_length' holds no length");
  if (!std::ranges::equal(outcome.by_length, result.settings.test_lengths, {}, &LengthScore::length))
    fail(where, "the lengths in 'by_length' are not those in 'test_lengths'");
  if (json.find("trained_rows_right"))
    outcome.rows = {read_fraction(json, "trained_rows_right", where),
                    read_fraction(json, "kept_rows_right", where)};
  if (json.find("table")) outcome.table = json.string("table", where);
  outcome.generates = generated(result.settings, outcome.by_length);
  for (const LengthScore& at : outcome.by_length)
    if (!outcome.generates && std::isnan(at.score.token_accuracy))
      fail(where, text("'token_accuracy' at length ", at.length, " is null"),
           "only that of generated answers may be");
  return result;
}

}  // namespace locus
