#include "train/run.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/error.h"
#include "base/memory.h"
#include "tasks/support/registry.h"
#include "tasks/support/table.h"

namespace locus {

namespace {

bool is_path(const std::string& task) { return task.ends_with(".tsv"); }

ModelSettings suited(ModelSettings model, const Task& task, const Encoding& encoding) {
  model.vocabulary = encoding.vocabulary();
  model.pooled = encoding.pooled();
  model.generates = encoding.generates();
  model.digits.clear();
  for (std::size_t token = 0; token < task.alphabet.size(); ++token)
    if (const std::string& name = task.alphabet[token]; name.size() == 1 && name >= "0" && name <= "9")
      model.digits.push_back(static_cast<int>(token));
  return model;
}

Json::Array integers(const std::vector<int>& values) { return {values.begin(), values.end()}; }

int read_integer(const Json& json, std::string_view key, std::string_view where, int low, int high) {
  const long long value = json.as_integer(where, key);
  if (value < low || value > high)
    fail(where, text("'", key, "' should be from ", low, " to ", high, ", is ", value));
  return static_cast<int>(value);
}

double read_number(const Json& json, std::string_view key, std::string_view where) {
  const double value = json.number(key, where);
  if (value < 0) fail(where, text("'", key, "' should not be negative, is ", value));
  return value;
}

std::vector<int> read_lengths(const Json& json, std::string_view key, std::string_view where) {
  std::vector<int> values;
  for (const Json& item : json.array(key, where))
    values.push_back(read_integer(item, key, where, 1, most::length));
  return values;
}

// The lengths must exist before anyone trains at them.
void check_lengths(const Task& task, const RunSettings& s) {
  const LengthRange lengths = s.train.lengths;
  Random random(s.train.seed, Purpose::training_data);
  if (task.fixed_lengths().empty())
    for (const int end : {lengths.low, lengths.high}) task.draw(random, end, Split::train);
  else
    task.draw(random, task.draw_length(random, lengths), Split::train);
  for (const int length : s.test_lengths) task.test_set(length, 1);
}

}  // namespace

const Task& open_task(const std::string& name_or_path) {
  if (!is_path(name_or_path)) return find_task(name_or_path);
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<Table>> tables;
  std::lock_guard lock(mutex);
  auto& table = tables[name_or_path];
  if (!table) table = std::make_unique<Table>(name_or_path);
  return *table;
}

std::vector<int> usual_test_lengths(const Task& task, int longest) {
  std::vector<int> lengths;
  for (const int wanted : {longest, longest * 3 / 2, longest * 2})
    if (const auto length = task.length_from(wanted)) lengths.push_back(*length);
  return lengths;
}

RunSettings complete(RunSettings s) {
  const Task& task = open_task(s.task);
  const Encoding encoding(task, s.model.kind);
  const bool generates = encoding.generates();
  const std::vector<int> fixed = task.fixed_lengths();
  LengthRange& lengths = s.train.lengths;
  if (!fixed.empty() && lengths.high == 0) lengths = {fixed.front(), fixed.back()};
  if (lengths.high == 0)
    lengths = {generates ? task.length_from(2).value_or(2) : task.usual_lengths.low, task.usual_lengths.high};
  if (lengths.low < 1 || lengths.high < lengths.low || lengths.high > most::length)
    fail_usage("train",
               text("--train-lengths ", lengths.low, "-", lengths.high,
                    " is not a range of lengths from 1 to ", most::length),
               "for example 2-12");
  if (s.test_lengths.empty()) s.test_lengths = fixed;
  if (s.test_lengths.empty()) s.test_lengths = usual_test_lengths(task, lengths.high);
  if (s.train.steps == 0) s.train.steps = generates ? 2500 : 1000;
  if (s.train.optimizer.learning_rate == 0) s.train.optimizer.learning_rate = generates ? 1e-3 : 3e-3;
  if (s.model.d_ff == 0 && !is_recurrent(s.model.kind)) s.model.d_ff = 4 * s.model.d_model;

  check(suited(s.model, task, encoding));
  for (const int length : s.test_lengths)
    if (length < 1) fail_usage("train", text("--test-lengths holds ", length), "lengths are 1 or more");
  check_lengths(task, s);
  return s;
}

Json to_json(const RunSettings& s) {
  Json json;
  json.set("task", open_task(s.task).name);
  json.set("dataset", is_path(s.task) ? Json(s.task) : Json());
  json.set("scheme", s.model.scheme);
  json.set("model", to_string(s.model.kind));
  json.set("seed", s.train.seed);
  json.set("layers", s.model.layers);
  const bool recurrent = is_recurrent(s.model.kind);  // without heads and inner width
  json.set("heads", recurrent ? Json() : Json(s.model.heads));
  json.set("d_model", s.model.d_model);
  json.set("d_ff", recurrent ? Json() : Json(s.model.d_ff));
  json.set("batch", s.train.batch);
  json.set("max_steps", s.train.steps);
  json.set("learning_rate", s.train.optimizer.learning_rate);
  json.set("warmup", s.train.optimizer.warmup);
  json.set("weight_decay", s.train.optimizer.weight_decay);
  json.set("clip", s.train.optimizer.clip);
  json.set("stop_when_solved", s.train.stop_when_solved);
  json.set("train_lengths", Json::Array{s.train.lengths.low, s.train.lengths.high});
  json.set("test_lengths", integers(s.test_lengths));
  json.set("test_examples", s.test_examples);
  if (!s.from.empty()) json.set("from", s.from);
  if (!s.trained_as.empty()) json.set("trained_as", s.trained_as);
  return json;
}

RunSettings run_settings(const Json& json, std::string_view where) {
  auto integer = [&](std::string_view key, int low, int high) {
    return read_integer(json.member(key, where), key, where, low, high);
  };
  RunSettings s;
  const Json& dataset = json.member("dataset", where);
  s.task = dataset.is_null() ? json.string("task", where) : dataset.as_string(where, "dataset");
  s.model.scheme = json.string("scheme", where);
  const long long seed = json.integer("seed", where);
  if (seed < 0) fail(where, text("'seed' should not be negative, is ", seed));
  s.train.seed = static_cast<std::uint64_t>(seed);
  s.model.layers = integer("layers", 1, most::layers);
  s.model.d_model = integer("d_model", 1, most::d_model);
  s.train.batch = integer("batch", 1, most::batch);
  s.train.steps = integer("max_steps", 1, most::steps);
  s.train.optimizer.learning_rate = read_number(json, "learning_rate", where);
  s.train.optimizer.warmup = integer("warmup", 0, most::steps);
  s.train.optimizer.weight_decay = read_number(json, "weight_decay", where);
  s.train.optimizer.clip = read_number(json, "clip", where);
  s.train.stop_when_solved = json.boolean("stop_when_solved", where);
  const std::vector<int> lengths = read_lengths(json, "train_lengths", where);
  if (lengths.size() != 2)
    fail(where, "'train_lengths' should hold two numbers, the shortest and the longest");
  s.train.lengths = {lengths[0], lengths[1]};
  s.test_lengths = read_lengths(json, "test_lengths", where);
  s.test_examples = integer("test_examples", 1, most::test_examples);
  if (json.find("from")) s.from = json.string("from", where);
  if (json.find("trained_as")) s.trained_as = json.string("trained_as", where);
  const std::string& model = json.string("model", where);
  try {
    s.model.kind = parse_model_kind(model);
    if (is_recurrent(s.model.kind)) {
      for (const char* key : {"heads", "d_ff"})
        if (!json.member(key, where).is_null())
          fail(where, text("'", key, "' should be null: the model is no transformer, but ", s.model.kind));
    } else {
      s.model.heads = integer("heads", 1, most::heads);
      s.model.d_ff = integer("d_ff", 1, most::d_ff);
    }
    return complete(s);
  } catch (const UsageError& error) {
    fail(where,
         text("its settings make no sense: ", error.what()));  // a damaged file, not a mistyped command
  }
}

Run::Run(const RunSettings& settings)
    : settings_(settings),
      task_(open_task(settings.task)),
      encoding_(task_, settings.model.kind),
      model_(make_model(suited(settings.model, task_, encoding_))) {
  const int longest_test = encoding_.model_length(*std::ranges::max_element(settings_.test_lengths));
  const int longest = std::max(longest_test, encoding_.model_length(settings_.train.lengths.high));
  const int capacity = model_->capacity();
  if (longest > capacity)
    fail_usage("scheme",
               text("'", settings_.model.scheme, "' has ", capacity, " positions, but inputs of up to ",
                    longest, " tokens are asked for"),
               text("raise its capacity to ", longest, ", or choose shorter lengths"));
  require_memory(
      "test",
      text("a model of ", model_->parameters().count(), " parameters reading ", longest_test, " tokens"),
      evaluation_bytes(*model_, longest_test, hardware_threads()),
      "make the model or the longest of --test-lengths smaller");
}

Test test_at(const RunSettings& settings, int length) {
  const Task& task = open_task(settings.task);
  Test test{task.test_set(length, settings.test_examples), {}, task.no_input_baseline(length)};
  if (!Encoding(task, settings.model.kind).generates())
    if (const auto ceiling = task.order_blind_ceiling(length)) test.order_blind_ceiling = ceiling->value;
  return test;
}

std::vector<LengthScore> Run::test(const Real* parameters, Pool& pool) const {
  std::vector<LengthScore> scores;
  for (const int length : settings_.test_lengths) {
    const Test test = test_at(settings_, length);
    scores.push_back({length, evaluate(*model_, parameters, encoding_, test.examples, pool),
                      test.order_blind_ceiling, test.no_input_baseline});
  }
  return scores;
}

Json result_json(const Run& run, const Trainer& trainer, const std::vector<LengthScore>& scores) {
  Json json = to_json(run.settings());
  json.set("parameters", run.model().parameters().count());
  json.set("steps", trainer.step());
  json.set("steps_to_solve", trainer.steps_to_solve() > 0 ? Json(trainer.steps_to_solve()) : Json());
  json.set("loss", trainer.loss());
  json.set("status", to_string(trainer.status()));
  Json::Array by_length;
  for (const LengthScore& s : scores) {
    Json entry;
    entry.set("length", s.length);
    entry.set("token_accuracy", s.score.token_accuracy);
    entry.set("exact_match", s.score.exact_match);
    entry.set("order_blind_ceiling", s.order_blind_ceiling ? Json(*s.order_blind_ceiling) : Json());
    entry.set("no_input_baseline", s.no_input_baseline);
    entry.set("examples", s.score.examples);
    by_length.push_back(entry);
  }
  json.set("by_length", by_length);
  return json;
}

}  // namespace locus
