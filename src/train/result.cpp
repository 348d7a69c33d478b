#include "train/result.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "tasks/support/open_task.h"
#include "tasks/support/text_task.h"

namespace locus {

namespace {

int read_count(const Json& json, std::string_view key, std::string_view where, int low) {
  return integer_in(json.member(key, where), where, key, low, std::numeric_limits<int>::max());
}

// Nats with six decimals: what is recorded does not depend on how a library rounds the last digits of exp and log.
double rounded(double nats) { return std::round(nats * 1e6) / 1e6; }

Json::Array rounded(const std::vector<double>& all) {
  Json::Array array;
  for (const double nats : all) array.emplace_back(rounded(nats));
  return array;
}

Json rounded(const std::optional<double>& nats) { return nats ? Json(rounded(*nats)) : Json(); }

// A value for each test length, null where there is none; nothing when there is none at all.
void set_column(Json& json, const char* key, const std::vector<LengthScore>& scores, const auto& value_of) {
  Json::Array column;
  for (const LengthScore& s : scores) column.push_back(value_of(s));
  if (!std::ranges::all_of(column, &Json::is_null)) json.set(key, column);
}

// The same of a text; `value_of` gets its loss and its levels.
void set_text_column(Json& json, const char* key, const std::vector<LengthScore>& scores,
                     const auto& value_of) {
  set_column(json, key, scores,
             [&](const LengthScore& s) { return s.score.text && s.text ? Json(value_of(s)) : Json(); });
}

constexpr double any = std::numeric_limits<double>::infinity();

// A fraction, of which `high` is 1, or a loss.
double read_amount(const Json& value, std::string_view where, std::string_view key, double high) {
  const double amount = value.as_number(where, key);
  if (!(amount >= 0 && amount <= high))
    fail(where, str("'", key, "' should be ", high == any ? "0 or more" : "from 0 to 1", ", is ", amount));
  return amount;
}

// The score at a test length: of each column its value there.
LengthScore read_score(const Json& json, const std::vector<int>& lengths, std::size_t i,
                       std::string_view where) {
  const auto at = [&](std::string_view key) -> const Json& {
    static const Json none;
    if (!json.find(key)) return none;
    const Json::Array& column = json.array(key, where);
    if (column.size() != lengths.size())
      fail(where, str("'", key, "' holds ", column.size(), " values, 'test_lengths' ", lengths.size()));
    return column[i];
  };
  const auto amount = [&](std::string_view key, double high) {
    return read_amount(at(key), where, key, high);
  };
  const auto amount_if_any = [&](std::string_view key, double high) {
    return at(key).is_null() ? std::nullopt : std::optional(amount(key, high));
  };
  const auto by_position = [&](std::string_view key) {
    std::vector<double> all;
    for (const Json& value : at(key).as_array(where, key)) all.push_back(read_amount(value, where, key, any));
    return all;
  };
  LengthScore s{
      .length = lengths[i],
      .score = {.token_accuracy = amount("token_accuracy", 1),
                .exact_match = amount("exact_match", 1),
                .examples = integer_in(at("examples"), where, "examples", 1, limits::test_examples)},
      .order_blind_ceiling = amount_if_any("order_blind_ceiling", 1),
      .no_input_baseline = amount("no_input_baseline", 1)};
  if (!at("test_loss").is_null()) {
    s.score.text = {amount("test_loss", any), amount("test_loss_sliding", any),
                    by_position("loss_by_position")};
    s.text = {amount("unigram_loss", any), amount_if_any("bigram_loss", any), amount_if_any("floor", any)};
    if (s.text->floor) s.text->floor_by_position = by_position("floor_by_position");
  }
  if (!at("answers").is_null())
    for (const Json& answer : at("answers").as_array(where, "answers"))
      s.answers.push_back(answer.as_string(where, "answers"));
  return s;
}

TrainStatus usual_status(const Outcome& outcome) {
  return outcome.steps_to_solve ? TrainStatus::solved : TrainStatus::finished;
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

}  // namespace

Result result_of(const Run& run, const Trainer& trainer, std::vector<LengthScore> scores) {
  Outcome outcome{.generates = run.batcher().generates(),
                  .parameters = static_cast<int>(run.model().parameters().count()),
                  .steps = trainer.step(),
                  .steps_to_solve = {},
                  .loss = trainer.loss(),
                  .status = trainer.status(),
                  .by_length = std::move(scores),
                  .table = run.task().fingerprint,
                  .curve = trainer.state().curve};
  if (trainer.steps_to_solve() > 0) outcome.steps_to_solve = trainer.steps_to_solve();
  if (trainer.status() != TrainStatus::diverged) outcome.rows = trainer.validated_rows();
  return {run.settings(), std::move(outcome)};
}

Json conditions_json(const Result& result) {
  const Outcome& outcome = result.outcome;
  const std::vector<LengthScore>& scores = outcome.by_length;
  Json json = to_json(result.settings);
  if (!outcome.table.empty()) json.set("table", outcome.table);
  json.set("parameters", outcome.parameters);
  set_column(json, "examples", scores, [](auto& s) { return s.score.examples; });
  set_column(json, "no_input_baseline", scores, [](auto& s) { return s.no_input_baseline; });
  set_column(json, "order_blind_ceiling", scores,
             [](auto& s) { return s.order_blind_ceiling ? Json(*s.order_blind_ceiling) : Json(); });
  set_text_column(json, "unigram_loss", scores, [](auto& s) { return rounded(s.text->unigram); });
  set_text_column(json, "bigram_loss", scores, [](auto& s) { return rounded(s.text->bigram); });
  set_text_column(json, "floor", scores, [](auto& s) { return rounded(s.text->floor); });
  set_text_column(json, "floor_by_position", scores,
                  [](auto& s) { return s.text->floor ? rounded(s.text->floor_by_position) : Json(); });
  return json;
}

Json to_json(const Result& result) {
  const Outcome& outcome = result.outcome;
  const std::vector<LengthScore>& scores = outcome.by_length;
  Json json = conditions_json(result);
  json.set("steps", outcome.steps);
  if (outcome.steps_to_solve) json.set("steps_to_solve", *outcome.steps_to_solve);
  json.set("loss", outcome.loss);
  if (outcome.status != usual_status(outcome)) json.set("status", to_string(outcome.status));
  if (outcome.rows) {
    json.set("trained_rows_right", outcome.rows->trained_on);
    json.set("kept_rows_right", outcome.rows->kept);
  }
  set_column(json, "token_accuracy", scores, [](auto& s) { return s.score.token_accuracy; });
  set_column(json, "exact_match", scores, [](auto& s) { return s.score.exact_match; });
  set_text_column(json, "test_loss", scores, [](auto& s) { return rounded(s.score.text->loss); });
  set_text_column(json, "test_loss_sliding", scores, [](auto& s) { return rounded(s.score.text->sliding); });
  set_text_column(json, "loss_by_position", scores,
                  [](auto& s) { return rounded(s.score.text->by_position); });
  set_column(json, "answers", scores, [](auto& s) {
    return s.answers.empty() ? Json() : Json(Json::Array(s.answers.begin(), s.answers.end()));
  });
  if (!outcome.curve.step.empty()) json.set("curve", to_json(outcome.curve));
  return json;
}

Result read_result(const Json& json, const std::string& where) {
  Result result{settings_from_json(json, where), {}, where};
  Outcome& outcome = result.outcome;
  if (json.find("table")) outcome.table = json.string("table", where);
  outcome.parameters = read_count(json, "parameters", where, 1);
  outcome.steps = read_count(json, "steps", where, 0);
  if (json.find("steps_to_solve")) outcome.steps_to_solve = read_count(json, "steps_to_solve", where, 1);
  if (outcome.steps_to_solve > outcome.steps)
    fail(where, str("'steps_to_solve' is ", *outcome.steps_to_solve, ", more than the ", outcome.steps,
                    " in 'steps'"));
  outcome.loss = json.number("loss", where);
  outcome.status =
      json.find("status") ? parse_train_status(json.string("status", where), where) : usual_status(outcome);
  if (json.find("trained_rows_right"))
    outcome.rows = {read_amount(json.member("trained_rows_right", where), where, "trained_rows_right", 1),
                    read_amount(json.member("kept_rows_right", where), where, "kept_rows_right", 1)};
  const std::vector<int>& lengths = result.settings.test_lengths;
  if (lengths.empty()) fail(where, "'test_lengths' is empty");
  for (std::size_t i = 0; i < lengths.size(); ++i)
    outcome.by_length.push_back(read_score(json, lengths, i, where));
  if (json.find("curve")) outcome.curve = read_curve(json.member("curve", where), where);
  outcome.generates = generated(result.settings, outcome.by_length);
  return result;
}

Json to_json(const Curve& curve) {
  Json::Array validations;
  for (std::size_t i = 0; i < curve.step.size(); ++i)
    validations.emplace_back(Json::Array{curve.step[i], curve.loss[i], curve.accuracy[i]});
  return validations;
}

Curve read_curve(const Json& json, std::string_view where) {
  Curve curve;
  for (const Json& validation : json.as_array(where, "curve")) {
    const Json::Array& numbers = validation.as_array(where, "curve");
    if (numbers.size() != 3)
      fail(where, str("a validation in 'curve' holds ", numbers.size(),
                      " numbers, should hold 3: step, loss and accuracy"));
    const int last = curve.step.empty() ? 0 : curve.step.back();
    curve.step.push_back(integer_in(numbers[0], where, "curve", last + 1, std::numeric_limits<int>::max()));
    curve.loss.push_back(numbers[1].as_number(where, "curve"));
    curve.accuracy.push_back(read_amount(numbers[2], where, "curve", 1));
  }
  return curve;
}

}  // namespace locus
