#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/size.h"
#include "io/format.h"
#include "tensor/vector_math.h"

namespace locus {

constexpr const char* status_names[] = {"running", "finished", "solved", "memorised", "diverged"};

std::string to_string(TrainStatus status) { return status_names[as_size(status)]; }

std::string to_string(const TableValidation& rows) {
  return str(in_percent(rows.trained_on), " % of the rows trained on are right, and ", in_percent(rows.kept),
             " % of rows never trained on");
}

TrainStatus parse_train_status(std::string_view name, std::string_view where) {
  const auto found = std::ranges::find(status_names, name);
  if (found == std::end(status_names))
    fail(where, str("a run cannot have the status '", name, "'"),
         "running, finished, solved, memorised or diverged");
  return static_cast<TrainStatus>(found - status_names);
}

double Curve::accuracy_at(double at) const {
  const auto next = std::ranges::upper_bound(step, at);
  return accuracy[as_size(std::max<std::ptrdiff_t>(next - step.begin() - 1, 0))];
}

namespace {

// A slice goes through the model a few examples at a time. With few tokens the activations stay in the cache;
// but each pass reads and writes the gradients of all weights, which takes long in wide models: those get
// more tokens.
int examples_per_pass(const Model& model, int length) {
  const int tokens = std::max(256, 2 * model.settings().d_model);
  return std::max(1, tokens / length);
}

// The approximate memory of a training on so many threads.
double training_bytes(const Model& model, const Batcher& batcher, const TrainSettings& settings,
                      int threads) {
  const std::size_t parameters = model.parameters().count();
  // The parameters, the two vectors of the optimizer, a gradient per slice; and copies of the first three
  // while a checkpoint is written.
  const double vectors = static_cast<double>(parameters) * (6 + slices);
  const int length = batcher.model_length(settings.lengths.high);
  const double activations =
      model.activations_per_example(length) *
      std::min(settings.batch, std::min(threads, slices) * examples_per_pass(model, length));
  // Input and target of each example, and of the batch made of them; twice, as the next batch is drawn
  // meanwhile.
  const double tokens = static_cast<double>(settings.batch) * length * 8;
  return sizeof(Real) * (vectors + activations + tokens);
}

}  // namespace

Trainer::Trainer(const Model& model, const Batcher& batcher, const TrainSettings& settings, Pool& pool)
    : model_(model), batcher_(batcher), task_(batcher.task()), settings_(settings), pool_(pool) {
  require_memory(
      "train", str("a model of ", model.parameters().count(), " parameters with batches of ", settings.batch),
      training_bytes(model, batcher_, settings, pool.threads()),
      "make --d-model, --layers, --batch or the lengths smaller");

  state_.parameters = model.parameters().sample(settings.seed);
  state_.optimizer = {Reals(state_.parameters.size()), Reals(state_.parameters.size())};
  for (int i = 0; i < slices; ++i) slices_.push_back({Reals(state_.parameters.size()), 0});
  for (int i = 0; i < pool.threads(); ++i) tapes_.emplace_back(state_.parameters.data());
}

void Trainer::restore(State state) {
  const std::size_t count = model_.parameters().count();
  if (state.parameters.size() != count || state.optimizer.mean.size() != count ||
      state.optimizer.square.size() != count)
    fail("train", str("the saved state has ", state.parameters.size(), " parameters, the model ", count));
  // The tapes point into the vector of the parameters, so that one stays, and gets the values.
  std::ranges::copy(state.parameters, state_.parameters.begin());
  state.parameters = std::move(state_.parameters);
  state_ = std::move(state);
  if (reads_table() && state_.step > 0) validate();
}

void Trainer::profile(Profile* profile) {
  if (tapes_.size() != 1)
    fail("profile", str("there are ", tapes_.size(), " threads"), "only one thread can be profiled");
  profile_ = profile;
  tapes_.front().profile(profile);
}

Batch Trainer::sample_batch(int step) const {
  Random random(settings_.seed, Purpose::training_data, static_cast<std::uint64_t>(step));
  const int length = task_.sample_length(random, settings_.lengths);
  std::vector<Example> drawn;
  drawn.reserve(as_size(settings_.batch));
  for (int i = 0; i < settings_.batch; ++i) drawn.push_back(task_.sample(random, length, Split::train));
  return batcher_.batch(drawn);
}

double Trainer::forward_and_backward(const Batch& batch) {
  const Random position_stream(settings_.seed, Purpose::positions, static_cast<std::uint64_t>(state_.step));
  const auto scored =
      static_cast<Real>(std::ranges::count_if(batch.targets, [](int t) { return t != not_scored; }));
  const std::span<const int> tokens = batch.tokens, targets = batch.targets;
  const auto length = as_size(batch.length), answers = as_size(batch.answers());

  auto pass = [&](Tape& tape, Slice& slice, std::size_t first, std::size_t count) {
    tape.reset(slice.gradient.data());
    if (profile_) profile_->start();
    const Tensor logits = model_.logits(tape, {tokens.subspan(first * length, count * length), batch.length,
                                               count_up(tape, batch.length), position_stream});
    const Tensor loss = cross_entropy(logits, targets.subspan(first * answers, count * answers), scored);
    tape.backward(loss);
    slice.loss += *loss.value();
  };
  // A thread that runs out of slices draws the next batch.
  const int next = state_.step + 1;
  pool_.run(next < settings_.steps ? slices + 1 : slices, [&](int s, int worker) {
    if (s == slices) {
      next_batch_ = sample_batch(next);
      next_step_ = next;
      return;
    }
    Slice& slice = slices_[as_size(s)];
    std::ranges::fill(slice.gradient, Real{0});
    slice.loss = 0;
    const int end = batch.examples * (s + 1) / slices, at_once = examples_per_pass(model_, batch.length);
    for (int first = batch.examples * s / slices; first < end; first += at_once)
      pass(tapes_[as_size(worker)], slice, as_size(first), as_size(std::min(at_once, end - first)));
  });
  double loss = 0;
  for (const Slice& slice : slices_) loss += slice.loss;
  return loss;
}

TrainStatus Trainer::train_step() {
  if (state_.status != TrainStatus::running) return state_.status;
  const bool drawn = std::exchange(next_step_, -1) == state_.step;
  const double loss =
      forward_and_backward(drawn ? std::exchange(next_batch_, {}) : sample_batch(state_.step));
  const double norm = sum_gradients();
  if (!std::isfinite(loss) || !std::isfinite(norm)) return state_.status = TrainStatus::diverged;
  update_parameters(norm);
  state_.loss = state_.step == 0 ? loss : 0.95 * state_.loss + 0.05 * loss;
  ++state_.step;
  if (state_.step % validate_every == 0 || (settings_.validate_at_the_end && state_.step == settings_.steps))
    watch();
  if (is_over()) {
    if (reads_table() && state_.step % validate_every != 0) validate();
    state_.status = status_at_the_end();
  }
  return state_.status;
}

// The parameter vector is cut into fixed chunks, each the work of any free thread.
std::size_t Trainer::chunk_start(int chunk) const {
  return state_.parameters.size() * as_size(chunk) / chunks;
}

// Sums the gradients of the slices into the first. Returns the norm of the sum, by which it is clipped.
double Trainer::sum_gradients() {
  double squares[chunks];
  pool_.run(chunks, [&](int c) {
    Real* total = slices_.front().gradient.data();
    const std::size_t first = chunk_start(c), size = chunk_start(c + 1) - first;
    for (int s = 1; s < slices; ++s) accumulate(slices_[as_size(s)].gradient.data(), first, size, total);
    squares[c] = sum_of_squares(total + first, size);
  });
  double sum = 0;
  for (const double square : squares) sum += square;
  return std::sqrt(sum);
}

void Trainer::update_parameters(double norm) {
  const double rate = learning_rate_at(settings_.optimizer, state_.step, settings_.steps,
                                       settings_.stop_when_solved ? state_.steps_to_solve : 0);
  pool_.run(chunks, [&](int c) {
    adamw_update(settings_.optimizer, rate, state_.step, norm, slices_.front().gradient.data(),
                 chunk_start(c), chunk_start(c + 1) - chunk_start(c), state_.parameters.data(),
                 state_.optimizer);
  });
}

// A point of the curve. Is the task solved?
void Trainer::watch() {
  validate();
  state_.curve.step.push_back(step());
  state_.curve.loss.push_back(state_.loss);
  state_.curve.accuracy.push_back(validated_.accuracy(batcher_.generates()));
  const bool few = reads_table() && validated_.examples < fewest_validation_rows;
  if (state_.steps_to_solve == 0 && !few && validated_.exact_match >= solved_accuracy)
    state_.steps_to_solve = state_.step;
}

bool Trainer::is_over() const {
  const bool cooled = state_.steps_to_solve > 0 && state_.step >= state_.steps_to_solve + cooldown;
  return state_.step >= settings_.steps || (settings_.stop_when_solved && cooled);
}

TrainStatus Trainer::status_at_the_end() const {
  if (ends_above_a_guess()) return TrainStatus::diverged;
  if (state_.steps_to_solve > 0) return TrainStatus::solved;
  const bool by_heart = validated_rows_ && validated_rows_->trained_on >= memorised_accuracy &&
                        validated_rows_->kept <= validated_rows_->trained_on - memorised_gap;
  return by_heart ? TrainStatus::memorised : TrainStatus::finished;
}

bool Trainer::ends_above_a_guess() const {
  return state_.step >= validate_every &&
         state_.loss > diverged_above * std::log(model_.task_shape().vocabulary);
}

// At the longest training length, since shorter inputs are solved first; of a table, at the lengths of its
// rows.
Score Trainer::validate_trained_on() const {
  Random random(settings_.seed, Purpose::validation_data, static_cast<std::uint64_t>(state_.step));
  const int length = reads_table() ? task_.sample_length(random, settings_.lengths) : settings_.lengths.high;
  std::vector<Example> examples;
  for (int i = 0; i < validation_examples; ++i)
    examples.push_back(task_.sample(random, length, Split::train));
  const Draws draws{settings_.seed, Purpose::validation_positions, state_.step};
  return evaluate(model_, state_.parameters.data(), batcher_, examples, draws, pool_);
}

void Trainer::validate() {
  if (task_.form == Form::text) {  // on windows that are kept for the validations
    const Draws draws{settings_.seed, Purpose::validation_positions, state_.step};
    validated_ = evaluate(model_, state_.parameters.data(), batcher_,
                          task_.validation_rows(settings_.lengths).front(), draws, pool_);
    return;
  }
  validated_ = validate_trained_on();
  if (!reads_table()) return;
  const double trained_on = validated_.exact_match;
  validated_ = {};
  const Draws draws{settings_.seed, Purpose::validation_positions, state_.step};
  for (const std::span<const Example> rows : task_.validation_rows(settings_.lengths)) {
    const Score one = evaluate(model_, state_.parameters.data(), batcher_, rows, draws, pool_);
    validated_.examples += one.examples;
    const double weight = static_cast<double>(one.examples) / validated_.examples;
    validated_.token_accuracy += weight * (one.token_accuracy - validated_.token_accuracy);
    validated_.exact_match += weight * (one.exact_match - validated_.exact_match);
  }
  if (validated_.examples > 0) validated_rows_ = {trained_on, validated_.exact_match};
}

}  // namespace locus
