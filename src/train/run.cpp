#include "train/run.h"

#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "tasks/support/open_task.h"
#include "tasks/support/text_task.h"

namespace locus {

namespace {

// A reader of the vocabulary that looks for a mark by its name would find the word. (A model that is trained keeps its
// vocabulary.)
void refuse_marks_as_words(const Batcher& batcher) {
  const std::vector<std::string>& names = batcher.names();
  for (auto mark = names.end() - marks; mark != names.end(); ++mark)
    if (std::find(names.begin(), mark, *mark) != mark)
      fail(batcher.task().name,
           str("it has the word '", *mark,
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
               str("'", settings_.model.scheme, "' has ", capacity, " positions, but inputs of up to ",
                   longest, " tokens are asked for"),
               str("raise its capacity to ", longest, ", or choose shorter lengths"));
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
                 str("a model of ", model_->parameters().count(), " parameters, tested (--threads ", threads,
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
  test.text = task.text_levels(length, settings.test_examples);
  if (test.text && settings.model.kind == ModelKind::encoder)
    test.text = TextLevels{.unigram = unigram_of_hidden(task, test.examples)};
  return test;
}

ModelCeilings ceilings_of(const Model& model, const Task& task, int length) {
  ModelCeilings ceilings;
  if (model.blindness() == Blindness::mirror)
    if (const auto ceiling = task.mirror_blind_ceiling(length)) ceilings.mirror_blind = ceiling->value;
  const int field = model.receptive_field();
  if (model.task_shape().generates && field != no_limit) ceilings.window = task.window_ceiling(length, field);
  return ceilings;
}

Draws Run::draws_at(int length) const { return {settings_.train.seed, Purpose::test_positions, length}; }

LengthScore Run::test(int length, const Real* parameters, Pool& pool) const {
  if (change_) check_length(*change_, batcher_.generates() ? length + 2 : length);  // of BOS input SEP
  const Test test = test_at(task_, settings_, length);
  const ModelCeilings ceilings = ceilings_of(*model_, task_, length);
  return {length,
          evaluate(*model_, parameters, batcher_, test.examples, draws_at(length), pool),
          test.order_blind_ceiling,
          test.no_input_baseline,
          {},
          ceilings.mirror_blind,
          ceilings.window,
          test.text};
}

std::vector<LengthScore> Run::test(const Real* parameters, Pool& pool) const {
  std::vector<LengthScore> scores;
  for (const int length : settings_.test_lengths) scores.push_back(test(length, parameters, pool));
  return scores;
}

std::string folder_name(std::string name) {
  constexpr std::size_t longest = 200, hash_digits = 20;
  if (name.size() > longest) name = str(name.substr(0, longest - hash_digits - 1), "_", hash(name));
  for (char& c : name)
    if (std::string_view(" /\\:*?\"<>|").find(c) != std::string_view::npos)
      c = '_';  // also Windows and exFAT
  return name;
}

std::string run_name(const RunSettings& s) {
  RunSettings named;  // the settings that the name holds so far
  for (const char* option : {"--task", "--dataset", "--model", "--scheme", "--seed"})
    find_setting(option).copy(s, named);
  std::string name = str(s.model.scheme, "-", s.model.kind, "-seed", s.train.seed);
  for (const Setting& setting : all_settings()) {
    const std::string option = setting.option;
    if (option == "--test-lengths" || option == "--test-examples") continue;  // the same model
    if (value_text(setting, s) == value_text(setting, with_defaults(named))) continue;
    setting.copy(s, named);
    name += "_" + option.substr(2) + (*setting.value ? "=" + value_text(setting, s) : "");
  }
  return str(s.task, "/", folder_name(name));
}

}  // namespace locus
