// What a run has that was not asked for: its task, defaults that suit it, and the checks of both.
#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "tasks/support/open_task.h"
#include "train/batch.h"
#include "train/settings.h"

namespace locus {

const Task& task_of(const RunSettings& settings, const Alphabet& known) {
  if (settings.dataset.empty()) {
    if (is_table_path(settings.task) || is_text_path(settings.task))
      fail_usage("task", str("'", settings.task, "' is a file"),
                 "give it with --dataset, or to ablate with --datasets");
    return open_task(settings.task, known);
  }
  if (!is_table_path(settings.dataset) && !is_text_path(settings.dataset))
    fail_usage("task", str("the dataset '", settings.dataset, "' does not end in .tsv or .txt"),
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

// The lengths must exist before anyone trains at them.
void check_lengths(const Task& task, const RunSettings& s) {
  const LengthRange& lengths = s.train.lengths;
  if (lengths.low < 1 || lengths.high < lengths.low || lengths.high > limits::length)
    fail_usage("train",
               str("--train-lengths ", lengths.low, "-", lengths.high,
                   " is not a range of lengths from 1 to ", limits::length),
               "for example 2-12");
  for (const int length : s.test_lengths)
    if (length < 1) fail_usage("train", str("--test-lengths holds ", length), "lengths are 1 or more");
  Random random(s.train.seed, Purpose::training_data);
  for (const int length : lengths.only) task.sample(random, length, Split::train);
  if (task.fixed_lengths().empty())
    for (const int end : {lengths.low, lengths.high}) task.sample(random, end, Split::train);
  else
    task.sample(random, task.sample_length(random, lengths), Split::train);
  for (const int length : s.test_lengths) task.test_set(length, 1);
}

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
      if (setting.role.transformers_only && !is_default(setting, s))
        fail_usage("model",
                   str(setting.option, " is for transformers: a ", s.model.kind, " has no attention"),
                   "leave it out");
  const Task& task = task_of(s);
  if (task.form != Form::text)
    for (const char* option : {"--tokens", "--min-count"})
      if (const Setting& setting = find_setting(option); !is_default(setting, s))
        fail_usage("train", str(option, " says how a text is read, and '", task.name, "' is none"),
                   "leave it out");
  s = with_defaults(s, task);
  if (s.model.scheme.empty())
    fail_usage("train", "--scheme SPEC is missing", "`locus schemes` lists the schemes; none is one of them");
  const TaskShape shape = Batcher(task, s.model.kind).task_shape();
  check(s.model, shape);
  for (const Spec::Combination& combination : s.model.scheme.by_layer())
    for (const Spec::Part& part : combination.parts)
      if (part.info->needs_digits && shape.digits.empty())
        fail_usage(part.info->name,
                   str("it counts digits within their numbers, and '", task.name, "' has no digits"),
                   "a task of numbers, such as addition");
  check_lengths(task, s);
  return s;
}

}  // namespace locus
