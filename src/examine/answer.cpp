#include "examine/answer.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/machine.h"
#include "base/size.h"

namespace locus {

namespace {

// The logits of one pass, row by row.
std::vector<Reals> rows_of(const Tensor& logits) {
  const auto V = as_size(logits.shape().last());
  std::vector<Reals> rows;
  for (const Real* row = logits.value(); rows.size() < as_size(logits.shape().rows()); row += V)
    rows.emplace_back(row, row + V);
  return rows;
}

// Adds the most likely token to an answer, or ends it where a logit is not a number.
void add_most_likely(const Reals& logits, Answer& answer) {
  const int best = most_likely_token(logits.data(), static_cast<int>(logits.size()));
  answer.no_number |= best == no_answer;
  if (answer.no_number) return answer.tokens.clear();
  double sum = 0;
  for (const Real logit : logits) sum += std::exp(double{logit} - double{logits[as_size(best)]});
  answer.tokens.push_back({best, 1 / sum});
}

void check_length(const Run& run, int length) {
  const int read = run.batcher().model_length(length) + (run.batcher().continues() ? continuation : 0),
            most = run.model().capacity();
  if (read > most)
    fail_usage("ask", str("the model would read ", read, " tokens; the most is ", most),
               "give a shorter input");
  require_memory("ask", str("a model that reads ", read, " tokens"), evaluation_bytes(run.model(), read, 1),
                 "give a shorter input");
}

}  // namespace

std::vector<bool> Answer::wrong() const {
  std::vector<bool> wrong;
  if (!target) return wrong;
  for (std::size_t i = 0; i < std::max(tokens.size(), target->size()); ++i)
    wrong.push_back(i >= tokens.size() || i >= target->size() || tokens[i].token != (*target)[i]);
  return wrong;
}

int Answer::wrong_count() const { return static_cast<int>(std::ranges::count(wrong(), true)); }

Answer ask(const Run& run, const Real* parameters, const Tokens& input, const Random& positions) {
  const int length = static_cast<int>(input.size());
  const Batcher& batcher = run.batcher();
  check_length(run, length);
  Answer answer{
      .input = input, .read = input, .tokens = {}, .target = run.task().target_of(input), .logits = {}};
  if (!batcher.generates() && !batcher.continues()) {
    Tape tape(parameters);
    answer.logits = rows_of(run.model().logits(tape, inputs_at_test(tape, input, length, positions)));
    for (const Reals& row : answer.logits) add_most_likely(row, answer);
    return answer;
  }
  if (answer.target) answer.target->push_back(batcher.end());
  const int longest = batcher.continues() ? continuation : run.task().longest_target(length);
  // Each token keeps the logits of the pass that chose it: a later pass may compute others in their place, where the
  // scheme is given the length or draws positions.
  Tokens said = generate(run.model(), parameters, batcher, input, longest + 1, positions, [&](Tensor logits) {
    std::vector<Reals> rows = rows_of(logits);
    if (answer.logits.empty())
      answer.logits = std::move(rows);
    else
      answer.logits.push_back(std::move(rows.back()));
    add_most_likely(answer.logits.back(), answer);
  });
  if (std::ssize(said) > longest) said.pop_back();  // it did not end, and its last token was never read
  answer.read = batcher.prompt(input);
  answer.read.insert(answer.read.end(), said.begin(), said.end());
  return answer;
}

std::string spell(const Answer& answer, const Run& run) {
  std::vector<std::string> words;
  for (const AnswerToken& one : answer.tokens)
    if (!run.batcher().generates() || one.token != run.batcher().end())
      words.push_back(run.batcher().names()[as_size(one.token)]);
  return join(words, run.task().between);
}

std::string verdict(const Answer& answer) {
  if (!answer.target) return "the right answer is not known";
  const int wrong = answer.wrong_count();
  return wrong == 0 ? "right" : str("wrong: ", wrong, " of ", answer.wrong().size(), " tokens");
}

std::string untrained_length(const Run& run, int length) {
  const RunSettings& settings = run.settings();
  const LengthRange& trained = settings.train.lengths;
  if (run.task().length_from(length) == length && settings.trains_at(length)) return "";
  return str("length ", length, settings.from.empty() ? " was never trained" : " was not trained in this run",
             " (trained at ",
             trained.only.empty() && trained.low < trained.high ? str(trained.low, " to ", trained.high)
                                                                : to_string(trained),
             ")");
}

Json to_json(const Answer& answer, const Run& run, bool with_logits) {
  const std::vector<std::string>& names = run.batcher().names();
  const auto spelled = [&](const Tokens& tokens) {
    std::vector<std::string> words;
    for (const int token : tokens) words.push_back(names[as_size(token)]);
    return Json(join(words, run.task().between));
  };
  Tokens tokens;
  Json::Array probabilities, wrong, warnings;
  for (const auto& [token, probability] : answer.tokens) {
    tokens.push_back(token);
    probabilities.push_back(probability);
  }
  const std::vector<bool> wrong_at = answer.wrong();
  for (std::size_t i = 0; i < wrong_at.size(); ++i)
    if (wrong_at[i]) wrong.push_back(i);
  if (const std::string untrained = untrained_length(run, static_cast<int>(answer.input.size()));
      !untrained.empty())
    warnings.push_back(untrained);
  if (answer.no_number) warnings.push_back(str(computes_no_number, ": there is no answer"));
  Json json;
  json.set("input", spelled(answer.input));
  json.set("answer", answer.no_number ? Json() : spelled(tokens));
  json.set("probabilities", probabilities);
  json.set("target", answer.target ? spelled(*answer.target) : Json());
  json.set("right", answer.target ? Json(answer.wrong_count() == 0) : Json());
  json.set("wrong", wrong);
  json.set("warnings", warnings);
  if (with_logits) {
    Json::Array rows;
    for (const Reals& row : answer.logits) {
      Json::Array numbers;
      for (const Real logit : row) {
        numbers.emplace_back();
        if (std::isfinite(logit)) numbers.back() = double{logit};
      }
      rows.push_back(numbers);
    }
    json.set("read", spelled(answer.read));
    json.set("logits", rows);
  }
  return json;
}

}  // namespace locus
