#include "train/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "../support/errors.h"
#include "../support/temporary_folder.h"
#include "../support/tiny_run.h"
#include "autograd/ops.h"
#include "base/machine.h"
#include "base/random.h"

using namespace locus;

namespace {

// Real is float or double: bits are compared, so that 0 and -0 differ and NaN equals itself.
bool same_bits(const Reals& a, const Reals& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

// A task that remembers what it was asked for.
class Recording : public Task {
 public:
  explicit Recording(const Task& task) : task_(task) {
    name = task.name;
    form = task.form;
    alphabet = task.alphabet;
  }
  int sample_length(Random& random, const LengthRange& range) const override {
    return task_.sample_length(random, range);
  }
  Example sample(Random& random, int length, Split split) const override {
    drawn.push_back(task_.sample(random, length, split));
    return drawn.back();
  }
  std::span<const Example> test_set(int length, int count) const override {
    return task_.test_set(length, count);
  }
  std::optional<Estimate> order_blind_ceiling(int length) const override {
    return task_.order_blind_ceiling(length);
  }
  std::optional<Estimate> mirror_blind_ceiling(int length) const override {
    return task_.mirror_blind_ceiling(length);
  }
  double no_input_baseline(int length) const override { return task_.no_input_baseline(length); }

  mutable std::vector<Example> drawn;

 private:
  const Task& task_;
};

// A model that remembers the first number of every random stream it was given, by the tokens that came along.
class Listening : public Model {
 public:
  explicit Listening(const Model& model) : Model(model.settings(), model.task_shape()), model_(model) {
    parameters_ = model.parameters();
  }
  Tensor logits(Tape& tape, const Inputs& inputs) const override {
    Random random = inputs.random;
    heard.push_back({tape.is_recording(), inputs.length, random.bits()});
    return model_.logits(tape, inputs);
  }
  double activations_per_example(int length) const override { return model_.activations_per_example(length); }
  bool causal_prefix() const override { return model_.causal_prefix(); }
  int capacity() const override { return model_.capacity(); }

  struct Heard {
    bool training;
    int length;
    std::uint32_t bits;
  };
  mutable std::vector<Heard> heard;

 private:
  const Model& model_;
};

// What a training run is fed, spelt out.
std::vector<std::string> drawn_in_training(const RunSettings& settings, int steps) {
  const Run run(settings);
  const Recording task(run.task());
  const Batcher batcher(task, settings.model.kind);
  Pool pool(1);
  Trainer trainer(run.model(), batcher, settings.train, pool);
  for (int i = 0; i < steps; ++i) trainer.train_step();
  std::vector<std::string> drawn;
  for (const auto& [input, target] : task.drawn)
    drawn.push_back(str(spell(task, input), " -> ", spell(task, target)));
  return drawn;
}

std::map<std::string, Reals> initial_values(const RunSettings& settings) {
  const Run run(settings);
  const Reals all = run.model().parameters().sample(settings.train.seed);
  std::map<std::string, Reals> values;
  for (const auto& [name, where, initial] : run.model().parameters().entries()) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(where.offset);
    values[name] = {first, first + static_cast<std::ptrdiff_t>(where.shape.count())};
  }
  return values;
}

}  // namespace

TEST_CASE("trainer: the same bits for 1, 2 and 5 threads") {
  for (const RunSettings& settings :
       {tiny_settings("reverse", "sinusoidal"), tiny_settings("before", "t5"),
        tiny_settings("reverse", "randomized+sinusoidal"),
        tiny_settings("unique", "randomized+alibi", ModelKind::decoder),
        tiny_settings("sort", "learned+alibi", ModelKind::decoder),
        tiny_settings("unique", "rope", ModelKind::decoder), tiny_settings("unique", "none", ModelKind::rnn),
        tiny_settings("reverse", "none", ModelKind::gru)}) {
    CAPTURE(settings.task);
    Training one(settings, 1);
    one.to_the_end();
    const Score score = one.run.test(one.trainer.parameters().data(), one.pool).front().score;
    for (const int threads : {2, 5}) {
      Training many(settings, threads);
      many.to_the_end();
      CHECK(same_bits(many.trainer.parameters(), one.trainer.parameters()));
      CHECK(same_bits(many.trainer.state().optimizer.mean, one.trainer.state().optimizer.mean));
      CHECK(same_bits(many.trainer.state().optimizer.square, one.trainer.state().optimizer.square));
      CHECK(many.trainer.loss() == one.trainer.loss());
      const Score again = many.run.test(many.trainer.parameters().data(), many.pool).front().score;
      CHECK(again.token_accuracy == score.token_accuracy);
      CHECK(again.exact_match == score.exact_match);
    }
  }
}

TEST_CASE("trainer: a run taken up from a checkpoint at any step ends in the bytes of an uninterrupted one") {
  const TemporaryFolder folder;
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
    CAPTURE(to_string(kind));
    const RunSettings settings = tiny_settings("sort", "learned", kind, 20);
    Training whole(settings);
    whole.to_the_end();
    const std::string expected = checkpoint_bytes(folder.path, whole);
    for (const int stop : {0, 1, 7, 19, 20}) {
      CAPTURE(stop);
      Training first(settings);
      first.steps(stop);
      save_checkpoint(folder.path, first.run, first.trainer.state());
      Training second(settings, 2);
      second.trainer.restore(checkpoint_state(read_checkpoint(folder.path), second.run));
      CHECK(second.trainer.step() == stop);
      second.to_the_end();
      CHECK(second.trainer.step() == 20);
      CHECK(checkpoint_bytes(folder.path, second) == expected);
    }
  }
}

TEST_CASE("trainer: a solved run cools down and ends early, also when taken up on the way") {
  const TemporaryFolder folder;
  RunSettings settings =
      tiny_settings("copy", "none", ModelKind::encoder, 2000);  // an encoder sees the answer at its place
  settings.train.optimizer.learning_rate = 0.02;
  Training whole(settings);
  whole.to_the_end();
  CHECK(whole.trainer.status() == TrainStatus::solved);
  const int solved = whole.trainer.steps_to_solve();
  REQUIRE(solved > 0);
  CHECK(whole.trainer.step() == solved + cooldown);
  const std::string expected = checkpoint_bytes(folder.path, whole);

  Training first(settings);
  first.steps(solved + 30);
  save_checkpoint(folder.path, first.run, first.trainer.state());
  Training second(settings);
  second.trainer.restore(checkpoint_state(read_checkpoint(folder.path), second.run));
  second.to_the_end();
  CHECK(checkpoint_bytes(folder.path, second) == expected);

  settings.train.stop_when_solved = false;
  settings.train.steps = solved + cooldown + 10;
  Training full(settings);
  full.to_the_end();
  CHECK(full.trainer.step() == settings.train.steps);
  CHECK(full.trainer.status() == TrainStatus::solved);
}

TEST_CASE("trainer: the slices add up to the whole batch, whatever its size") {
  for (const int batch_size : {1, 3, 8, 13}) {
    CAPTURE(batch_size);
    RunSettings settings = tiny_settings("sort", "learned", ModelKind::decoder);
    settings.train.batch = batch_size;
    settings.train.optimizer.clip = 1e9;
    const Run run(settings);
    const Recording task(run.task());
    const Batcher batcher(task, settings.model.kind);
    Pool pool(1);
    Trainer trainer(run.model(), batcher, settings.train, pool);
    double smooth_loss = 0;
    for (const int step : {0, 1}) {
      const Reals parameters = trainer.parameters();
      Reals gradient(parameters.size());
      trainer.train_step();
      REQUIRE(static_cast<int>(task.drawn.size()) == (step + 2) * batch_size);  // the next one as well

      const auto count = static_cast<std::size_t>(batch_size), at = static_cast<std::size_t>(step) * count;
      const Batch batch = run.batcher().batch(std::span(task.drawn).subspan(at, count));
      Tape tape(parameters.data(), gradient.data());
      const Tensor logits =
          run.model().logits(tape, {batch.tokens, batch.length, count_up(tape, batch.length)});
      const auto unscored = std::ranges::count(batch.targets, not_scored);
      const auto scored = static_cast<Real>(std::ssize(batch.targets) - unscored);
      const Tensor loss = cross_entropy(logits, batch.targets, scored);
      tape.backward(loss);
      smooth_loss = step == 0 ? double{*loss.value()} : 0.95 * smooth_loss + 0.05 * double{*loss.value()};
      CHECK(trainer.loss() == doctest::Approx(smooth_loss).epsilon(1e-6));
      if (step > 0) continue;
      for (std::size_t i = 0; i < gradient.size();
           ++i)  // the first step leaves a tenth of the gradient in the mean
        CHECK(std::abs(trainer.state().optimizer.mean[i] * 10 - gradient[i]) <= 1e-5);
    }
  }
}

TEST_CASE("trainer: each step has a random stream for positions, the same for all its passes") {
  RunSettings settings = tiny_settings("sort", "none");
  settings.train.batch = 200;  // more than one pass in each shard
  settings.train.lengths = {20, 20};
  settings.train.steps = 51;
  const Run run(settings);
  const Listening model(run.model());
  Pool pool(1);
  Trainer trainer(model, run.batcher(), settings.train, pool);
  std::set<std::uint32_t> of_steps;
  for (int step = 0; step < 49; ++step) {
    model.heard.clear();
    trainer.train_step();
    CHECK(model.heard.size() > slices);
    const std::uint32_t expected =
        Random(settings.train.seed, Purpose::positions, static_cast<std::uint64_t>(step)).bits();
    for (const auto& [training, length, bits] : model.heard) CHECK((training && bits == expected));
    of_steps.insert(expected);
  }
  CHECK(of_steps.size() == 49);
}

TEST_CASE(
    "evaluate: positions are drawn for every 16 examples, from streams of the run's seed and the length") {
  std::set<std::uint32_t> all;
  for (const std::uint64_t seed : {1U, 2U}) {
    RunSettings settings = tiny_settings("sort", "none");
    settings.train.seed = seed;
    const Run run(settings);
    const Listening model(run.model());
    const Reals parameters = run.model().parameters().sample(7);
    Pool pool(1);
    for (const int length : {6, 9}) {
      model.heard.clear();
      const Draws draws = run.draws_at(length);
      evaluate(model, parameters.data(), run.batcher(), run.task().test_set(length, 40), draws, pool);
      REQUIRE(model.heard.size() == 3);
      for (std::size_t batch = 0; batch < 3; ++batch) {
        CHECK_FALSE(model.heard[batch].training);
        CHECK(model.heard[batch].length == length);
        for (const std::size_t example : {0U, 15U})
          CHECK(model.heard[batch].bits == draws.at(16 * batch + example).bits());
        all.insert(model.heard[batch].bits);
      }
    }
  }
  CHECK(all.size() == 2 * 2 * 3);
}

TEST_CASE("trainer: a validation draws positions anew, for every 16 examples") {
  RunSettings settings = tiny_settings("sort", "none");
  settings.train.steps = 2 * validate_every;
  const Run run(settings);
  const Listening model(run.model());
  Pool pool(1);
  Trainer trainer(model, run.batcher(), settings.train, pool);
  while (trainer.train_step() == TrainStatus::running) {
  }
  std::set<std::uint32_t> validations;
  for (const auto& heard : model.heard)
    if (!heard.training) validations.insert(heard.bits);
  CHECK(validations.size() == 2 * validation_examples / 16);
}

TEST_CASE("trainer: the loss goes down") {
  for (const auto& [kind, scheme] : {std::pair{ModelKind::encoder, "none"},
                                     {ModelKind::encoder, "rope"},
                                     {ModelKind::rnn, "none"},
                                     {ModelKind::gru, "none"}}) {
    RunSettings settings = tiny_settings("copy", scheme, kind, 60);
    if (is_recurrent(kind)) settings.train.optimizer.learning_rate = 0.02;
    Training training(settings);
    training.steps(1);
    const double first = training.trainer.loss();
    CHECK(first > 0.8 * std::log(10));  // ten symbols, nothing learned yet
    training.to_the_end();
    CHECK(training.trainer.loss() < 0.8 * first);
  }
}

TEST_CASE("trainer: a tiny encoder solves `before` with sinusoidal positions") {
  RunSettings settings = tiny_settings("before", "sinusoidal", ModelKind::encoder, 1500);
  settings.model.d_model = 16;
  settings.model.d_ff = 32;
  settings.train.batch = 32;
  settings.train.optimizer.learning_rate = 0.01;
  settings.test_lengths = {6};
  settings.test_examples = 1000;
  Training training(settings);
  training.to_the_end();
  CHECK(training.trainer.status() == TrainStatus::solved);
  CHECK(training.run.test(training.trainer.parameters().data(), training.pool)[0].score.exact_match > 0.98);
}

TEST_CASE("trainer: recurrent networks solve `before` and `previous` without positions") {
  for (const ModelKind kind : {ModelKind::rnn, ModelKind::gru})
    for (const char* task : {"before", "previous"}) {
      CAPTURE(to_string(kind));
      CAPTURE(task);
      RunSettings settings = tiny_settings(task, "none", kind, 1500);
      settings.model.d_model = 32;
      settings.train.batch = 32;
      settings.train.optimizer.learning_rate = 0.01;
      settings.test_lengths = {6};
      settings.test_examples = 1000;
      Training training(settings);
      training.to_the_end();
      CHECK(training.trainer.status() == TrainStatus::solved);
      const Score score = training.run.test(training.trainer.parameters().data(), training.pool)[0].score;
      CHECK(score.exact_match > 0.98);
    }
}

TEST_CASE("trainer: without positions the same encoder stays at a coin toss") {
  RunSettings settings = tiny_settings("before", "none", ModelKind::encoder, 400);
  settings.train.optimizer.learning_rate = 0.01;
  settings.test_lengths = {6, 9};
  settings.test_examples = 4000;
  Training training(settings);
  training.to_the_end();
  CHECK(training.trainer.status() == TrainStatus::finished);
  CHECK(training.trainer.steps_to_solve() == 0);
  for (const LengthScore& at : training.run.test(training.trainer.parameters().data(), training.pool)) {
    CHECK(at.score.examples == 4000);
    CHECK(std::abs(at.score.token_accuracy - 0.5) < 3.3 * std::sqrt(0.25 / 4000));  // once in 1000 by chance
    CHECK(*at.order_blind_ceiling == doctest::Approx(0.5));
    CHECK(at.no_input_baseline == training.run.task().no_input_baseline(at.length));
  }
}

namespace {

// 120 rows of five words whose labels, a or b, are drawn at random: nothing can be learned but by heart.
std::string random_labels() {
  Random random(29, Purpose::testing);
  std::string rows;
  std::set<std::string> seen;
  while (seen.size() < 120) {
    std::vector<std::string> words;
    for (int i = 0; i < 5; ++i) words.push_back(str("w", random.below(12)));
    if (seen.insert(join(words, " ")).second)
      rows += join(words, " ") + (random.below(2) ? "\ta\n" : "\tb\n");
  }
  return rows;
}

}  // namespace

TEST_CASE(
    "trainer: a table of random labels is memorised, never solved, and the end says the same when taken up") {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/random.tsv";
  write_file_atomically(path, random_labels());
  for (const char* scheme : {"none", "learned"}) {
    CAPTURE(scheme);
    RunSettings settings;
    settings.dataset = path;
    settings.model.scheme = scheme;
    settings.train.steps = 420;  // no multiple of validate_every
    settings = complete(settings);
    Training training(settings);
    training.to_the_end();
    CHECK(training.trainer.status() == TrainStatus::memorised);
    CHECK(training.trainer.steps_to_solve() == 0);
    CHECK(training.trainer.step() == 420);
    REQUIRE(training.trainer.validated_rows());
    CHECK(training.trainer.validated_rows()->trained_on >= 0.9);
    CHECK(training.trainer.validated_rows()->kept < 0.7);
    Training again(settings);
    again.trainer.restore(training.trainer.state());
    REQUIRE(again.trainer.validated_rows());
    CHECK(again.trainer.validated_rows()->trained_on == training.trainer.validated_rows()->trained_on);
    CHECK(again.trainer.validated_rows()->kept == training.trainer.validated_rows()->kept);
  }
}

TEST_CASE("trainer: too few rows for the validations cannot show that a table is solved") {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/tiny.tsv";
  std::string rows;
  for (int i = 0; i < 24; ++i) rows += str("w", i, " x\tyes\n");
  write_file_atomically(path, rows);
  RunSettings settings;
  settings.dataset = path;
  settings.model.scheme = "none";
  settings.train.steps = 100;
  Training training(complete(settings));
  training.to_the_end();
  CHECK(training.trainer.validated_rows()->kept == 1);
  CHECK(training.trainer.status() == TrainStatus::finished);
}

TEST_CASE("trainer: a huge learning rate ends as diverged, with numbers that can be written down") {
  RunSettings settings = tiny_settings("before", "sinusoidal", ModelKind::encoder, 50);
  settings.train.optimizer.learning_rate = 1e300;
  Training training(settings);
  training.to_the_end();
  CHECK(training.trainer.status() == TrainStatus::diverged);
  CHECK(training.trainer.step() < 50);
  CHECK(training.trainer.train_step() == TrainStatus::diverged);
  const auto scores = training.run.test(training.trainer.parameters().data(), training.pool);
  const Json json = to_json(result_of(training.run, training.trainer, scores));
  CHECK(json.string("status", "") == "diverged");
  CHECK(parse_json(to_string(json), "") == json);

  settings.train.optimizer.learning_rate = 1000;  // the most that files and commands can hold
  const TemporaryFolder folder;
  save_checkpoint(folder.path, Run(settings), training.trainer.state());
  CHECK(checkpoint_state(read_checkpoint(folder.path), training.run).status == TrainStatus::diverged);
}

TEST_CASE(
    "trainer: a loss that ends above twice that of a uniform guess is diverged; learning slowly is not") {
  RunSettings settings = tiny_settings("before", "sinusoidal", ModelKind::encoder, 60);
  const double guess = std::log(Run(settings).model().task_shape().vocabulary);
  const auto ends = [&](double rate, int steps) {
    settings.train.optimizer.learning_rate = rate;
    settings.train.steps = steps;
    Training training(settings);
    training.to_the_end();
    return std::pair(training.trainer.status(), training.trainer.loss() / guess);
  };
  const auto [wild, far_above] = ends(100, 60);
  CHECK(wild == TrainStatus::diverged);
  CHECK(far_above > 2);
  const auto [still, at_first] = ends(1e-9, 60);  // hardly leaves its initial parameters
  CHECK(still == TrainStatus::finished);
  CHECK(at_first > 0.9);  // no step of it has been lost to learning
  CHECK(at_first < 1.9);
  CHECK(ends(100, 10).first == TrainStatus::finished);  // too short to be judged
}

TEST_CASE("trainer: what is too large for this machine is refused before memory is taken") {
  const std::string memory = str(" GB, and there are ", std::round(memory_bytes() / 1e8) / 10, " GB. Hint: ");
  const auto check = [&](const std::string& error, const std::string& beginning, const std::string& hint) {
    CAPTURE(error);
    CHECK(error.starts_with(beginning + " needs about "));
    CHECK(error.ends_with(memory + hint));
  };
  RunSettings settings = tiny_settings("before", "none");
  settings.model.layers = 100;
  settings.model.d_model = limits::d_model;
  settings.model.d_ff = limits::d_ff;
  const std::string parameters = "1319415339548682";
  check(error_of([&] { const Run run(settings); }),
        "[test] a model of " + parameters +
            " parameters, tested (--threads 1) with 16 inputs of each length up to 9,",
        "make the model, --test-lengths, --test-examples or --threads smaller");

  const std::string smaller = "make --d-model, --layers, --batch or the lengths smaller";
  Pool pool(1);
  const Batcher batcher(open_task("before"), settings.model.kind);
  const auto model = make_model(settings.model, batcher.task_shape());  // only sizes are added up
  check(error_of([&] { Trainer(*model, batcher, settings.train, pool); }),
        "[train] a model of " + parameters + " parameters with batches of 13", smaller);

  settings = tiny_settings("before", "none");
  settings.train.batch = limits::batch;
  settings.train.lengths = {100'000, 100'000};
  const Run run(settings);
  check(error_of([&] { Trainer(run.model(), run.batcher(), settings.train, pool); }),
        str("[train] a model of ", run.model().parameters().count(), " parameters with batches of 1048576"),
        smaller);
}

TEST_CASE("trainer: a state of another model is refused") {
  Training small(tiny_settings("before", "none")), large(tiny_settings("before", "learned"));
  CHECK_THROWS_WITH_AS(large.trainer.restore(small.trainer.state()),
                       str("[train] the saved state has ", small.trainer.parameters().size(),
                           " parameters, the model ", large.trainer.parameters().size())
                           .c_str(),
                       Error);
}

TEST_CASE(
    "trainer: swapping the scheme changes neither the training data nor the initial values that are shared") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
    const std::vector<std::string> data = drawn_in_training(tiny_settings("sort", "none", kind), 5);
    REQUIRE(data.size() == 6 * 13);  // the next one is drawn ahead
    const auto shared = initial_values(tiny_settings("sort", "none", kind));
    for (const char* scheme : {"learned", "rope", "t5", "sinusoidal:join=concat", "learned+alibi"}) {
      CAPTURE(scheme);
      CHECK(drawn_in_training(tiny_settings("sort", scheme, kind), 5) == data);
      auto values = initial_values(tiny_settings("sort", scheme, kind));
      for (const auto& parameter : shared) {
        const std::string& name = parameter.first;
        CAPTURE(name);
        CHECK(same_bits(values[name], parameter.second));
      }
    }
    RunSettings other = tiny_settings("sort", "none", kind);
    other.train.seed = 2;
    CHECK_FALSE(drawn_in_training(other, 5) == data);
    CHECK_FALSE(same_bits(initial_values(other)["embedding"], shared.at("embedding")));
  }
}

// The numbers were computed on x86-64 (AVX2 and AVX-512, g++ and clang++) and on arm64 in the emulator. They change
// with everything that changes what is trained; then write down the new ones.
#if !defined(LOCUS_DOUBLE) && (defined(__FMA__) || defined(__aarch64__))
TEST_CASE("trainer: trained weights have the same bits on every processor with fused multiply-add") {
  const auto checksum = [](const char* scheme, ModelKind kind) {
    Training training(tiny_settings("sort", scheme, kind, 20));
    training.to_the_end();
    const Reals& weights = training.trainer.parameters();
    return hash({reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(Real)});
  };
  CHECK(checksum("sinusoidal", ModelKind::encoder) == 846576279011955599U);
  CHECK(checksum("kerple", ModelKind::encoder) == 9011655174633750186U);
  CHECK(checksum("rope", ModelKind::decoder) == 1091743826037366084U);
  CHECK(checksum("none", ModelKind::gru) == 17792747650009923701U);
}
#endif
