#include "train/evaluate.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "autograd/ops.h"
#include "base/random.h"
#include "base/size.h"

namespace locus {

namespace {

// The loss of some windows, summed over them at each position.
struct LossSums {
  std::vector<double> nats{};
  std::vector<int> scored{};
};

LossSums sum_losses(const Batch& batch, const Real* logits, int vocabulary) {
  const auto T = as_size(batch.length);
  LossSums sums{std::vector<double>(T), std::vector<int>(T)};
  const std::vector<double> nats = surprisals(logits, vocabulary, batch.targets);
  for (std::size_t i = 0; i < nats.size(); ++i) {
    sums.nats[i % T] += nats[i];
    sums.scored[i % T] += batch.targets[i] != not_scored;
  }
  return sums;
}

// Added in the order of the windows, whichever thread read which. Nothing where a loss is not a number.
std::optional<TextLoss> loss_of(const std::vector<LossSums>& parts) {
  const std::size_t T = parts.front().nats.size();
  const auto mean = [&](std::size_t first, std::size_t end) {
    double nats = 0;
    long long scored = 0;
    for (std::size_t position = first; position < end; ++position)
      for (const LossSums& part : parts) {
        nats += part.nats[position];
        scored += part.scored[position];
      }
    return scored == 0 ? 0 : nats / static_cast<double>(scored);
  };
  TextLoss text{mean(0, T), mean(T / 2, T)};
  for (std::size_t first = 0, end; first < T; first = end) {
    const int piece = piece_of(static_cast<int>(first), static_cast<int>(T));
    for (end = first; end < T && piece_of(static_cast<int>(end), static_cast<int>(T)) == piece;) ++end;
    text.by_position.push_back(mean(first, end));
  }
  return std::isfinite(text.loss) ? std::optional(text) : std::nullopt;
}

// The most likely token at each position, of a model that does not generate. `loss` gets the losses of a text, if
// asked for.
std::vector<int> answers_of(Tape& tape, const Model& model, const Batch& batch, const Random& positions,
                            LossSums* loss) {
  tape.reset();
  const Tensor logits = model.logits(tape, inputs_at_test(tape, batch.tokens, batch.length, positions));
  const int V = logits.shape().last();
  std::vector<int> answers(batch.targets.size());
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (batch.targets[i] != not_scored) answers[i] = most_likely_token(logits.value() + i * as_size(V), V);
  if (loss) *loss = sum_losses(batch, logits.value(), V);
  return answers;
}

// What the model generates after each prompt: the most likely token each time, and after the end END alone.
//
// If a longer input changes nothing of what the model computes at a position (a causal prefix), it first reads the
// right answers. Up to its first mistake it has then read what it generates. From there on its own tokens take the
// place of the right ones, and it reads again, until it generates what it has read: each pass settles one token more,
// mostly many. Any other model gets a pass for each token, over the tokens up to there.
std::vector<int> generated(Tape& tape, const Model& model, const Batch& batch, int end,
                           const Random& positions) {
  const auto T = as_size(batch.length);
  const std::vector<int>& targets = batch.targets;
  const auto is_scored = [](int target) { return target != not_scored; };
  const auto first = as_size(std::ranges::find_if(targets, is_scored) - targets.begin());
  const bool whole = model.causal_prefix();
  std::vector<int> tokens = batch.tokens, answers(targets.size(), end);
  std::vector<std::size_t> open;  // where the examples begin whose answers are not settled
  for (std::size_t start = 0; start < tokens.size(); start += T) open.push_back(start);
  for (std::size_t read = whole ? T : first + 1; !open.empty(); read = std::min(read + 1, T)) {
    std::vector<int> now;
    for (const std::size_t start : open) {
      const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(start);
      now.insert(now.end(), begin, begin + static_cast<std::ptrdiff_t>(read));
    }
    tape.reset();
    const Tensor logits = model.logits(tape, inputs_at_test(tape, now, static_cast<int>(read), positions));
    const int V = logits.shape().last();
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < open.size(); ++i) {
      bool ended = false, settled = true;
      for (std::size_t at = whole ? first : read - 1; at < read; ++at) {
        const std::size_t place = open[i] + at;
        if (!is_scored(targets[place])) break;
        answers[place] = ended ? end : most_likely_token(logits.value() + (i * read + at) * as_size(V), V);
        ended |= answers[place] == end || answers[place] == no_answer;
        if (at + 1 == T || !is_scored(targets[place + 1])) break;
        const int next = ended ? end : answers[place];
        const bool is_new = std::exchange(tokens[place + 1], next) != next || !whole;
        settled &= ended || !is_new;
      }
      if (!settled) left.push_back(open[i]);
    }
    open = std::move(left);
  }
  return answers;
}

}  // namespace

int most_likely_token(const Real* logits, int count) {
  const Real* end = logits + count;
  if (!std::all_of(logits, end, [](Real x) { return std::isfinite(x); })) return no_answer;
  return static_cast<int>(std::max_element(logits, end) - logits);
}

std::vector<double> surprisals(const Real* logits, int vocabulary, std::span<const int> targets) {
  std::vector<double> nats;
  for (const int target : targets) {
    const Real* row = std::exchange(logits, logits + vocabulary);
    if (target == not_scored) {
      nats.push_back(0);
      continue;
    }
    const double largest = double{*std::max_element(row, row + vocabulary)};
    double sum = 0;
    for (int v = 0; v < vocabulary; ++v) sum += std::exp(double{row[v]} - largest);
    nats.push_back(std::log(sum) + largest - double{row[target]});
  }
  return nats;
}

Random Draws::at(std::size_t example) const {
  return Random(seed, purpose, (static_cast<std::uint64_t>(of) << 32) + example / examples_per_draw);
}

Inputs inputs_at_test(Tape& tape, std::span<const int> tokens, int length, const Random& positions) {
  return {tokens, length, count_up(tape, length), positions};
}

Counts count_right(const Batch& batch, std::span<const int> answers, int end) {
  const int per_example = batch.answers();
  Counts counts;
  for (int example = 0; example < batch.examples; ++example) {
    bool exact = true;
    for (int i = example * per_example; i < (example + 1) * per_example; ++i) {
      const int target = batch.targets[as_size(i)];
      if (target == not_scored) continue;
      const int answer = answers[as_size(i)];
      const bool right = answer == target, counts_alone = target != end;
      counts.answers += counts_alone;
      counts.right += right && counts_alone;
      counts.unanswered += answer == no_answer;
      exact &= right;
    }
    counts.exact += exact;
  }
  return counts;
}

Score evaluate(const Model& model, const Real* parameters, const Batcher& batcher,
               std::span<const Example> examples, const Draws& draws, Pool& pool) {
  constexpr std::size_t at_once = examples_per_draw;
  const auto threads = as_size(pool.threads());
  std::vector<Counts> parts(threads);
  const bool reads_text = batcher.task().form == Form::text;
  std::vector<LossSums> losses(reads_text ? (examples.size() + at_once - 1) / at_once : 0);
  pool.run(pool.threads(), [&](int thread) {
    Tape tape(parameters);
    Counts& sum = parts[as_size(thread)];
    for (std::size_t first = as_size(thread) * at_once; first < examples.size(); first += threads * at_once) {
      const Batch batch = batcher.batch(examples.subspan(first, std::min(at_once, examples.size() - first)));
      LossSums* loss = reads_text ? &losses[first / at_once] : nullptr;
      const std::vector<int> answers = batcher.generates()
                                           ? generated(tape, model, batch, batcher.end(), draws.at(first))
                                           : answers_of(tape, model, batch, draws.at(first), loss);
      sum += count_right(batch, answers, batcher.end());
    }
  });
  Counts all;
  for (const Counts& part : parts) all += part;
  const int count = static_cast<int>(examples.size());
  return {static_cast<double>(all.right) / static_cast<double>(std::max<std::int64_t>(all.answers, 1)),
          static_cast<double>(all.exact) / std::max(count, 1), count, all.unanswered,
          losses.empty() ? std::nullopt : loss_of(losses)};
}

double evaluation_bytes(const Model& model, int model_length, int threads) {
  const double values_only = model.activations_per_example(model_length) / 2;
  return sizeof(Real) * (static_cast<double>(model.parameters().count()) +
                         values_only * static_cast<double>(examples_per_draw) * threads);
}

Tokens answer_of(const Model& model, const Real* parameters, const Tokens& input) {
  Tape tape(parameters);
  const Tensor logits = model.logits(tape, inputs_at_test(tape, input, static_cast<int>(input.size())));
  const int V = logits.shape().last();
  Tokens answer;
  for (int row = 0; row < logits.shape().rows(); ++row)
    answer.push_back(most_likely_token(logits.value() + std::ptrdiff_t{row} * V, V));
  return answer;
}

Tokens generate(const Model& model, const Real* parameters, const Batcher& batcher, const Tokens& input,
                int most, const Random& positions, const std::function<void(Tensor)>& read) {
  Tokens tokens = batcher.prompt(input);
  const std::size_t start = tokens.size();
  Tape tape(parameters);
  for (int i = 0; i < most; ++i) {
    tape.reset();
    const int length = static_cast<int>(tokens.size());
    const Tensor logits = model.logits(tape, inputs_at_test(tape, tokens, length, positions));
    if (read) read(logits);
    const int V = logits.shape().last();
    const int next = most_likely_token(logits.value() + std::ptrdiff_t{length - 1} * V, V);
    if (next == batcher.end() || next == no_answer) break;
    tokens.push_back(next);
  }
  return {tokens.begin() + static_cast<std::ptrdiff_t>(start), tokens.end()};
}

}  // namespace locus
