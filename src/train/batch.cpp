#include "train/batch.h"

#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "base/size.h"

namespace locus {

Batcher::Batcher(const Task& task, ModelKind kind)
    : task_(&task),
      generates_(locus::generates(kind, task.form)),
      continues_(task.form == Form::text && kind != ModelKind::encoder),
      hides_(task.form == Form::text && kind == ModelKind::encoder),
      pooled_(!generates_ && task.form == Form::classification),
      names_(task.alphabet) {
  if (generates_) names_.insert(names_.end(), {"BOS", "SEP", "EOS"});
  if (generates_ && kind == ModelKind::encoder)
    fail_usage("model", str("'", task.name, "' asks for answers of any length, which an encoder cannot give"),
               "use --model decoder, rnn or gru");
}

TaskShape Batcher::task_shape() const {
  TaskShape shape{.vocabulary = vocabulary(), .pooled = pooled_, .generates = generates_ || continues_};
  for (std::size_t token = 0; token < task_->alphabet.size(); ++token)
    if (const std::string& name = names_[token]; name.size() == 1 && name >= "0" && name <= "9")
      shape.digits.push_back(static_cast<int>(token));
  return shape;
}

int Batcher::model_length(int input_length) const {
  return generates_ ? input_length + 2 + task_->longest_target(input_length) : input_length;
}

// One token in about seven, by a stream that the window is the seed of; at least one.
void Batcher::hide(const Tokens& window, Batch& batch) const {
  std::string key;
  for (const int token : window) key += str(token, ' ');
  Random random(hash(key), Purpose::hidden_tokens);
  const std::size_t start = batch.tokens.size();
  batch.tokens.insert(batch.tokens.end(), window.begin(), window.end());
  batch.targets.insert(batch.targets.end(), window.size(), not_scored);
  const auto always = as_size(random.below(static_cast<int>(window.size())));
  for (std::size_t i = 0; i < window.size(); ++i) {
    if (random.uniform() >= hidden_share && i != always) continue;
    batch.targets[start + i] = window[i];
    batch.tokens[start + i] = vocabulary() - 1;  // <mask>
  }
}

Tokens Batcher::prompt(const Tokens& input) const {
  if (continues_) return input;
  Tokens tokens{vocabulary() - marks};
  tokens.insert(tokens.end(), input.begin(), input.end());
  tokens.push_back(vocabulary() - 2);
  return tokens;
}

Batch Batcher::batch(std::span<const Example> examples) const {
  Batch batch;
  batch.examples = static_cast<int>(examples.size());
  const int at_most = model_length(static_cast<int>(examples.front().input.size()));
  batch.tokens.reserve(examples.size() * as_size(at_most));
  batch.targets.reserve(examples.size() * as_size(pooled_ ? 1 : at_most));
  if (!generates_) {
    for (const auto& [input, target] : examples) {
      if (hides_) {
        hide(input, batch);
        continue;
      }
      batch.tokens.insert(batch.tokens.end(), input.begin(), input.end());
      batch.targets.insert(batch.targets.end(), target.begin(), target.end());
    }
    batch.length = static_cast<int>(batch.tokens.size()) / batch.examples;
    return batch;
  }
  std::size_t longest = 0;
  for (const auto& [input, target] : examples) longest = std::max(longest, input.size() + 2 + target.size());
  for (const auto& [input, target] : examples) {
    const Tokens start = prompt(input);
    batch.tokens.insert(batch.tokens.end(), start.begin(), start.end());
    batch.tokens.insert(batch.tokens.end(), target.begin(), target.end());
    batch.targets.insert(batch.targets.end(), start.size() - 1, not_scored);
    batch.targets.insert(batch.targets.end(), target.begin(), target.end());
    batch.targets.push_back(end());
    const std::size_t padding = longest - start.size() - target.size();
    batch.tokens.insert(batch.tokens.end(), padding, end());
    batch.targets.insert(batch.targets.end(), padding, not_scored);
  }
  batch.length = static_cast<int>(longest);
  return batch;
}

}  // namespace locus
